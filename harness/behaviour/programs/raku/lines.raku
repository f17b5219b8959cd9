my $n = get.Int;
say get.Int for ^$n;
