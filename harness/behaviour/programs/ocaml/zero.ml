let () =
  let n = read_int () in
  Printf.printf "%d\n" (100 / n)
