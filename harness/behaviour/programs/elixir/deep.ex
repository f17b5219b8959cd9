defmodule Main do
  def depth(0), do: 0
  def depth(n), do: 1 + depth(n - 1)

  def main do
    n = IO.gets("") |> String.trim() |> String.to_integer()
    IO.puts(depth(n))
  end
end
