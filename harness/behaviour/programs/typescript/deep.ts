import { readFileSync } from "fs";
function depth(n: number): number {
  return n === 0 ? 0 : 1 + depth(n - 1);
}
console.log(depth(parseInt(readFileSync(0, "utf8"))));
