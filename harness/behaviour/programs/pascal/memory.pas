var block: pointer;
begin
  while true do
  begin
    getmem(block, 1048576);
    fillchar(block^, 1048576, 'x');
  end;
end.
