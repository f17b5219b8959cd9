(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  ;; 0: the vector and the count of a call; 64: input; 65600: output.
  (memory (export "memory") 2)
  (global $have (mut i32) (i32.const 0))
  (global $next (mut i32) (i32.const 0))
  (global $out (mut i32) (i32.const 65600))

  ;; The next byte, or -1.
  (func $byte (result i32)
    (if (i32.eq (global.get $next) (global.get $have))
      (then
        (i32.store (i32.const 0) (i32.const 64))
        (i32.store (i32.const 4) (i32.const 65536))
        (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
        (global.set $have (i32.load (i32.const 8)))
        (global.set $next (i32.const 0))
        (if (i32.eqz (global.get $have)) (then (return (i32.const -1))))))
    (i32.load8_u offset=64 (global.get $next))
    (global.set $next (i32.add (global.get $next) (i32.const 1))))

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

  ;; The next number, which a byte ends.
  (func $number (result i32)
    (local $byte i32) (local $n i32) (local $negative i32)
    (loop $blanks
      (local.set $byte (call $byte))
      (br_if $blanks (i32.le_u (local.get $byte) (i32.const 32))))
    (if (i32.eq (local.get $byte) (i32.const 45))
      (then (local.set $negative (i32.const 1)) (local.set $byte (call $byte))))
    (loop $more
      (local.set $n (i32.add (i32.mul (local.get $n) (i32.const 10)) (i32.sub (local.get $byte) (i32.const 48))))
      (local.set $byte (call $byte))
      (br_if $more (i32.and (i32.ge_s (local.get $byte) (i32.const 48)) (i32.le_s (local.get $byte) (i32.const 57)))))
    (select (i32.sub (i32.const 0) (local.get $n)) (local.get $n) (local.get $negative)))

  (func $depth (param $n i32) (result i32)
    (if (result i32) (i32.eqz (local.get $n))
      (then (i32.const 0))
      (else (i32.add (i32.const 1) (call $depth (i32.sub (local.get $n) (i32.const 1)))))))

  (func (export "_start")
    (call $print (call $depth (call $number)))
    (call $flush)))
