use strict;
use warnings;
print "before\n";
die "sorry";
