gets stdin n
puts [expr {$n + 1}]
