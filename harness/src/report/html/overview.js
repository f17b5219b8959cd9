// The overview: each problem as a picture that shows whether it is healthy. Rows are submissions below what is expected
// of them, columns are cases by group. A picture is drawn when it comes into sight.

/** The number of pictures that are drawn before the page is shown. */
const AT_ONCE = 12;

class Overview {
  constructor(run, go) {
    Object.assign(this, { run, go, colours: theme(), cards: new Map() });
    this.seen = new IntersectionObserver(entries => {
      for (const { target, isIntersecting } of entries) if (isIntersecting && this.cards.get(target).width === undefined) this.draw(this.cards.get(target));
    }, { rootMargin: "2000px" });
    this.resized = new ResizeObserver(entries => entries.forEach(({ target }) => {
      const card = this.cards.get(target);
      if (card.width !== undefined && card.width !== target.clientWidth) this.draw(card);
    }));
    this.nodes = [...run.problems.map(problem => this.card(problem)), legendOf(run)];
  }

  card(problem) {
    const title = `problem-${problem.index}`;
    const node = el("section", { class: "problem", "aria-labelledby": title },
      el("h3", { id: title }, el("a", { href: this.go.matrix(problem), text: problem.id })),
      healthOf(this.run, problem), this.worth(problem));
    const picture = el("div", { class: "picture" });
    picture.style.minHeight = `${heightOf(rowsOf(problem))}px`;
    node.append(picture);
    this.cards.set(picture, { problem, picture });
    this.seen.observe(picture);
    this.resized.observe(picture);
    return node;
  }

  worth(problem) {
    const found = worthOf(this.run, problem);
    if (found.length === 0) return "";
    const items = found.slice(0, MOST_WORTH).map(({ text, at, isBad, isInfo }) => el("li", { class: isBad ? "bad" : isInfo ? "info" : "" },
      at ? el("a", { href: this.go.address(at), text }) : text));
    const setters = writeAddress({ view: "setters", p: problem.id });
    if (found.length > MOST_WORTH) items.push(el("li", {}, el("a", { href: setters, text: `and ${thousands(found.length - MOST_WORTH)} more` })));
    return el("ul", { class: "worth", "aria-label": `To look at in ${problem.id}` }, items);
  }

  /** Draws the pictures that are in sight first, at once. */
  drawFirst() {
    for (const card of [...this.cards.values()].slice(0, AT_ONCE)) if (card.width === undefined) this.draw(card);
  }

  draw(card) {
    const width = card.picture.clientWidth;
    if (width === 0) return;
    card.width = width;
    const isWide = width >= 760, gap = 32, times = timesOf(this.run, card.problem);
    const left = !isWide || !times ? width : Math.round((width - gap) * 0.62);
    const small = new SmallMatrix(this.run, card.problem, left, this.go, this.colours);
    const strips = times && timesView(times, isWide ? width - gap - left : width, this.go);
    card.picture.replaceChildren(small.node, ...strips ? [strips] : []);
    card.picture.style.minHeight = "";
  }

  /** Draws again in the colours of another theme. */
  recolour() {
    this.colours = theme();
    for (const card of this.cards.values()) if (card.width !== undefined) this.draw(card);
  }
}

/** The state of a problem in one line. */
function healthOf(run, problem) {
  const { submissions, cases } = problem, met = submissions.filter(one => one.met).length, isGood = met === submissions.length;
  const slowest = slowestAccepted(run, problem);
  const parts = [`${met} of ${count(submissions.length, "submission")} as expected`, count(cases.length, "case")];
  if (slowest) parts.push(`slowest accepted ${seconds(slowest.cpu)} of ${points(slowest.limit)} s (${share(slowest)})`);
  return el("p", { class: "health" },
    el("span", { class: isGood ? "good" : "bad", text: isGood ? "✓ " : "✗ ", "aria-hidden": "true" }), parts.join(" · "));
}

const share = ({ cpu, limit }) => `${(100 * cpu / limit).toFixed(cpu < limit / 10 ? 1 : 0)} %`;

/** The colours of the cells, and of what is not as expected. */
function legendOf(run) {
  const present = new Set(run.verdict), known = run.verdicts.filter((_, at) => present.has(at));
  return el("p", { class: "legend" },
    known.map(([code, words]) => el("span", {}, el("span", { class: `swatch s-${code}` }), words)),
    present.has(ABSENT) && el("span", {}, el("span", { class: "swatch" }), "not run"),
    el("span", {}, el("span", { class: "swatch framed" }), "framed: not as expected"),
    el("span", { text: "Times: a dot is a case, the box is the middle half of them, the bar in it the median." }));
}
