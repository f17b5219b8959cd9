(module
  (memory (export "memory") 1)
  ;; Takes blocks of 1 MiB, and writes to each byte of them.
  (func (export "_start")
    (local $at i32)
    (loop $block
      (local.set $at (i32.mul (memory.grow (i32.const 16)) (i32.const 65536)))
      (if (i32.eq (local.get $at) (i32.const -65536)) (then (unreachable)))
      (memory.fill (local.get $at) (i32.const 120) (i32.const 1048576))
      (br $block))))
