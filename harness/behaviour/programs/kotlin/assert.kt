fun main() {
    val n = readLine()!!.toInt()
    assert(n > 0)
    println("after")
}
