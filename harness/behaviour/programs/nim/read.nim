import strutils
let n = stdin.readLine.parseInt
let line = stdin.readLine
echo n + 1
echo line.len
