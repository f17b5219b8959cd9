import strutils
var blocks: seq[string]
while true:
  blocks.add repeat('x', 1 shl 20)
