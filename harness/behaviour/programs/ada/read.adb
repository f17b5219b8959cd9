with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;
with Ada.Text_IO; use Ada.Text_IO;
procedure Reading is
   N : Integer;
begin
   Get (N);
   Skip_Line;
   declare
      Line : constant String := Get_Line;
   begin
      Put (N + 1, Width => 0);
      New_Line;
      Put (Line'Length, Width => 0);
      New_Line;
   end;
end Reading;
