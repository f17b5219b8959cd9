// Benchmarks over many commits: a line for each solution and case, with intervals, and the points at which it shifted.

/** The figures of a series that are known. */
const known = series => series.points.map((point, at) => point && { at, median: point[0], lower: point[1], upper: point[2] }).filter(Boolean);

/** The change of a series from its first segment to its last, as a ratio. */
function moved(series) {
  const points = known(series);
  if (points.length === 0) return 1;
  const edges = [0, ...series.changes, series.points.length];
  const level = (from, to) => median(points.filter(({ at }) => at >= from && at < to).map(point => point.median));
  return level(edges.at(-2), edges.at(-1)) / level(edges[0], edges[1]) || 1;
}

/** `+12.5 %`; no sign if nothing changed. */
function percentage(ratio) {
  const shown = (100 * Math.abs(ratio - 1)).toFixed(1);
  return `${shown === "0.0" ? "" : ratio > 1 ? "+" : "−"}${shown} %`;
}

function historyView(history) {
  const ranked = history.series.map(series => ({ series, ratio: moved(series) }))
    .sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
  const rows = ranked.map(({ series, ratio }, at) => [
    el("a", { href: `#view=history&n=${at}`, text: series.case }),
    series.submission, percentage(ratio),
    series.changes.map(change => history.labels[change]).join(", ") || "none",
  ]);
  return el("section", { class: "history" },
    el("h2", { text: `History of ${count(history.labels.length, "benchmark")}` }),
    el("p", { class: "soft", text: "A change point is where a series shifted for good and not by noise: E-divisive (Matteson and James 2014), p ≤ 0.01." }),
    table("What moved most", ["case", "submission", "change", "since"].map((title, at) => ({ title, number: at === 2 })), rows),
    conditions(history),
    ranked.map(({ series }, at) => chart(history, series, at)));
}

/** The changes of compilers and the like, which may explain a shift. */
function conditions(history) {
  if (!history.conditions?.length) return "";
  const items = history.conditions.map(([at, text]) => el("li", { text: `${history.labels[at]}: ${text}` }));
  return el("section", {}, el("h3", { text: "Changed conditions" }), el("ul", {}, items));
}

/** A value in the unit of the history. */
const figure = (value, unit) => unit === "s" ? seconds(value) : unit === "bytes" ? bytes(value) : thousands(Math.round(value));

function chart(history, series, at) {
  const width = 720, height = 150, left = 8, top = 10, points = known(series);
  const most = Math.max(...points.map(point => point.upper ?? point.median)) || 1;
  const x = index => left + (width - 2 * left) * (history.labels.length === 1 ? 0.5 : index / (history.labels.length - 1));
  const y = value => height - 20 - (height - 30) * value / most;
  const band = points.filter(point => point.lower !== null);
  const parts = [
    svg("polygon", { class: "band", points: [...band.map(p => `${x(p.at)},${y(p.upper)}`), ...band.map(p => `${x(p.at)},${y(p.lower)}`).reverse()].join(" ") }),
    svg("polyline", { class: "line", points: points.map(p => `${x(p.at)},${y(p.median)}`).join(" ") }),
    points.map(p => svg("circle", { class: "point", cx: x(p.at), cy: y(p.median), r: 3 },
      svg("title", { text: `${history.labels[p.at]}: ${figure(p.median, history.unit)}` }))),
    series.changes.map(change => svg("line", { class: "change", x1: x(change - 0.5), x2: x(change - 0.5), y1: top, y2: height - 20 })),
    svg("text", { x: left, y: height - 4, text: history.labels[0] }),
    svg("text", { x: width - left, y: height - 4, "text-anchor": "end", text: history.labels.at(-1) }),
    svg("text", { x: left, y: top + 2, text: figure(most, history.unit) }),
  ].flat();
  const name = `${series.submission} on ${series.case}`;
  const changes = series.changes.map(change => history.labels[change]).join(", ");
  return el("figure", { id: `series-${at}` }, el("figcaption", { text: name }),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${name}: ${changes ? `shifted at ${changes}` : "no shift"}` }, parts));
}
