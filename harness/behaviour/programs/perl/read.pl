use strict;
use warnings;
my $n = <STDIN>;
my $line = <STDIN>;
chomp $line;
print $n + 1, "\n", length($line), "\n";
