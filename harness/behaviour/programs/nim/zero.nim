import strutils
let n = stdin.readLine.parseInt
echo 100 div n
