defmodule Main do
  def main do
    n = IO.gets("") |> String.trim() |> String.to_integer()
    IO.puts(n + 1)
  end
end
