fun count n =
  if n > 1000000 then ()
  else (print (Int.toString n ^ "\n"); count (n + 1))
fun main () = count 1
