(module
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  ;; 0: the vector and the count of a call; 64: input; 65600: output.
  (memory (export "memory") 2)
  (global $out (mut i32) (i32.const 65600))

  (func $flush
    (i32.store (i32.const 0) (i32.const 65600))
    (i32.store (i32.const 4) (i32.sub (global.get $out) (i32.const 65600)))
    (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
    (global.set $out (i32.const 65600)))

  (func $put (param $byte i32)
    (i32.store8 (global.get $out) (local.get $byte))
    (global.set $out (i32.add (global.get $out) (i32.const 1)))
    (if (i32.eq (global.get $out) (i32.const 131072)) (then (call $flush))))

  (func $digits (param $n i32)
    (if (i32.ge_u (local.get $n) (i32.const 10))
      (then (call $digits (i32.div_u (local.get $n) (i32.const 10)))))
    (call $put (i32.add (i32.const 48) (i32.rem_u (local.get $n) (i32.const 10)))))

  (func $print (param $n i32)
    (if (i32.lt_s (local.get $n) (i32.const 0))
      (then
        (call $put (i32.const 45))
        (local.set $n (i32.sub (i32.const 0) (local.get $n)))))
    (call $digits (local.get $n))
    (call $put (i32.const 10)))

  (func (export "_start")
    (local $i i32)
    (loop $more
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (call $print (local.get $i))
      (br_if $more (i32.lt_u (local.get $i) (i32.const 1000000))))
    (call $flush)))
