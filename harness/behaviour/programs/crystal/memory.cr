blocks = [] of Bytes
loop { blocks << Bytes.new(1048576, 120_u8) }
