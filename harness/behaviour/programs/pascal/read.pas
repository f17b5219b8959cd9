var n: longint; line: string;
begin
  readln(n);
  readln(line);
  writeln(n + 1);
  writeln(length(line));
end.
