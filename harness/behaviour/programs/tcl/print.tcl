for {set i 1} {$i <= 1000000} {incr i} {
    puts $i
}
