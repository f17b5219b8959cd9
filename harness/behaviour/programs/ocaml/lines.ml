let () =
  let n = read_int () in
  for _ = 1 to n do
    Printf.printf "%d\n" (read_int ())
  done
