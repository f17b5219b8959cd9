// The search: words that all must hold, for example `v:WA lang:py case:big* failed:`. `-` before a word negates it.

/** What the search knows, for the help text. */
const QUERY_WORDS = [
  ["v:WA", "runs with this verdict"],
  ["bad:", "runs whose verdict is not as expected"],
  ["cpu>0.5", "runs with more CPU time, in seconds; also wall>, mem> (MiB) and <"],
  ["confirmed:", "runs that were repeated to confirm the verdict"],
  ["case:big*", "cases by name; * stands for any text"],
  ["group:secret*", "cases by group"],
  ["lang:py", "submissions by language"],
  ["expected:wrong*", "submissions by what is expected of them"],
  ["got:TLE", "submissions by their verdict"],
  ["failed:", "submissions that are not as expected"],
  ["any text", "submissions by name"],
];

/** Whether a name matches: as a whole with `*` and `?`, otherwise if it contains the text. */
function matcher(pattern) {
  const low = pattern.toLowerCase();
  if (!/[*?]/.test(low)) return name => name.toLowerCase().includes(low);
  const source = low.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".");
  const whole = new RegExp(`^${source}$`, "s");
  return name => whole.test(name.toLowerCase()) || whole.test(lastPart(name.toLowerCase()));
}

/** The conditions of a search on submissions, cases and cells, and the words that mean nothing. */
function parseQuery(text) {
  const query = { submissions: [], cases: [], cells: [], unknown: [] };
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const isNegated = word.length > 1 && word.startsWith("-");
    const plain = isNegated ? word.slice(1) : word;
    const condition = conditionOf(plain);
    if (!condition) {
      query.unknown.push(word);
      continue;
    }
    const [on, holds] = condition;
    query[on].push(isNegated ? (...of) => !holds(...of) : holds);
  }
  return query;
}

function conditionOf(word) {
  const figure = /^(cpu|wall|mem)([<>])(.*)$/.exec(word);
  if (figure) {
    const [, name, sign, text] = figure;
    const bound = Number(text);
    if (text === "" || Number.isNaN(bound)) return undefined;
    const value = {
      cpu: cpuOf, wall: wallOf, mem: (run, cell) => memoryOf(run, cell) / 1048576,
    }[name];
    return ["cells", (run, cell) => sign === ">" ? value(run, cell) > bound : value(run, cell) < bound];
  }
  const colon = word.indexOf(":");
  if (colon < 0) {
    const matches = matcher(word);
    return ["submissions", submission => matches(submission.name)];
  }
  const key = word.slice(0, colon), value = word.slice(colon + 1);
  const matches = matcher(value), code = value.toUpperCase();
  const conditions = {
    v: ["cells", (run, cell) => run.code(cell) === code],
    bad: ["cells", (run, cell) => (run.flags[cell] & NOT_PERMITTED) !== 0],
    confirmed: ["cells", (run, cell) => (run.flags[cell] & CONFIRMED) !== 0],
    case: ["cases", name => matches(name)],
    group: ["cases", name => matches(groupOf(name))],
    lang: ["submissions", submission => matches(submission.language) || submission.name.endsWith(`.${value}`)],
    sub: ["submissions", submission => matches(submission.name)],
    expected: ["submissions", submission => matches(submission.expected)],
    got: ["submissions", submission => submission.verdict === code],
    failed: ["submissions", submission => !submission.met],
  };
  return Object.hasOwn(conditions, key) ? conditions[key] : undefined;
}

/** The submissions and columns of a problem that a search selects. A condition on cells keeps rows and columns that
    have such a cell. */
function select(run, problem, query) {
  let submissions = problem.submissions.filter(one => query.submissions.every(holds => holds(one)));
  let columns = [];
  problem.cases.forEach((name, column) => {
    if (query.cases.every(holds => holds(name))) columns.push(column);
  });
  if (query.cells.length > 0) {
    const holds = cell => run.verdict[cell] !== ABSENT && query.cells.every(condition => condition(run, cell));
    const kept = new Set();
    submissions = submissions.filter(submission => {
      const found = columns.filter(column => holds(submission.base + column));
      found.forEach(column => kept.add(column));
      return found.length > 0;
    });
    columns = columns.filter(column => kept.has(column));
  }
  return { submissions, columns };
}
