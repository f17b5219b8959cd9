use strict;
no warnings 'recursion';
sub depth {
    my ($n) = @_;
    return $n == 0 ? 0 : 1 + depth($n - 1);
}
my $n = <STDIN>;
print depth($n), "\n";
