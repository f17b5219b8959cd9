import { readFileSync } from "fs";
const n = BigInt(readFileSync(0, "utf8"));
console.log((n + 1n).toString());
