{$mode objfpc}
uses sysutils;
begin
  writeln('before');
  raise Exception.Create('sorry');
end.
