import { readFileSync } from "fs";
const lines = readFileSync(0, "utf8").split("\n");
const n = parseInt(lines[0]);
for (let i = 1; i <= n; i++) console.log(parseInt(lines[i]));
