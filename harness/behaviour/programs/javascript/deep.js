function depth(n) {
  return n === 0 ? 0 : 1 + depth(n - 1);
}
console.log(depth(parseInt(require("fs").readFileSync(0, "utf8"))));
