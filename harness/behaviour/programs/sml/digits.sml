fun main () =
  let val n = valOf (TextIO.scanStream (IntInf.scan StringCvt.DEC) TextIO.stdIn)
  in print (IntInf.toString (n + 1) ^ "\n") end
