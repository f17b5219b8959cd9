var n: longint;
begin
  read(n);
  writeln(100 div n);
end.
