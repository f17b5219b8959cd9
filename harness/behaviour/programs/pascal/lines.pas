var n, x: longint;
begin
  readln(n);
  for n := 1 to n do
  begin
    readln(x);
    writeln(x);
  end;
end.
