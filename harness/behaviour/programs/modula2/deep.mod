MODULE deep;
FROM STextIO IMPORT WriteLn;
FROM SWholeIO IMPORT ReadInt, WriteCard;
VAR n: INTEGER;

PROCEDURE Larger(a, b: INTEGER): INTEGER;
BEGIN
  IF a > b THEN RETURN a ELSE RETURN b END
END Larger;

PROCEDURE Depth(n: INTEGER): INTEGER;
BEGIN
  IF n = 0 THEN RETURN 0 END;
  RETURN 1 + Larger(Depth(n - 1), Depth(0))
END Depth;

BEGIN
  ReadInt(n);
  WriteCard(Depth(n), 1);
  WriteLn
END deep.
