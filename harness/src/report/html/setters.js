// What setters ask of a problem: margins, slow cases, confirmed runs, and which cases catch which wrong submissions.

/** The most cases in the list of the slowest. */
const SLOWEST = 50;

function settersView(run, problem, go) {
  return el("section", { class: "setters" }, el("h2", { text: `${problem.id}: for setters` }),
    margins(run, problem), slowest(run, problem, go), confirmed(run, problem, go), killingView(run, problem, go));
}

/** For each language the slowest accepted submission and the fastest one that is too slow. */
function marginsOf(run, problem) {
  const languages = new Map();
  const most = submission => {
    let best;
    problem.cases.forEach((_, column) => {
      const cell = submission.base + column;
      if (run.verdict[cell] === ABSENT) return;
      if (best === undefined || run.cpu[cell] > run.cpu[submission.base + best]) best = column;
    });
    return best === undefined ? undefined : { submission, column: best, cpu: cpuOf(run, submission.base + best) };
  };
  for (const submission of problem.submissions) {
    const found = most(submission);
    if (!found) continue;
    const of = languages.get(submission.language) ?? { language: submission.language, limit: submission.cpu_limit_s };
    languages.set(submission.language, of);
    if (submission.verdict === "AC" && !(of.slowest?.cpu >= found.cpu)) of.slowest = found;
    if (submission.verdict === "TLE" && !(of.fastest?.cpu <= found.cpu)) of.fastest = found;
  }
  return [...languages.values()];
}

function margins(run, problem) {
  const rows = marginsOf(run, problem).map(({ language, limit, slowest, fastest }) => [
    language, seconds(limit),
    slowest ? seconds(slowest.cpu) : "–", slowest ? `${(limit / slowest.cpu).toFixed(1)} ×` : "–",
    slowest ? lastPart(slowest.submission.name) : "",
    fastest ? seconds(fastest.cpu) : "–", fastest ? `${(fastest.cpu / limit).toFixed(2)} ×` : "–",
    fastest ? lastPart(fastest.submission.name) : "",
  ]);
  const titles = ["language", "limit", "slowest accepted", "limit ÷ that", "by", "fastest too slow", "that ÷ limit", "by"];
  return el("section", {}, el("h3", { text: "Margins" }),
    el("p", { class: "soft", text: "A submission that is too slow was ended at the limit: its real time may be longer." }),
    table("Margins", titles.map((title, at) => ({ title, number: [1, 2, 3, 5, 6].includes(at) })), rows));
}

/** The cells with the most CPU time, of submissions that must be accepted. */
function slowestOf(run, problem) {
  let cells = [], least = -1;
  const cpu = ({ submission, column }) => run.cpu[submission.base + column];
  const shorten = () => {
    cells = cells.sort((a, b) => cpu(b) - cpu(a)).slice(0, SLOWEST);
    if (cells.length === SLOWEST) least = cpu(cells.at(-1));
  };
  for (const submission of problem.submissions.filter(one => !one.must_fail)) {
    for (let column = 0; column < problem.cases.length; column++) {
      const cell = submission.base + column;
      // Most cells of a large run are faster than those that are known.
      if (run.verdict[cell] === ABSENT || run.cpu[cell] <= least) continue;
      cells.push({ submission, column });
      if (cells.length === 4 * SLOWEST) shorten();
    }
  }
  shorten();
  return cells;
}

const cellLink = (go, cell) => el("a", { href: go.address(cell), text: cell.submission.of.cases[cell.column] });

function slowest(run, problem, go) {
  const rows = slowestOf(run, problem).map(cell => {
    const { submission, column } = cell, at = submission.base + column;
    return [cellLink(go, cell), submission.name, badge(run.code(at)), seconds(cpuOf(run, at)),
      `${(100 * cpuOf(run, at) / submission.cpu_limit_s).toFixed(1)} %`];
  });
  const columns = ["case", "submission", "got", "CPU time", "of the limit"];
  return el("details", {}, el("summary", { text: `Slowest ${rows.length} cases` }),
    table("Slowest cases", columns.map((title, at) => ({ title, number: at > 2 })), rows));
}

function confirmed(run, problem, go) {
  const cells = [];
  for (const submission of problem.submissions) {
    problem.cases.forEach((_, column) => {
      if (run.flags[submission.base + column] & (CONFIRMED | IN_DOUBT | FLAKY)) cells.push({ submission, column });
    });
  }
  if (cells.length === 0) return el("p", { class: "soft", text: "No run had to be confirmed, and none is in doubt." });
  const rows = cells.slice(0, MOST_LISTED).map(cell => {
    const at = cell.submission.base + cell.column, flags = run.flags[at];
    const why = [flags & CONFIRMED && "confirmed", flags & IN_DOUBT && "in doubt", flags & FLAKY && "verdicts differ"];
    return [cellLink(go, cell), cell.submission.name, badge(run.code(at)), seconds(cpuOf(run, at)), why.filter(Boolean).join(", ")];
  });
  const columns = ["case", "submission", "got", "CPU time", "why"];
  return el("details", {}, el("summary", { text: `Runs that were repeated, or are in doubt: ${thousands(cells.length)}` }),
    table("Confirmed runs", columns.map((title, at) => ({ title, number: at === 3 })), rows), omitted(cells));
}

/** The verdicts with which a case catches a submission. */
const CATCHES = new Set(["WA", "RTE", "OLE", "TLE", "MLE"]);

function killingView(run, problem, go) {
  const { wrong, uncaught, caught_once, essential, redundant, minimal, is_exact, is_complete } = problem.killing;
  const node = el("section", {}, el("h3", { text: "Which cases catch the wrong submissions" }));
  if (wrong.length === 0) {
    node.append(el("p", { class: "soft", text: "No submission of this problem must be rejected." }));
    return node;
  }
  const wrongSubmissions = wrong.map(row => problem.submissions[row]);
  const names = columns => columns.map(column => problem.cases[column]);
  const list = (title, items) => el("details", { open: items.length > 0 && items.length <= 12 },
    el("summary", { text: `${title}: ${thousands(items.length)}` }),
    el("ul", {}, items.slice(0, MOST_LISTED).map(item => el("li", {}, item))), omitted(items));
  node.append(
    is_complete ? "" : el("p", { class: "soft", text: "For some of these submissions, some cases have no result. Such a case is unknown, not a miss: run with --fail-fast=never for the whole picture." }),
    list(`A ${is_exact ? "smallest" : "small"} set of cases that catches everything that is caught`, names(minimal)),
    list("Essential: cases that alone catch a submission", names(essential)),
    list("Redundant: another case catches everything that these catch", names(redundant)),
    list("Submissions that only one case catches", caught_once.map(([row, column]) =>
      el("span", {}, `${problem.submissions[row].name}: `, cellLink(go, { submission: problem.submissions[row], column })))),
    list("Submissions that no case catches", uncaught.map(row => problem.submissions[row].name)),
    catches(run, problem, wrongSubmissions, go));
  return node;
}

/** The number of cases that catch each wrong submission, and the first of them. */
function catches(run, problem, wrong, go) {
  const rows = wrong.map(submission => {
    let caught = 0, first;
    for (let column = 0; column < problem.cases.length; column++) {
      if (!CATCHES.has(run.code(submission.base + column))) continue;
      caught++;
      first ??= column;
    }
    const link = first === undefined ? "–" : cellLink(go, { submission, column: first });
    return [submission.name, submission.expected, badge(submission.verdict, !submission.met), thousands(caught), link];
  });
  const columns = ["submission", "promised", "got", "caught by", "first"];
  return el("details", {}, el("summary", { text: "Caught by how many cases" }),
    table("Caught by how many cases", columns.map((title, at) => ({ title, number: at === 3 })), rows));
}
