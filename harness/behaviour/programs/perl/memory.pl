use strict;
use warnings;
my @blocks;
push @blocks, "x" x (1048576 + @blocks) while 1;
