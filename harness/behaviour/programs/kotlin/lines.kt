fun main() {
    repeat(readLine()!!.toInt()) {
        println(readLine()!!.toInt())
    }
}
