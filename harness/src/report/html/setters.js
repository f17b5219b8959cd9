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
  const titles = ["language", "limit", "slowest accepted", "limit / slowest", "by", "fastest too slow", "fastest / limit", "by"];
  return el("section", {}, el("h3", { text: "Margins" }),
    el("p", { class: "soft", text: "Limit / slowest is the factor by which the limit exceeds the slowest accepted submission. A submission that is too slow was ended at the limit: its real time may be longer." }),
    table("Margins", titles.map((title, at) => ({ title, number: [1, 2, 3, 5, 6].includes(at) })), rows));
}

/** The slowest cases, each with the submission that takes longest on it, of those that must be accepted. */
function slowestOf(run, problem) {
  const cpu = ({ submission, column }) => run.cpu[submission.base + column];
  const submissions = problem.submissions.filter(one => !one.must_fail), cells = [];
  for (let column = 0; column < problem.cases.length; column++) {
    let slowest;
    for (const submission of submissions) {
      if (run.verdict[submission.base + column] === ABSENT) continue;
      if (!slowest || run.cpu[submission.base + column] > cpu(slowest)) slowest = { submission, column };
    }
    if (slowest) cells.push(slowest);
  }
  return cells.sort((a, b) => cpu(b) - cpu(a)).slice(0, SLOWEST);
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
      if (run.flags[submission.base + column] & (CONFIRMED | IN_DOUBT | FLAKY | NEAR_LIMIT)) cells.push({ submission, column });
    });
  }
  if (cells.length === 0) return el("p", { class: "soft", text: "No run had to be confirmed, and none is in doubt." });
  const rows = cells.slice(0, MOST_LISTED).map(cell => {
    const at = cell.submission.base + cell.column, flags = run.flags[at];
    const why = [flags & CONFIRMED && "confirmed", flags & IN_DOUBT && "in doubt", flags & FLAKY && "verdicts differ",
      flags & NEAR_LIMIT && "near a limit, unlike machines"];
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
    node.append(el("p", { class: "soft", text: "This problem has no wrong submission, so nothing shows what its cases catch." }));
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

/** The cases that catch each wrong submission. */
function catches(run, problem, wrong, go) {
  const rows = wrong.map(submission => {
    const columns = problem.cases.map((_, column) => column).filter(column => CATCHES.has(run.code(submission.base + column)));
    return [submission.name, submission.expected, badge(submission.verdict, !submission.met), thousands(columns.length),
      cellLinks(submission, columns, go)];
  });
  const columns = ["submission", "expected", "got", "caught by", "cases"];
  return el("details", {}, el("summary", { text: "Caught by which cases" }),
    table("Caught by which cases", columns.map((title, at) => ({ title, number: at === 3 })), rows));
}

/** Links to cells of a submission: many are folded, and made when they are unfolded. */
function cellLinks(submission, columns, go) {
  if (columns.length === 0) return "–";
  const [first] = columns, link = column => cellLink(go, { submission, column });
  if (columns.length === 1) return link(first);
  const list = el("ul", {});
  const fill = () => { if (list.childElementCount === 0) list.append(...columns.map(column => el("li", {}, link(column)))); };
  return el("details", { toggle: fill }, el("summary", { text: `${submission.of.cases[first]} and ${thousands(columns.length - 1)} more` }), list);
}
