identification division.
program-id. raising.
procedure division.
    display "before"
    call "no-such-program"
    display "after"
    stop run.
