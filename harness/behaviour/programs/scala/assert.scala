import scala.io.StdIn._
object Main {
  def main(args: Array[String]): Unit = {
    val n = readInt()
    assert(n > 0)
    println("after")
  }
}
