defmodule Main do
  def number, do: IO.gets("") |> String.trim() |> String.to_integer()

  def main do
    for _ <- 1..number(), do: IO.puts(number())
  end
end
