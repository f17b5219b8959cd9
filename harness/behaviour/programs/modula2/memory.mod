MODULE memory;
FROM Storage IMPORT ALLOCATE;
CONST Size = 1048576;
TYPE Block = POINTER TO ARRAY [1..Size] OF CHAR;
VAR block: Block; i: CARDINAL;
BEGIN
  LOOP
    NEW(block);
    FOR i := 1 TO Size DO block^[i] := "x" END
  END
END memory.
