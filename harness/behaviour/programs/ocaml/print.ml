let () =
  for i = 1 to 1_000_000 do
    Printf.printf "%d\n" i
  done
