let () =
  let n = read_int () in
  assert (n > 0);
  print_endline "after"
