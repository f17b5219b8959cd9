my $n = get.Int;
say 100 div $n;
