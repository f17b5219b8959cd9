import { readFileSync } from "fs";
import assert from "assert";
const n = parseInt(readFileSync(0, "utf8"));
assert(n > 0);
console.log("after");
