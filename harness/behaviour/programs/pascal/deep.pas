function depth(n: int64): int64;
begin
  if n = 0 then
    depth := 0
  else
    depth := 1 + depth(n - 1);
end;
var n: int64;
begin
  read(n);
  writeln(depth(n));
end.
