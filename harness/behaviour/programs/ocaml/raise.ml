let () =
  print_string "before\n";
  failwith "sorry"
