import { readFileSync } from "fs";
const [first, line] = readFileSync(0, "utf8").split("\n");
console.log(`${parseInt(first) + 1}\n${line.length}`);
