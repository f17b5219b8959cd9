fun main() {
    for (i in 1..1000000) println(i)
}
