MODULE print;
FROM STextIO IMPORT WriteLn;
FROM SWholeIO IMPORT WriteCard;
VAR i: CARDINAL;
BEGIN
  FOR i := 1 TO 1000000 DO
    WriteCard(i, 1);
    WriteLn
  END
END print.
