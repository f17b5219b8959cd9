let () =
  let n = read_int () in
  let line = read_line () in
  Printf.printf "%d\n%d\n" (n + 1) (String.length line)
