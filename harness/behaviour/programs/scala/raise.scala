object Main {
  def main(args: Array[String]): Unit = {
    println("before")
    throw new IllegalStateException("sorry")
  }
}
