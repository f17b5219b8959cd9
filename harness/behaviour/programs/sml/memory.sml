fun grow blocks = grow (Array.array (1000000, length blocks) :: blocks)
fun main () = grow []
