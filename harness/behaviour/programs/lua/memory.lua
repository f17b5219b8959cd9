local blocks = {}
while true do
  blocks[#blocks + 1] = string.rep("x", 1048576 + #blocks)
end
