set numbers {}
set i 0
while 1 {
    lappend numbers [incr i]
}
