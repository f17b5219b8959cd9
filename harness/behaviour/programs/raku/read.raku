my $n = get.Int;
my $line = get;
say $n + 1;
say $line.chars;
