// Tests of the page's functions: `node --test harness/tests/page/functions.cjs`.
"use strict";
const assert = require("node:assert/strict");
const test = require("node:test");
const { load } = require("./sources.cjs");

const page = load();
const VERDICTS = ["AC", "RAN", "WA", "RTE", "OLE", "TLE", "MLE", "CE", "JE", "SKIP"].map(code => [code, code]);

/** Results of another scope, as plain values. */
const plain = value => JSON.parse(JSON.stringify(value ?? null));

/** An index of one problem. A submission is [name, expected, cells]; a cell is [code, CPU in ms, flags] or nothing. */
function index(cases, submissions, extra = {}) {
  const cells = submissions.flatMap(([, , cells]) => cases.map((_, at) => cells[at]));
  const header = {
    run: { arguments: [], cpu: "x", cores: 1, os: "linux", arch: "x86_64", ...extra.run }, notes: [], verdicts: VERDICTS,
    has_scores: false,
    problems: [{ id: "p", cases, inputs: ["data/", ".in"], answers: null, rows: submissions.map((_, at) => at), killing: {} }],
    submissions: submissions.map(([name, expected, own, more]) => ({
      name, problem: 0, language: "rust", expected, must_fail: expected !== "accepted", met: true, cpu_limit_s: 2,
      verdict: own.find(cell => cell && cell[0] !== "AC")?.[0] ?? "AC", source: "s", ...more,
    })),
  };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const column = value => Buffer.from(cells.map(value));
  const cpu = cell => cell ? Math.round(cell[1] * 10) : 0;
  const zero = column(() => 0);
  return new Uint8Array(Buffer.concat([
    length, json, column(cell => cell ? VERDICTS.findIndex(([code]) => code === cell[0]) : 255), column(cell => cell?.[2] ?? 0),
    column(cell => cpu(cell) & 255), column(cell => cpu(cell) >> 8 & 255), column(cell => cpu(cell) >> 16),
    zero, zero, zero, zero, zero, zero,
  ]));
}

const run = (...of) => page.parse(index(...of));
const CASES = ["sample/1", "secret/big-1", "secret/small"];

test("the figures of an index are read back", () => {
  const one = run(CASES, [["a.rs", "accepted", [["AC", 1.5], ["TLE", 123456.7]]]]);
  assert.equal(one.code(0), "AC");
  assert.equal(one.code(2), undefined);
  assert.deepEqual([...one.cpu], [15, 1234567, 0]);
  assert.equal(page.pathOf(one.problems[0].inputs, one.problems[0], 1), "data/secret/big-1.in");
});

test("a search selects submissions, cases and cells", () => {
  const one = run(CASES, [
    ["x/a.py", "accepted", [["AC", 1], ["WA", 900, 1], ["AC", 1]], { language: "python3", met: false }],
    ["x/b.rs", "wrong_answer", [["WA", 1], ["AC", 1], ["TLE", 3000]]],
  ]);
  const found = text => {
    const { submissions, columns } = page.select(one, one.problems[0], page.parseQuery(text));
    return [plain(submissions.map(submission => submission.name)), plain(columns)];
  };
  const all = ["x/a.py", "x/b.rs"];
  for (const [text, submissions, columns] of [
    ["", all, [0, 1, 2]],
    ["v:WA", all, [0, 1]],
    ["v:wa lang:py", ["x/a.py"], [1]],
    ["lang:rs", ["x/b.rs"], [0, 1, 2]],
    ["case:big*", all, [1]],
    ["-group:sample", all, [1, 2]],
    ["failed:", ["x/a.py"], [0, 1, 2]],
    ["bad:", ["x/a.py"], [1]],
    ["cpu>0.5", all, [1, 2]],
    ["expected:wrong* v:TLE", ["x/b.rs"], [2]],
    ["b.rs", ["x/b.rs"], [0, 1, 2]],
    ["-b.rs", ["x/a.py"], [0, 1, 2]],
    ["v:MLE", [], []],
  ]) assert.deepEqual(found(text), [submissions, columns], text);
  assert.deepEqual(plain(page.parseQuery("colour:red cpu>x a").unknown), ["colour:red", "cpu>x"]);
  assert.deepEqual(plain(page.parseQuery("__proto__:x constructor:").unknown), ["__proto__:x", "constructor:"]);
});

test("a pattern is not a regular expression", () => {
  assert.equal(page.matcher("a.c*")("abc"), false);
  assert.equal(page.matcher("(")("a("), true);
  assert.equal(page.matcher("(*")("(x"), true);
});

test("failures are cells that are not permitted, and submissions without such a cell", () => {
  const one = run(CASES, [
    ["a", "accepted", [["WA", 1, 1], ["AC", 1], ["TLE", 1, 1]], { met: false }],
    ["b", "wrong_answer", [["WA", 1]]],
    ["c", "wrong_answer", [["AC", 1]], { met: false }],
  ]);
  const places = page.failuresOf(one).map(({ submission, column }) => [submission.name, column ?? null]);
  assert.deepEqual(plain(places), [["a", 0], ["a", 2], ["c", null]]);
  const [a, , c] = one.submissions;
  assert.equal(page.neighbour(one, a, 0, 1).column, 2);
  assert.equal(page.neighbour(one, a, 2, 1).submission, c);
  assert.equal(page.neighbour(one, a, 0, -1), undefined);
});

test("rows are grouped by what is expected", () => {
  const one = run(["1"], [["a", "accepted", []], ["b", "wrong_answer", []], ["c", "accepted", []]]);
  const rows = page.grouped(one.submissions).map(row => row.promise ?? row.submission.name);
  assert.deepEqual(plain(rows), ["accepted", "a", "c", "wrong_answer", "b"]);
});

test("margins are the slowest accepted and the fastest too slow submission of each language", () => {
  const one = run(["1", "2"], [
    ["a", "accepted", [["AC", 500], ["AC", 100]]],
    ["b", "accepted", [["AC", 700], ["AC", 1]]],
    ["c", "time_limit_exceeded", [["TLE", 3000]]],
    ["d", "time_limit_exceeded", [["AC", 1], ["TLE", 2100]]],
  ]);
  const [of] = page.marginsOf(one, one.problems[0]);
  assert.deepEqual([of.slowest.submission.name, of.slowest.cpu, of.fastest.submission.name, of.fastest.cpu], ["b", 0.7, "d", 2.1]);
  const slowest = page.slowestOf(one, one.problems[0]).map(cell => [cell.submission.name, cell.column]);
  assert.deepEqual(plain(slowest), [["b", 0], ["a", 1]]);
});

test("what deserves a look is not as expected, in doubt, close to the limit, or caught by one case or none", () => {
  const one = run(CASES, [
    ["x/a.py", "accepted", [["AC", 1], ["WA", 900, 1], ["AC", 1]], { met: false, verdict: "WA" }],
    ["x/b.py", "accepted", [["AC", 1], ["AC", 1500], ["AC", 1, 4]]],
    ["x/c.py", "wrong_answer", [["AC", 1], ["WA", 1], ["AC", 1]]],
    ["x/d.py", "wrong_answer", [["AC", 1], ["AC", 1], ["AC", 1]], { met: false }],
  ]);
  one.problems[0].killing = { wrong: [2, 3], uncaught: [3], caught_once: [[2, 1]], is_complete: true };
  const found = page.worthOf(one, one.problems[0]);
  assert.deepEqual(plain(found.map(({ text }) => text)), [
    "a.py: got WA, expected accepted", "No case catches d.py", "1 result in doubt, because others used the machine",
    "b.py needs 75 % of the time limit on secret/big-1", "Only secret/big-1 catches c.py",
    "2 of 3 cases catch no wrong submission: sample/1, secret/small",
  ]);
  assert.deepEqual(plain(found.slice(0, 4).map(({ at }) => [at.submission.name, at.column ?? null])),
    [["x/a.py", 1], ["x/d.py", null], ["x/b.py", 2], ["x/b.py", 1]]);
  one.problems[0].killing.is_complete = false;
  assert.equal(page.worthOf(one, one.problems[0]).length, 4, "an unknown case is no miss");
});

test("strips are the accepted submissions closest to the limit, and the fastest that are too slow", () => {
  const accepted = Array.from({ length: 12 }, (_, at) => [`a${at}`, "accepted", [["AC", 10 + at]]]);
  const slow = Array.from({ length: 6 }, (_, at) => [`t${at}`, "time_limit_exceeded", [["TLE", 2000 + at]]]);
  const one = run(["1"], [...accepted, ...slow]);
  const { shown, hidden } = page.timesOf(one, one.problems[0]);
  assert.deepEqual(plain(shown.map(strip => strip.submission.name)),
    ["a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "t0", "t1", "t2", "t3"]);
  assert.equal(hidden, 4);
  const { x, powers } = page.scaleOf(shown, 0, 100);
  assert.ok(x(0.01) >= 0 && x(0.01) < x(0.02) && x(2) < 100 && x(9) === 100);
  assert.deepEqual(plain(powers), [0.01, 0.1, 1]);
  assert.equal(page.timesOf(run(["1"], [slow[0]]), run(["1"], [slow[0]]).problems[0]), undefined);
});

test("small columns have gaps between groups, and share pixels if there are more of them than pixels", () => {
  const cases = ["sample/1", "secret/1", "secret/2"], places = page.placesOf(cases, 100);
  const columns = page.pixelsOf(places, 3, 200, 2);
  for (let x = 0; x < 100; x++) {
    const [from] = columns[2 * x] ?? [];
    if (from !== undefined) assert.equal(page.columnAt(places, 3, x + 0.25), from, `pixel ${x}`);
  }
  assert.equal(columns[2 * 16], undefined);
  const many = Array.from({ length: 1000 }, (_, at) => `secret/${at}`), narrow = page.placesOf(many, 100);
  assert.deepEqual(plain(page.pixelsOf(narrow, 1000, 100, 1)[99]), [990, 1000]);
  assert.equal(page.columnAt(narrow, 1000, 99.95), 999);
});

test("where cases share a pixel, the one that is not as expected is seen", () => {
  const cells = Array.from({ length: 10 }, () => ["AC", 1]);
  cells[3] = ["WA", 1];
  cells[7] = ["WA", 1, 1];
  const one = run(cells.map((_, at) => String(at)), [["a", "accepted", cells]]);
  const colours = name => name.startsWith("bold") ? "#aa0000" : "#00bb00", palette = page.paletteOf(one, colours);
  const paint = (from, to) => {
    const line = new Uint32Array(1), framed = page.fill(line, [[from, to]], one, 0, palette);
    return [line[0], framed.length];
  };
  const red = page.packed("#aa0000", 1);
  assert.deepEqual(paint(0, 3), [page.packed("#00bb00", 1), 0]);
  assert.deepEqual(paint(0, 5), [page.packed("#aa0000", 0.5, "#00bb00"), 0]);
  assert.deepEqual(paint(0, 10), [red, 1]);
  assert.equal(red, 0xff0000aa);
});

test("two runs are compared by problem, submission and case", () => {
  const cells = [["AC", 100], ["AC", 100], ["AC", 100], ["AC", 100]];
  const cases = ["1", "2", "3", "4"];
  const old = run(cases, [["a", "accepted", cells], ["gone", "accepted", cells]]);
  const now = run(["0", "4", "3", "2", "1"], [
    ["a", "accepted", [["AC", 5], ["WA", 100, 1], ["AC", 101], ["AC", 99], ["AC", 180]], { source: "t" }],
    ["new", "accepted", []],
  ]);
  const { changed, slower, added, gone } = page.compareRuns(old, now);
  assert.deepEqual(plain(changed.map(({ column, was, is, isSource }) => [column, was, is, isSource])), [[1, "AC", "WA", true]]);
  assert.deepEqual(plain(slower.map(({ column }) => column)), [4]);
  assert.deepEqual(plain(added), ["a on 0", "new"]);
  assert.deepEqual(plain(gone), ["gone"]);
});

test("times of different machines are not compared", () => {
  const one = run(["1"], []), other = run(["1"], [], { run: { cpu: "y" } });
  assert.equal(page.incomparable(one, one), undefined);
  assert.equal(page.incomparable(one, other), "the machines differ: cpu");
});

test("an address names a place, and is read back", () => {
  for (const state of [
    { view: "overview" }, { view: "matrix", p: "p", q: "v:WA a&b=c#", show: "cpu" }, { view: "setters", p: "p" },
    { view: "cell", p: "p", s: "solutions/a b+%.rs", c: "secret/1" }, { view: "compare" },
  ]) assert.deepEqual(plain(page.readAddress(page.writeAddress(state))), state);
  assert.equal(page.writeAddress({ p: "p", s: "x/y", c: "1" }), "#p=p&s=x/y&c=1");
});

test("the command that runs a case again is quoted for a shell", () => {
  const one = run(["it's"], [["-a.c", "accepted", []]], { run: { arguments: ["--time-limit", "0.5"] } });
  assert.equal(page.rerun(one, one.submissions[0], 0), "rejudge run --case 'it'\\''s' --time-limit 0.5 -- -a.c");
});

test("figures are human-readable", () => {
  assert.equal(page.bytes(1023), "1023 B");
  assert.equal(page.bytes(4046848), "3.9 MiB");
  assert.equal(page.count(1204, "case"), "1,204 cases");
  assert.equal(page.points(100 / 3), "33.333333");
});
