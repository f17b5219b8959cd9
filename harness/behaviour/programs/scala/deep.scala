import scala.io.StdIn._
object Main {
  def depth(n: Long): Long = if (n == 0) 0 else 1 + depth(n - 1)
  def main(args: Array[String]): Unit = println(depth(readLong()))
}
