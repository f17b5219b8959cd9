fun main() {
    val n = readLine()!!.toInt()
    println(100 / n)
}
