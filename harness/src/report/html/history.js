// Benchmarks over many commits: a line for each solution and case, with intervals, and the points at which it shifted.

/** The figures of a series that are known. */
const known = series => series.points.map((point, at) => point && { at, median: point[0], lower: point[1], upper: point[2] }).filter(Boolean);

/** The table of the page, whose rows lead to the lines below it. */
function historyView(history, plain) {
  const view = plain.find(node => node.nodeType === Node.ELEMENT_NODE).cloneNode(true);
  view.querySelectorAll("tbody tr").forEach((row, at) => {
    const link = el("a", { href: `#view=history&n=${at}`, text: row.firstElementChild.textContent, click: () => scrollToSeries(at) });
    row.firstElementChild.replaceChildren(link);
  });
  view.append(...history.series.map((series, at) => chart(history, series, at)));
  return view;
}

/** Scrolls to a line. The address does not change if the same link is followed again. */
const scrollToSeries = at => document.getElementById(`series-${at}`)?.scrollIntoView();

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
  const name = `${series.submission} on ${series.problem ? `${series.problem}: ` : ""}${series.case}`;
  const changes = series.changes.map(change => history.labels[change]).join(", ");
  return el("figure", { id: `series-${at}` }, el("figcaption", { text: name }),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${name}: ${changes ? `shifted at ${changes}` : "no shift"}` }, parts));
}
