import strutils
let n = stdin.readLine.parseInt
assert n > 0
echo "after"
