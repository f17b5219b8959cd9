const assert = require("assert");
const n = parseInt(require("fs").readFileSync(0, "utf8"));
assert(n > 0);
console.log("after");
