const n = BigInt(require("fs").readFileSync(0, "utf8"));
console.log((n + 1n).toString());
