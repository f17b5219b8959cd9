import strutils
proc depth(n: int): int =
  if n == 0: 0 else: 1 + max(depth(n - 1), depth(0))
echo depth(stdin.readLine.parseInt)
