import strutils
let n = stdin.readLine.parseInt
for _ in 1 .. n:
  echo stdin.readLine.parseInt
