import scala.collection.mutable.ArrayBuffer
object Main {
  def main(args: Array[String]): Unit = {
    val blocks = ArrayBuffer[Array[Byte]]()
    while (true) blocks += new Array[Byte](1 << 20)
  }
}
