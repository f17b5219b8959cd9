// The times of the accepted submissions next to the limit: a strip for each, on a scale of powers.

/** The most strips of accepted submissions, and of those that are too slow. */
const MOST_ACCEPTED = 10, MOST_SLOW = 4;

/** The cases of a submission by CPU time, the fastest first. */
function timesOn(run, submission) {
  const cells = [];
  for (let column = 0; column < submission.of.cases.length; column++) {
    const cell = submission.base + column;
    if (run.verdict[cell] !== ABSENT) cells.push({ column, cpu: cpuOf(run, cell) });
  }
  return cells.sort((a, b) => a.cpu - b.cpu);
}

/** The strips of a problem: the slowest of its accepted submissions, and the fastest that are too slow. */
function timesOf(run, problem) {
  const strips = verdict => problem.submissions.filter(one => one.verdict === verdict)
    .map(submission => ({ submission, cells: timesOn(run, submission), limit: submission.cpu_limit_s, isSlow: verdict === "TLE" }))
    .filter(({ cells }) => cells.length > 0);
  const most = strip => strip.cells.at(-1).cpu / (strip.limit || 1), order = problem.submissions;
  const cut = (all, from, number) => {
    const kept = new Set([...all].sort((a, b) => from * (most(a) - most(b))).slice(0, number));
    return all.filter(strip => kept.has(strip)).sort((a, b) => order.indexOf(a.submission) - order.indexOf(b.submission));
  };
  const accepted = strips("AC"), slow = strips("TLE");
  const shown = [...cut(accepted, -1, MOST_ACCEPTED), ...cut(slow, 1, MOST_SLOW)];
  return accepted.length > 0 ? { shown, accepted, slow, hidden: accepted.length + slow.length - shown.length } : undefined;
}

/** The value below which this part of a sorted list lies. */
const quantile = (cells, part) => cells[Math.min(cells.length - 1, Math.floor(part * cells.length))].cpu;

/** The scale of the strips: seconds to pixels. */
function scaleOf(shown, left, right) {
  const limits = shown.map(strip => strip.limit);
  const most = Math.max(...limits, ...shown.map(strip => strip.isSlow ? strip.limit : strip.cells.at(-1).cpu)) * 1.6;
  const least = Math.min(...shown.map(strip => strip.cells[0].cpu), ...limits);
  // At least two powers of ten, so that noise looks like noise; at most five.
  const from = Math.max(Math.min(least * 0.8, most / 100), most / 1e5, 1e-4);
  const width = Math.log(most / from);
  const x = value => left + (right - left) * Math.max(0, Math.min(1, Math.log(Math.max(value, from) / from) / width));
  const powers = [];
  for (let power = Math.ceil(Math.log10(from)); 10 ** power <= most; power++) powers.push(10 ** power);
  return { x, powers };
}

const shortTime = value => value >= 1 ? `${points(value)} s` : `${points(value * 1000)} ms`;

/** The strips, `width` pixels wide. */
function timesView({ shown, accepted, hidden }, width, go) {
  // The only submission of a problem is named by its matrix.
  const isNamed = shown[0].submission.of.submissions.length > 1;
  const nameWidth = isNamed ? Math.round(Math.max(90, Math.min(170, width * 0.3))) : 0, valueWidth = 62;
  const height = HEAD + shown.length * LINE + 2 * LINE;
  const { x, powers } = scaleOf(shown, 3, width - nameWidth - valueWidth - 12);
  const node = el("div", { class: "times" });
  Object.assign(node.style, { width: `${width}px`, height: `${height + (hidden > 0 ? LINE : 0)}px` });
  const image = svg("svg", { role: "img", "aria-label": describeTimes(shown) });
  node.append(place(image, nameWidth, 0, width - nameWidth - valueWidth, height));
  const bottom = HEAD + shown.length * LINE;
  for (const power of powers) {
    image.append(svg("line", { class: "grid", x1: x(power), x2: x(power), y1: HEAD, y2: bottom }),
      svg("text", { class: "tick", x: x(power), y: bottom + 13, "text-anchor": "middle", text: shortTime(power) }));
  }
  shown.forEach((strip, at) => {
    const top = HEAD + at * LINE, { submission } = strip, slowest = strip.cells.at(-1);
    image.append(...stripOf(strip, x, top));
    const name = el("a", { class: "row-name", tabindex: "-1", href: go.address({ submission, column: slowest.column }),
      title: `${submission.name}: slowest on ${submission.of.cases[slowest.column]}`, text: lastPart(submission.name) });
    const value = el("span", { class: "row-value", text: strip.isSlow ? `> ${shortTime(strip.limit)}` : seconds(slowest.cpu) });
    if (isNamed) node.append(place(name, 0, top, nameWidth - 8, LINE));
    node.append(place(value, width - valueWidth, top, valueWidth, LINE));
  });
  image.append(...limitOf(accepted, x, bottom));
  if (hidden > 0) node.append(place(el("span", { class: "small-label", text: `${thousands(hidden)} more, farther from the limit` }), 0, height, width, LINE));
  return node;
}

/** A strip: its cases as dots, the middle half of them as a box, the median as a bar, and its limit. */
function stripOf({ cells, limit, isSlow }, x, top) {
  const middle = top + LINE / 2, parts = [svg("line", { class: "limit", x1: x(limit), x2: x(limit), y1: top, y2: top + LINE })];
  if (isSlow) {
    const at = x(limit) + 4;
    return [...parts, svg("path", { class: "too-slow", d: `M${at} ${middle - 4}l6 4l-6 4z` })];
  }
  const [least, lower, median, upper, most] = [cells[0].cpu, quantile(cells, 0.25), quantile(cells, 0.5), quantile(cells, 0.75), cells.at(-1).cpu].map(x);
  // Dots at the same place are one dot.
  const dots = [...new Set(cells.map(({ cpu }) => Math.round(x(cpu) * 2) / 2))];
  return [...parts,
    svg("line", { class: "reach", x1: least, x2: most, y1: middle, y2: middle }),
    svg("rect", { class: "box", x: lower, width: Math.max(1, upper - lower), y: middle - 4, height: 8 }),
    svg("path", { class: "dots", d: dots.map(at => `M${at} ${middle}h.01`).join("") }),
    svg("line", { class: "median", x1: median, x2: median, y1: middle - 5, y2: middle + 5 })];
}

/** The limit by name, and how often the slowest accepted submission fits it. */
function limitOf(accepted, x, bottom) {
  const slowest = accepted.reduce((worst, strip) => {
    const own = { cpu: strip.cells.at(-1).cpu, limit: strip.limit };
    return !worst || own.cpu / own.limit > worst.cpu / worst.limit ? own : worst;
  }, undefined);
  const [from, to] = [x(slowest.cpu), x(slowest.limit)], y = bottom + LINE + 5;
  const parts = [svg("text", { class: "limit-label", x: to, y: 12, "text-anchor": "middle", text: `limit ${shortTime(slowest.limit)}` })];
  if (to - from < 4) return parts;
  const factor = slowest.limit / slowest.cpu, text = `${factor >= 100 ? thousands(Math.round(factor)) : factor.toFixed(1)} ×`;
  const isInside = to - from > 48, middle = (from + to) / 2;
  const half = isInside ? 22 : 0;
  return [...parts,
    svg("path", { class: "margin", d: `M${from} ${y - 4}v8M${to} ${y - 4}v8M${from} ${y}H${middle - half}M${middle + half} ${y}H${to}` }),
    svg("text", { class: "tick", x: isInside ? middle : from - 6, y: y + 4, "text-anchor": isInside ? "middle" : "end", text })];
}

const describeTimes = shown => `CPU time: ${shown.map(({ submission, cells, limit, isSlow }) =>
  `${lastPart(submission.name)} ${isSlow ? "exceeds" : `at most ${seconds(cells.at(-1).cpu)} of`} ${shortTime(limit)}`).join(", ")}`;

/** The accepted submission that comes closest to its limit. */
function slowestAccepted(run, problem) {
  let slowest;
  for (const submission of problem.submissions) {
    if (submission.verdict !== "AC" || submission.must_fail) continue;
    for (let column = 0; column < problem.cases.length; column++) {
      const cell = submission.base + column;
      if (run.verdict[cell] === ABSENT) continue;
      const own = { submission, column, cpu: cpuOf(run, cell), limit: submission.cpu_limit_s };
      if (!slowest || own.cpu / own.limit > slowest.cpu / slowest.limit) slowest = own;
    }
  }
  return slowest;
}
