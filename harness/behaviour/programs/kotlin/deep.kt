fun depth(n: Long): Long = if (n == 0L) 0 else 1 + depth(n - 1)

fun main() {
    println(depth(readLine()!!.toLong()))
}
