blocks = []
loop { blocks << "x" * 1048576 }
