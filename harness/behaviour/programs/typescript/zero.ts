import { readFileSync } from "fs";
const n = parseInt(readFileSync(0, "utf8"));
console.log(Math.trunc(100 / n));
