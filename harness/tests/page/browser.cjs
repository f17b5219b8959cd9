// Opens pages in a browser, as users do: by `file://`, without a network. Prints one JSON object with what it found.
//
//   node browser.cjs PLAN.json
//
// A plan names a browser, `chromium` or `firefox`, and a list of steps; the Rust tests write it. Modules come from
// NODE_PATH.
"use strict";
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--enable-precise-memory-info", "--js-flags=--expose-gc",
];

/** Chromium, by playwright. */
async function chromium(profile) {
  const context = await require("playwright-core").chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium", headless: true, args: FLAGS, bypassCSP: false, timeout: 120_000,
  });
  return {
    open: async ({ theme, width, height }) => {
      const page = await context.newPage();
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height });
      return page;
    },
    close: () => context.close(),
  };
}

/** Firefox, by puppeteer, which speaks WebDriver BiDi with it. The theme is that of the button of the page. */
async function firefox(profile) {
  const browser = await require("puppeteer-core").launch({
    browser: "firefox", executablePath: "/usr/bin/firefox-esr", headless: true, userDataDir: profile, timeout: 120_000,
    extraPrefsFirefox: { "ui.prefersReducedMotion": 1, "ui.systemUsesDarkTheme": 0, "network.captive-portal-service.enabled": false },
  });
  return {
    open: async ({ width, height }) => {
      const page = await browser.newPage();
      await page.setViewport({ width, height });
      return page;
    },
    close: () => browser.close(),
  };
}

async function main() {
  const plan = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
  const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "rejudge-page-"));
  const found = [];
  const browser = await { chromium, firefox }[plan.browser](profile);
  try {
    for (const step of plan.steps) found.push(await visit(browser, step, axe));
  } finally {
    await browser.close();
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
  console.log(JSON.stringify(found));
}

/** Waits until an expression holds. The policy of the page forbids the waiting of playwright, which evaluates text. */
async function until(page, expression) {
  for (let turn = 0; turn < 1200; turn++) {
    if (await page.evaluate(expression)) return;
    await new Promise(resolve => { setTimeout(resolve, 50); });
  }
  throw new Error(`never true: ${expression}`);
}

/** Opens a page and does what the step says. */
async function visit(browser, step, axe) {
  const page = await browser.open({ theme: step.theme ?? "light", width: step.width ?? 1280, height: step.height ?? 800 });
  page.setDefaultTimeout(120_000);
  const result = { errors: [], requests: [], violations: [], values: [] };
  page.on("console", message => { if (["error", "warning", "warn"].includes(message.type())) result.errors.push(message.text()); });
  page.on("pageerror", error => result.errors.push(String(error)));
  page.on("dialog", dialog => {
    result.errors.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const own = pathToFileURL(path.resolve(step.file)).href;
  page.on("request", request => {
    const url = request.url().split("#")[0];
    if (url !== own && !url.startsWith("data:") && !url.startsWith("blob:") && !(step.may_load && url.includes(step.may_load))) result.requests.push(url);
  });
  await page.goto(own + (step.hash ?? ""), { timeout: 120_000 });
  if (!step.is_plain) await until(page, "globalThis.rejudgePage?.isShown");
  for (const action of step.actions ?? []) {
    if (action.key) await page.keyboard.press(action.key);
    if (action.type) await page.keyboard.type(action.type);
    if (action.click) await page.click(action.click);
    if (action.hash !== undefined) await page.evaluate(hash => { location.hash = hash; }, action.hash);
    if (action.wait) await until(page, action.wait);
    if (action.value) result.values.push(await page.evaluate(action.value));
  }
  result.text = await page.evaluate(() => document.body.innerText);
  result.scrolls_sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  if (step.screenshot) await page.screenshot({ path: step.screenshot });
  if (step.pdf) {
    // After the page's own handler.
    await page.evaluate(() => addEventListener("beforeprint", () => { globalThis.onPaper = document.body.innerText; }));
    const pdf = await page.pdf({ format: "A4" });
    result.pdf_pages = pdf.toString("latin1").split(/\/Type\s*\/Page\b/).length - 1;
    result.on_paper = await page.evaluate(() => globalThis.onPaper);
    result.after_print = await page.evaluate(() => document.body.innerText);
  }
  if (step.axe) {
    // Through the debugger, which the policy of the page does not concern.
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    result.violations = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(" | ")}`);
  }
  result.heap = await page.evaluate(() => {
    globalThis.gc?.();
    return performance.memory?.usedJSHeapSize;
  });
  await page.close();
  return result;
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
