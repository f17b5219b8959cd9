identification division.
program-id. memory-eater.
data division.
working-storage section.
01 block-pointer usage pointer.
01 amount binary-double value 1048576.
linkage section.
01 block-text pic x(1048576).
procedure division.
    perform until 1 = 0
        allocate amount characters returning block-pointer
        set address of block-text to block-pointer
        move all "x" to block-text
    end-perform
    stop run.
