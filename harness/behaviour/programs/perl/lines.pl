use strict;
use warnings;
my $n = <STDIN>;
for (1 .. $n) {
    my $x = <STDIN>;
    print $x + 0, "\n";
}
