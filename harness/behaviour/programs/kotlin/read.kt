fun main() {
    val n = readLine()!!.toInt()
    val line = readLine()!!
    println(n + 1)
    println(line.length)
}
