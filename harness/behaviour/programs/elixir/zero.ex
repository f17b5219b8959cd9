defmodule Main do
  def main do
    n = IO.gets("") |> String.trim() |> String.to_integer()
    IO.puts(div(100, n))
  end
end
