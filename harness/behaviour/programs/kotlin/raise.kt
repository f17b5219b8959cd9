fun main() {
    println("before")
    throw IllegalStateException("sorry")
}
