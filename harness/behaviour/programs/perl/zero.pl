use strict;
use warnings;
my $n = <STDIN>;
print 100 / $n, "\n";
