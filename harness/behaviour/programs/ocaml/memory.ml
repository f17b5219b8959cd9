let () =
  let blocks = ref [] in
  while true do
    blocks := Bytes.make 1048576 'x' :: !blocks
  done
