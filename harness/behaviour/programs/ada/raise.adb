with Ada.Text_IO; use Ada.Text_IO;
procedure Raising is
   Sorry : exception;
begin
   Put_Line ("before");
   raise Sorry;
end Raising;
