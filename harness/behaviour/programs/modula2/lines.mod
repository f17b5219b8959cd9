MODULE lines;
FROM STextIO IMPORT SkipLine, WriteLn;
FROM SWholeIO IMPORT ReadCard, WriteCard;
VAR n, x, i: CARDINAL;
BEGIN
  ReadCard(n);
  FOR i := 1 TO n DO
    SkipLine;
    ReadCard(x);
    WriteCard(x, 1);
    WriteLn
  END
END lines.
