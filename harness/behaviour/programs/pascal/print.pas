var i: longint;
begin
  for i := 1 to 1000000 do
    writeln(i);
end.
