const [first, line] = require("fs").readFileSync(0, "utf8").split("\n");
console.log(`${parseInt(first) + 1}\n${line.length}`);
