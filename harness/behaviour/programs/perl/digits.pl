use strict;
use warnings;
use Math::BigInt;
chomp(my $digits = <STDIN>);
print Math::BigInt->new($digits) + 1, "\n";
