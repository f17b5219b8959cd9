use strict;
use warnings;
print "$_\n" for 1 .. 1000000;
