// Loads the page's own scripts, which share one scope, so that tests reach their functions.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const FOLDER = path.join(__dirname, "../../src/report/html");
const FILES = ["dom", "data", "query", "matrix", "failure", "setters", "times", "small", "worth", "overview", "compare", "history", "app"];
const NAMES = [
  "bytes", "count", "quoted", "points", "parse", "rerun", "failuresOf", "parseQuery", "select", "matcher", "neighbour",
  "marginsOf", "slowestOf", "compareRuns", "incomparable", "readAddress", "writeAddress", "grouped", "pathOf",
  "worthOf", "timesOf", "scaleOf", "placesOf", "columnAt", "pixelsOf", "fill", "paletteOf", "packed",
];

/** The functions of the page, in a scope without a document. */
function load() {
  const text = FILES.map(name => fs.readFileSync(path.join(FOLDER, `${name}.js`), "utf8")).join("");
  const context = vm.createContext({ TextDecoder, TextEncoder, URLSearchParams, console });
  return vm.runInContext(`"use strict";(() => {${text}; return { ${NAMES.join(", ")} }; })()`, context);
}

module.exports = { load };
