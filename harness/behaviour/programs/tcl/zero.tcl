gets stdin n
puts [expr {100 / $n}]
puts after
