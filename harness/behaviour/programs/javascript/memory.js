const blocks = [];
for (;;) blocks.push(new Array(131072).fill(blocks.length));
