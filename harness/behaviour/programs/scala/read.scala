import scala.io.StdIn._
object Main {
  def main(args: Array[String]): Unit = {
    val n = readInt()
    val line = readLine()
    println(n + 1)
    println(line.length)
  }
}
