identification division.
program-id. reading.
data division.
working-storage section.
01 line-read pic x(2000000).
01 n binary-long.
01 digits pic z(8)9.
procedure division.
    accept line-read
    compute n = function numval(line-read)
    accept line-read
    add 1 to n
    move n to digits
    display function trim(digits)
    move function length(function trim(line-read trailing)) to digits
    display function trim(digits)
    stop run.
