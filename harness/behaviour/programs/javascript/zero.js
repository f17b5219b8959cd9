const n = parseInt(require("fs").readFileSync(0, "utf8"));
console.log(Math.trunc(100 / n));
