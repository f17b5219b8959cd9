// The figures of the HTML report in chromium: size, cost of writing, first paint, interactions, heap.
//
//   NODE_PATH="$(npm root --global)" node benches/page.cjs target/release/rejudge [SUBMISSIONSxCASES]...
//
// With `--json` it prints one line of JSON for each size, which a test checks. Times mean something only on an idle
// machine. CPU times hardly depend on the load; next to them stands the CPU time of a page that merely inflates and
// parses the same data, for comparisons between machines: pages are opened in turn, and medians are printed.
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--enable-precise-memory-info", "--js-flags=--expose-gc",
];

/** The number of times that each page is opened. */
const ROUNDS = 5;

/** A generator of numbers, the same in every run: mulberry32. */
function random(seed) {
  return below => {
    seed = seed + 0x6d2b79f5 | 0;
    let mixed = Math.imul(seed ^ seed >>> 15, 1 | seed);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) % below;
  };
}

/** A report of this many submissions and cases. Its figures are noise, which is the worst case for the size. */
function report(file, submissions, cases) {
  const out = fs.openSync(file, "w"), next = random(1);
  const line = (type, body) => JSON.stringify({ type, schema: 1, ...body }) + "\n";
  fs.writeSync(out, line("start", {
    version: "0", machine: { os: "linux", arch: "x86_64", cores: 2 }, jobs: 1, submissions, cases: submissions * cases,
    sandbox: { back_end: "root", cpu_clock: "cgroup", memory_clock: "cgroup", sufficient: true, active: [], missing: [] },
  }));
  let failed = 0;
  for (let row = 0; row < submissions; row++) {
    const mustFail = row % 3 === 2, submission = `solutions/p/${mustFail ? "wrong_answer/" : ""}s${row}.rs`, before = failed;
    let text = "";
    for (let column = 0; column < cases; column++) {
      const isWrong = next(4) === 0 && (mustFail || row % 7 === 0 && next(8) === 0), isFailure = isWrong && !mustFail;
      const head = isFailure ? { input: "1 2\n".repeat(12), output: "3\n".repeat(12), answer: "4\n".repeat(12), feedback: `token ${column}` } : {};
      failed += isFailure ? 1 : 0;
      text += line("case", {
        submission, problem: "p", case: `secret/${String(column).padStart(6, "0")}`, permitted: !isFailure,
        verdict: isWrong ? "WA" : "AC", cpu_ms: next(2_000_000) / 1000, cpu_clock: "cgroup",
        wall_ms: next(4000), memory_bytes: 4096 * (900 + next(30_000)), memory_clock: "rusage", output_bytes: 4, ...head,
      });
    }
    fs.writeSync(out, text + line("submission", {
      submission, problem: "p", language: "rust", expected: mustFail ? "wrong_answer" : "accepted", must_fail: mustFail,
      verdict: mustFail || failed > before ? "WA" : "AC", met: failed === before, cases, run: cases, accepted: cases,
      failed: failed - before, memory_bytes: 1, build: { cached: true },
      limits: { cpu_ms: 2000, wall_ms: 6000, memory_bytes: 1 << 27, output_bytes: 1, stack_bytes: 1, processes: 1, time_factor: 1 },
    }));
  }
  fs.writeSync(out, line("summary", {
    submissions, met: submissions, unexpected: 0, not_judged: 0, skipped: 0, cases: submissions * cases, wall_ms: 1, interrupted: false,
  }));
  fs.closeSync(out);
}

/** Runs a command. Returns its CPU time in seconds, and its peak memory in bytes as far as polling sees it. */
async function cost(command) {
  const child = spawn("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$0" "$@"', ...command], { stdio: ["ignore", "ignore", "pipe"] });
  let printed = "", memory = 0;
  child.stderr.on("data", data => { printed += data; });
  const poll = setInterval(() => {
    try {
      const [inner] = fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ").filter(Boolean);
      const kibibytes = /VmHWM:\s*(\d+)/.exec(fs.readFileSync(`/proc/${inner}/status`, "utf8"))[1];
      memory = Math.max(memory, kibibytes * 1024);
    } catch { /* It has ended. */ }
  }, 2);
  const code = await new Promise(resolve => { child.on("close", resolve); });
  clearInterval(poll);
  if (code !== 0) throw new Error(printed);
  const [user, system] = printed.trim().split("\n").at(-1).split(" ").map(Number);
  return { cpu: user + system, memory };
}

/** A page that only inflates and parses the index of `html`. */
function merelyParses(html) {
  const data = /id="index">([^<]*)</.exec(fs.readFileSync(html, "utf8"))[1];
  return `<!doctype html><title>x</title><script>const d=${JSON.stringify(data)};(async()=>{const b=atob(d);` +
    "const a=new Uint8Array(b.length);for(let i=0;i<b.length;i++)a[i]=b.charCodeAt(i);const s=new Blob([a]).stream()" +
    ".pipeThrough(new DecompressionStream('deflate-raw'));const r=new Uint8Array(await new Response(s).arrayBuffer());" +
    "const n=new DataView(r.buffer).getUint32(0,true);globalThis.run=JSON.parse(new TextDecoder().decode(r.subarray(4,4+n)));})()</script>";
}

/** Opens a page until it is ready. Times are in milliseconds; `cpu` is that of the process of the page. */
async function open(context, file, hash, isReady) {
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.goto(pathToFileURL(file).href + hash, { waitUntil: "commit" });
  while (!await page.evaluate(isReady).catch(() => false)) await new Promise(resolve => { setTimeout(resolve, 5); });
  const ready = await page.evaluate("performance.now()");
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  const metrics = async () => Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value]));
  return { page, ready, cpu: 1000 * (await metrics()).ProcessTime, metrics };
}

const median = values => values.sort((a, b) => a - b)[values.length >> 1];

/** What users do, as the place that they go to, or as code. */
const INTERACTIONS = {
  "open a problem": "#p=p",
  "CPU time": "#p=p&show=cpu",
  verdicts: "#p=p",
  search: "#p=p&q=v:WA",
  "end of the search": "#p=p",
  scroll: { code: "rejudgePage.matrix.grid.scrollTo(5000, 400); rejudgePage.matrix.draw()" },
  "move to the end": { code: "rejudgePage.matrix.move(0, 1e9)" },
  wider: { code: "rejudgePage.matrix.zoom(1)" },
  "open a failure": { code: "rejudgePage.step(1); await shown()" },
  "next failure": { code: "rejudgePage.step(1); await shown()" },
  "for setters": "#view=setters&p=p",
  overview: "#view=overview",
};

/** Waits until the page shows the place of its address. */
const SHOWN = "const shown = async () => { await new Promise(r => addEventListener('hashchange', r, { once: true })); await rejudgePage.show(); };";

/** The wall time and the CPU time of each interaction in milliseconds, until it is drawn. */
async function interact({ page, metrics }) {
  const times = {};
  for (const [name, what] of Object.entries(INTERACTIONS)) {
    const code = what.code ?? `history.replaceState(null, "", ${JSON.stringify(what)}); await rejudgePage.show()`;
    const before = (await metrics()).ProcessTime;
    const wall = await page.evaluate(`(async () => { ${SHOWN} const t = performance.now(); ${code};
      await new Promise(r => requestAnimationFrame(() => setTimeout(r))); return performance.now() - t; })()`);
    times[name] = { wall, cpu: 1000 * ((await metrics()).ProcessTime - before) };
  }
  return times;
}

/** Opens the page and the one that merely parses in turn. */
async function measure(context, html, plain) {
  const of = { ready: [], cpu: [], bareReady: [], bareCpu: [] }, walls = {}, cpus = {};
  let paint, heap;
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await open(context, plain, "", "globalThis.run !== undefined");
    await bare.page.close();
    const own = await open(context, html, "#p=p", "globalThis.rejudgePage?.isShown === true");
    of.ready.push(own.ready);
    of.cpu.push(own.cpu);
    of.bareReady.push(bare.ready);
    of.bareCpu.push(bare.cpu);
    paint = await own.page.evaluate("performance.getEntriesByType('paint')[0]?.startTime");
    for (const [name, { wall, cpu }] of Object.entries(await interact(own))) {
      (walls[name] ??= []).push(wall);
      (cpus[name] ??= []).push(cpu);
    }
    heap = await own.page.evaluate("gc(), performance.memory.usedJSHeapSize");
    await own.page.close();
  }
  const medians = all => Object.fromEntries(Object.entries(all).map(([name, values]) => [name, median(values)]));
  return { paint, heap, ...medians(of), walls: medians(walls), cpus: medians(cpus) };
}

async function main() {
  const [rejudge, ...words] = process.argv.slice(2), isJson = words[0] === "--json";
  const sizes = words.slice(isJson ? 1 : 0);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rejudge-bench-"));
  const context = await chromium.launchPersistentContext(path.join(folder, "profile"), {
    executablePath: "/usr/bin/chromium", headless: true, args: FLAGS, timeout: 120_000,
  });
  try {
    for (const size of sizes.length > 0 ? sizes : ["50x2000", "100x10000"]) {
      const [submissions, cases] = size.split("x").map(Number);
      const [json, html, plain] = ["run.jsonl", "run.html", "plain.html"].map(name => path.join(folder, name));
      report(json, submissions, cases);
      const writing = await cost([rejudge, "report", json, "--html", html, "-q"]);
      fs.writeFileSync(plain, merelyParses(html));
      const found = { cells: submissions * cases, bytes: fs.statSync(html).size, writing, ...await measure(context, html, plain) };
      console.log(isJson ? JSON.stringify(found) : shown(size, found));
    }
  } finally {
    await context.close();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The figures for people. */
function shown(size, { cells, bytes, writing, paint, heap, ready, cpu, bareReady, bareCpu, walls, cpus }) {
  const ms = value => `${Math.round(value)} ms`, mebibytes = value => `${(value / 1048576).toFixed(1)} MiB`;
  return [
    `${size}: ${cells} cells, ${bytes} bytes`,
    `  reading and writing: ${(writing.cpu / cells * 1e5).toFixed(2)} s of CPU time for 100,000 cells, peak memory ${mebibytes(writing.memory)}`,
    `  first paint ${ms(paint)}, matrix after ${ms(ready)} (CPU ${ms(cpu)})`,
    `  merely inflated and parsed after ${ms(bareReady)} (CPU ${ms(bareCpu)}); heap of the page ${mebibytes(heap)}`,
    ...Object.keys(walls).map(name => `  ${name}: ${ms(walls[name])} (CPU ${ms(cpus[name])})`),
  ].join("\n");
}

main();
