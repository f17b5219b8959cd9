identification division.
program-id. deep.
data division.
working-storage section.
01 line-read pic x(20).
01 n binary-double.
01 result binary-double value 0.
01 digits pic z(18)9.
procedure division.
    accept line-read
    compute n = function numval(line-read)
    call "deeper" using n result
    move result to digits
    display function trim(digits)
    stop run.
end program deep.

identification division.
program-id. deeper is recursive.
data division.
local-storage section.
01 below binary-double.
linkage section.
01 n binary-double.
01 result binary-double.
procedure division using n result.
    if n not = 0
        compute below = n - 1
        call "deeper" using below result
        add 1 to result
    end-if
    goback.
end program deeper.
