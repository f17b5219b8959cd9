identification division.
program-id. printing.
data division.
working-storage section.
01 i binary-long.
01 digits pic z(8)9.
procedure division.
    perform varying i from 1 by 1 until i > 1000000
        move i to digits
        display function trim(digits)
    end-perform
    stop run.
