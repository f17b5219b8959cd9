MODULE read;
FROM InOut IMPORT ReadCard, ReadString, WriteCard, WriteLn;
FROM StrLib IMPORT StrLen;
VAR n: CARDINAL; line: ARRAY [0..1999999] OF CHAR;
BEGIN
  n := 7;
  ReadCard(n);
  ReadString(line);
  WriteCard(n + 1, 0);
  WriteLn;
  WriteCard(StrLen(line), 0);
  WriteLn
END read.
