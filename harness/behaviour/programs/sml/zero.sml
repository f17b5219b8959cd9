fun main () =
  let val n = valOf (TextIO.scanStream (Int.scan StringCvt.DEC) TextIO.stdIn)
  in print (Int.toString (100 div n) ^ "\n") end
