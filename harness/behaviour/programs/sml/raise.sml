exception Sorry
fun main () = (print "before\n"; raise Sorry)
