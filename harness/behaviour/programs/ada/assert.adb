with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;
with Ada.Text_IO; use Ada.Text_IO;
procedure Assert is
   N : Integer;
begin
   Get (N);
   pragma Assert (N > 0);
   Put_Line ("after");
end Assert;
