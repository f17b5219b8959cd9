with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;
procedure Zero is
   N : Integer;
begin
   Get (N);
   Put (100 / N);
end Zero;
