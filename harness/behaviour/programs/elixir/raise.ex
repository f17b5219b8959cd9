defmodule Main do
  def main do
    IO.puts("before")
    raise "sorry"
  end
end
