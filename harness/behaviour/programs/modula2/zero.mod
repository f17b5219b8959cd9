MODULE zero;
FROM STextIO IMPORT WriteLn;
FROM SWholeIO IMPORT ReadCard, WriteCard;
VAR n: CARDINAL;
BEGIN
  ReadCard(n);
  WriteCard(100 DIV n, 1);
  WriteLn
END zero.
