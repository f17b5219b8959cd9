identification division.
program-id. line-copier.
data division.
working-storage section.
01 line-read pic x(20).
01 n binary-long.
01 digits pic z(8)9.
procedure division.
    accept line-read
    compute n = function numval(line-read)
    perform n times
        accept line-read
        move function numval(line-read) to digits
        display function trim(digits)
    end-perform
    stop run.
