object Main {
  def main(args: Array[String]): Unit = for (i <- 1 to 1000000) println(i)
}
