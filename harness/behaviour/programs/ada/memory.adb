procedure Memory is
   type Text is access String;
   Block : Text;
begin
   loop
      Block := new String'(1 .. 1_048_576 => 'x');
   end loop;
end Memory;
