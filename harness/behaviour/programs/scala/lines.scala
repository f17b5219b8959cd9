import scala.io.StdIn._
object Main {
  def main(args: Array[String]): Unit =
    for (_ <- 1 to readInt()) println(readInt())
}
