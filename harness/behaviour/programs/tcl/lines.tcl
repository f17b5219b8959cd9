gets stdin n
for {set i 0} {$i < $n} {incr i} {
    gets stdin x
    puts [expr {$x + 0}]
}
