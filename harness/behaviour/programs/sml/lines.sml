fun number () = valOf (TextIO.scanStream (Int.scan StringCvt.DEC) TextIO.stdIn)
fun copy 0 = ()
  | copy n = (print (Int.toString (number ()) ^ "\n"); copy (n - 1))
fun main () = copy (number ())
