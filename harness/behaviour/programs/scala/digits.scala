import scala.io.StdIn._
object Main {
  def main(args: Array[String]): Unit = println(BigInt(readLine()) + 1)
}
