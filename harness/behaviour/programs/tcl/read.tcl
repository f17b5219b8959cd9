gets stdin n
gets stdin line
puts [expr {$n + 1}]
puts [string length $line]
