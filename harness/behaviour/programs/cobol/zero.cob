identification division.
program-id. zero-divisor.
data division.
working-storage section.
01 line-read pic x(20).
01 n pic s9(9).
01 quotient pic s9(9).
procedure division.
    accept line-read
    compute n = function numval(line-read)
    compute quotient = 100 / n
    display quotient
    stop run.
