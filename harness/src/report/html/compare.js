// Two runs: cells that changed their verdict, cells whose time changed beyond noise, and what is new or gone.
//
// A cell is identified by problem, submission and case; the sum of the source tells whether the source changed.

/** A change of time counts if it is at least this ratio, this long, and this many spreads of its submission. */
const LEAST_RATIO = Math.log(1.2), LEAST_SECONDS = 0.005, SPREADS = 5;

/** Why the times of two runs cannot be compared, if they cannot. */
function incomparable(old, now) {
  const differs = ["cpu", "cores", "os", "arch"].filter(key => old.run?.[key] !== now.run?.[key]);
  if (!old.run || !now.run) return "one of the runs does not name its machine";
  return differs.length > 0 ? `the machines differ: ${differs.join(", ")}` : undefined;
}

/** The differences between two runs. */
function compareRuns(old, now) {
  const changed = [], slower = [], added = [], gone = [], key = one => `${one.of.id}\n${one.name}`;
  const before = new Map(old.submissions.map(one => [key(one), one]));
  const kept = new Set();
  for (const submission of now.submissions) {
    const earlier = before.get(key(submission));
    if (!earlier) {
      added.push(submission.name);
      continue;
    }
    kept.add(key(submission));
    const pairs = pairsOf(old, now, earlier, submission, added, gone);
    const isSource = earlier.source !== submission.source;
    for (const pair of pairs.filter(({ was, is }) => was !== is)) changed.push({ submission, isSource, ...pair });
    for (const pair of beyondNoise(pairs.filter(({ was, is }) => was === is))) slower.push({ submission, isSource, ...pair });
  }
  for (const [name, one] of before) if (!kept.has(name)) gone.push(one.name);
  return { changed, slower, added, gone };
}

/** The cells that both runs have. */
function pairsOf(old, now, earlier, submission, added, gone) {
  const columns = new Map(earlier.of.cases.map((name, column) => [name, column])), pairs = [];
  submission.of.cases.forEach((name, column) => {
    const there = columns.get(name);
    columns.delete(name);
    const cell = submission.base + column;
    const is = now.code(cell), was = there === undefined ? undefined : old.code(earlier.base + there);
    if (is && was) {
      pairs.push({ column, was, is, before: cpuOf(old, earlier.base + there), after: cpuOf(now, cell) });
    } else if (is) added.push(`${submission.name} on ${name}`);
    else if (was) gone.push(`${submission.name} on ${name}`);
  });
  for (const [name, there] of columns) if (old.code(earlier.base + there)) gone.push(`${submission.name} on ${name}`);
  return pairs;
}

const median = values => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

/** The pairs whose time changed by more than the times of this submission vary anyway. */
function beyondNoise(pairs) {
  const ratio = ({ before, after }) => Math.log(Math.max(after, 1e-4) / Math.max(before, 1e-4));
  const centre = median(pairs.map(ratio));
  const spread = 1.4826 * median(pairs.map(pair => Math.abs(ratio(pair) - centre)));
  // A submission that became slower as a whole has a centre of its own: only the spread around it is noise.
  const bound = Math.max(LEAST_RATIO, SPREADS * spread);
  return pairs.filter(pair => Math.abs(ratio(pair)) >= bound && Math.abs(pair.after - pair.before) >= LEAST_SECONDS);
}

function compareView(old, now, go) {
  const { changed, slower, added, gone } = compareRuns(old, now);
  const why = incomparable(old, now);
  const link = ({ submission, column }) => cellLink(go, { submission, column });
  const source = isSource => isSource ? "changed" : "the same";
  const list = (title, items) => items.length > 0 && el("details", {},
    el("summary", { text: `${title}: ${items.length}` }), el("ul", {}, items.slice(0, MOST_LISTED).map(text => el("li", { text }))), omitted(items));
  const verdicts = changed.slice(0, MOST_LISTED).map(one => [link(one), one.submission.name, badge(one.was), badge(one.is), source(one.isSource)]);
  slower.sort((a, b) => b.after / b.before - a.after / a.before);
  const times = slower.slice(0, MOST_LISTED).map(one => [link(one), one.submission.name, seconds(one.before), seconds(one.after),
    `${one.after > one.before ? "+" : "−"}${Math.abs(100 * (one.after / one.before - 1)).toFixed(0)} %`, source(one.isSource)]);
  return el("section", { class: "compare" },
    el("h2", { text: "Compared with the earlier run" }),
    el("p", { class: "soft", text: `${old.run?.time ?? "unknown time"} → ${now.run?.time ?? "unknown time"}` }),
    el("h3", { text: `Changed verdicts: ${changed.length}` }),
    verdicts.length > 0 && table("Changed verdicts",
      ["case", "submission", "before", "now", "source"].map(title => ({ title })), verdicts),
    omitted(changed),
    el("div", { class: why && "greyed" },
      el("h3", { text: `CPU time beyond noise: ${why ? "not compared" : slower.length}` }),
      why ? el("p", { text: `Times cannot be compared, because ${why}.` }) : times.length > 0 && table("Changed times",
        ["case", "submission", "before", "now", "change", "source"].map((title, at) => ({ title, number: [2, 3, 4].includes(at) })), times),
      !why && omitted(slower)),
    list("New", added), list("Gone", gone));
}
