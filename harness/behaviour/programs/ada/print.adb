with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;
with Ada.Text_IO; use Ada.Text_IO;
procedure Printing is
begin
   for I in 1 .. 1_000_000 loop
      Put (I, Width => 0);
      New_Line;
   end loop;
end Printing;
