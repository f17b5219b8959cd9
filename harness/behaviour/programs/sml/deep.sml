fun depth 0 = 0
  | depth n = 1 + depth (n - 1)
fun main () =
  let val n = valOf (TextIO.scanStream (Int.scan StringCvt.DEC) TextIO.stdIn)
  in print (Int.toString (depth n) ^ "\n") end
