var n: longint;
begin
  read(n);
  assert(n > 0);
  writeln('after');
end.
