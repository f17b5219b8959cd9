import scala.io.StdIn._
object Main {
  def main(args: Array[String]): Unit = {
    val n = readInt()
    println(100 / n)
  }
}
