blocks = {};
while true
  blocks{end + 1} = ones(1000, 1000);
end
