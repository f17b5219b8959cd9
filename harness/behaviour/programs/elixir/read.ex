defmodule Main do
  def main do
    n = IO.gets("") |> String.trim() |> String.to_integer()
    line = IO.gets("") |> String.trim()
    IO.puts(n + 1)
    IO.puts(String.length(line))
  end
end
