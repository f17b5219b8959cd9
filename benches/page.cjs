// The figures of the HTML report in a real browser: size, time to write, first paint, interactions, heap.
//
//   NODE_PATH="$(npm root --global)" node benches/page.cjs target/release/rejudge [SUBMISSIONSxCASES]...
//
// Times mean something only on an idle machine. Next to each stands the time of a page that merely inflates and parses
// the same data, for comparisons between machines.
"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--enable-precise-memory-info", "--js-flags=--expose-gc",
];

/** A generator of numbers, the same in every run. */
function random(seed) {
  return below => {
    seed = Math.imul(seed ^ seed >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return ((seed ^ seed >>> 13) >>> 0) % below;
  };
}

/** A report of this many submissions and cases. */
function report(file, submissions, cases) {
  const out = fs.openSync(file, "w"), next = random(1);
  const line = (type, body) => JSON.stringify({ type, schema: 1, ...body }) + "\n";
  fs.writeSync(out, line("start", {
    version: "0", machine: { os: "linux", arch: "x86_64", cores: 2 }, jobs: 1, submissions, cases: submissions * cases,
    sandbox: { back_end: "root", cpu_clock: "cgroup", memory_clock: "cgroup", sufficient: true, active: [], missing: [] },
  }));
  for (let row = 0; row < submissions; row++) {
    const isWrong = row % 3 === 2, submission = `solutions/p/${isWrong ? "wrong_answer/" : ""}s${row}.rs`;
    let text = "";
    for (let column = 0; column < cases; column++) {
      text += line("case", {
        submission, problem: "p", case: `secret/${String(column).padStart(6, "0")}`, permitted: true,
        verdict: isWrong && next(4) === 0 ? "WA" : "AC", cpu_ms: (900 + next(4000)) / 1000, cpu_clock: "cgroup",
        wall_ms: 2 + next(9), memory_bytes: 4096 * (900 + next(300)), memory_clock: "rusage", output_bytes: 4,
      });
    }
    fs.writeSync(out, text + line("submission", {
      submission, problem: "p", language: "rust", expected: isWrong ? "wrong_answer" : "accepted", must_fail: isWrong,
      verdict: isWrong ? "WA" : "AC", met: true, cases, run: cases, accepted: cases, failed: 0, memory_bytes: 1,
      limits: { cpu_ms: 2000, wall_ms: 6000, memory_bytes: 1 << 27, output_bytes: 1, stack_bytes: 1, processes: 1, time_factor: 1 },
      build: { cached: true },
    }));
  }
  fs.writeSync(out, line("summary", {
    submissions, met: submissions, unexpected: 0, not_judged: 0, skipped: 0, cases: submissions * cases, wall_ms: 1, interrupted: false,
  }));
  fs.closeSync(out);
}

const now = () => Number(process.hrtime.bigint()) / 1e6;

async function measure(context, file, hash, isReady) {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.goto(pathToFileURL(file).href + hash, { waitUntil: "commit" });
  while (!await page.evaluate(isReady).catch(() => false)) await new Promise(resolve => { setTimeout(resolve, 5); });
  const ready = await page.evaluate("performance.now()");
  return { page, ready };
}

async function main() {
  const [rejudge, ...sizes] = process.argv.slice(2);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rejudge-bench-"));
  const context = await chromium.launchPersistentContext(path.join(folder, "profile"), {
    executablePath: "/usr/bin/chromium", headless: true, args: FLAGS,
  });
  try {
    for (const size of sizes.length > 0 ? sizes : ["50x2000", "100x10000"]) {
      const [submissions, cases] = size.split("x").map(Number);
      const [json, html, plain] = ["run.jsonl", "run.html", "plain.html"].map(name => path.join(folder, name));
      report(json, submissions, cases);
      const started = now();
      execFileSync(rejudge, ["report", json, "--html", html, "-q"]);
      const wrote = now() - started;
      const text = fs.readFileSync(html, "utf8");
      const data = /id="index">([^<]*)</.exec(text)[1];
      fs.writeFileSync(plain, `<!doctype html><script>const d=${JSON.stringify(data)};(async()=>{const b=atob(d);` +
        "const a=new Uint8Array(b.length);for(let i=0;i<b.length;i++)a[i]=b.charCodeAt(i);const s=new Blob([a]).stream()" +
        ".pipeThrough(new DecompressionStream('deflate-raw'));const r=new Uint8Array(await new Response(s).arrayBuffer());" +
        "const n=new DataView(r.buffer).getUint32(0,true);globalThis.run=JSON.parse(new TextDecoder().decode(r.subarray(4,4+n)));})()</script>");
      const bare = await measure(context, plain, "", "globalThis.run !== undefined");
      await bare.page.close();
      const { page, ready } = await measure(context, html, "#p=p", "globalThis.rejudgePage?.isShown === true");
      const paint = await page.evaluate("performance.getEntriesByType('paint')[0]?.startTime");
      const timed = async (what, code) => [what, await page.evaluate(`(async () => {
        const t = performance.now(); ${code}; await new Promise(r => requestAnimationFrame(() => setTimeout(r)));
        return performance.now() - t; })()`)];
      const m = "rejudgePage.matrix";
      const actions = [
        await timed("move", `${m}.move(1, 1)`), await timed("end", `${m}.move(0, 1e9)`), await timed("zoom", `${m}.zoom(1)`),
        await timed("search", "rejudgePage.state = { view: 'matrix', p: 'p', q: 'v:WA' }; history.replaceState(null, '', '#p=p&q=v:WA'); await rejudgePage.show()"),
        await timed("setters", "history.replaceState(null, '', '#view=setters&p=p'); await rejudgePage.show()"),
      ];
      const heap = await page.evaluate("gc(), performance.memory.usedJSHeapSize");
      await page.close();
      const round = value => Math.round(value);
      console.log(`${size}: ${submissions * cases} cells, ${fs.statSync(html).size} bytes, written in ${round(wrote)} ms`);
      console.log(`  first paint ${round(paint)} ms, matrix after ${round(ready)} ms, merely inflated and parsed after ${round(bare.ready)} ms`);
      console.log(`  heap ${(heap / 1048576).toFixed(1)} MiB; ${actions.map(([what, time]) => `${what} ${round(time)} ms`).join(", ")}`);
    }
  } finally {
    await context.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main();
