fun line () = valOf (TextIO.inputLine TextIO.stdIn)
fun main () =
  let
    val n = valOf (Int.fromString (line ()))
    val text = line ()
  in
    print (Int.toString (n + 1) ^ "\n");
    print (Int.toString (size text - 1) ^ "\n")
  end
