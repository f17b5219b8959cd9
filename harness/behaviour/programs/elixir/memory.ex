defmodule Main do
  def grow(n, list), do: grow(n + 1, [n | list])
  def main, do: grow(0, [])
end
