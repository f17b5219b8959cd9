defmodule Main do
  def main, do: Enum.each(1..1_000_000, &IO.puts/1)
end
