MODULE raise;
FROM STextIO IMPORT WriteLn, WriteString;
FROM EXCEPTIONS IMPORT AllocateSource, ExceptionSource, RAISE;
VAR source: ExceptionSource;
BEGIN
  WriteString("before");
  WriteLn;
  AllocateSource(source);
  RAISE(source, 1, "sorry")
END raise.
