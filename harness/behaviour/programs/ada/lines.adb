with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;
with Ada.Text_IO; use Ada.Text_IO;
procedure Lines is
   N, X : Integer;
begin
   Get (N);
   for I in 1 .. N loop
      Get (X);
      Put (X, Width => 0);
      New_Line;
   end loop;
end Lines;
