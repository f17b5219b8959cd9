const blocks: number[][] = [];
for (;;) blocks.push(new Array(131072).fill(blocks.length));
