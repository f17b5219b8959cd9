with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;
procedure Deep is
   function Depth (N : Integer) return Integer is
   begin
      if N = 0 then
         return 0;
      end if;
      return 1 + Integer'Max (Depth (N - 1), Depth (0));
   end Depth;
   N : Integer;
begin
   Get (N);
   Put (Depth (N), Width => 0);
end Deep;
