blocks = []
while True:
    blocks.append("x" * len(blocks) + "x" * 1048576)
