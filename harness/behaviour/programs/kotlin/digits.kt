import java.math.BigInteger

fun main() {
    val n = BigInteger(readLine()!!)
    println(n + BigInteger.ONE)
}
