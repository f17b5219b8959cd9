// The matrix of a problem: a row for each submission, grouped by what is expected, and a column for each case.
//
// Only what is in sight exists: row heads are elements, and so are the cells of up to 200 columns; more columns are
// drawn on a canvas. The active cell is always an element, so that assistive technology can read it.

const MOST_ELEMENTS = 200;
const ROW_HEIGHT = 24;
const WIDTHS = [4, 8, 14, 24, 56];
const SHOWN = { verdict: "verdict", cpu: "CPU time", memory: "memory", score: "score" };

class Matrix {
  /** `go` changes the address; `state` is the address. */
  constructor(run, problem, state, go) {
    Object.assign(this, { run, problem, go });
    this.shown = state.show in SHOWN && (state.show !== "score" || run.score) ? state.show : "verdict";
    const selected = select(run, problem, parseQuery(state.q ?? ""));
    this.columns = selected.columns;
    this.rows = grouped(selected.submissions);
    this.isCanvas = this.columns.length > MOST_ELEMENTS;
    this.width = this.shown === "verdict" ? 24 : 56;
    this.active = { row: this.rows.findIndex(row => row.submission), column: 0 };
    this.colours = theme();
    this.build();
  }

  build() {
    this.view = el("div", { class: "matrix-view" });
    this.canvas = this.isCanvas ? el("canvas", { "aria-hidden": "true" }) : undefined;
    this.size = el("div", { class: "matrix-size" }, this.view);
    this.grid = el("div", {
      class: "matrix", role: "grid", tabindex: "0", "aria-label": `Verdicts of ${this.problem.id}`,
      "aria-rowcount": this.rows.length + 1, "aria-colcount": this.columns.length + 1,
      "aria-describedby": "matrix-status",
      scroll: () => this.later(), keydown: event => this.key(event), click: event => this.click(event),
      mousemove: event => this.hover(event),
    }, this.size);
    this.status = el("p", { class: "status", id: "matrix-status" });
    this.node = el("section", { class: "matrix-section", "aria-labelledby": "matrix-title" },
      this.controls(), this.grid, this.status, this.legend());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.grid);
  }

  controls() {
    const figures = Object.entries(SHOWN).filter(([key]) => key !== "score" || this.run.score);
    const choose = figures.map(([key, title], index) => el("button", {
      type: "button", "aria-pressed": String(key === this.shown), title: `key ${index + 1}`, text: title,
      click: () => this.go.change({ show: key }),
    }));
    const zoom = (step, text, label) => el("button", { type: "button", "aria-label": label, text, click: () => this.zoom(step) });
    const total = this.problem.submissions.length;
    const rows = this.rows.filter(row => row.submission).length;
    return el("div", { class: "controls" },
      el("h2", { id: "matrix-title", text: this.problem.id }),
      el("div", { role: "group", "aria-label": "Figure in the cells", class: "buttons" }, choose),
      el("div", { role: "group", "aria-label": "Width of the columns", class: "buttons" },
        zoom(-1, "−", "Narrower"), zoom(1, "+", "Wider")),
      el("p", { class: "soft", text: `${rows} of ${count(total, "submission")}, ${thousands(this.columns.length)} of ${count(this.problem.cases.length, "case")}` }));
  }

  legend() {
    const present = new Set();
    for (const submission of this.problem.submissions) {
      for (const column of this.problem.cases.keys()) present.add(this.run.code(submission.base + column));
    }
    const items = this.run.verdicts.filter(([code]) => present.has(code)).map(([code, words]) =>
      el("span", {}, el("span", { class: `verdict v-${code}`, text: LETTERS[code] }), ` ${words}`));
    return el("p", { class: "legend" }, items,
      el("span", {}, el("span", { class: "verdict not-permitted v-WA", text: "W" }), " framed: not as expected"));
  }

  /** Adapts to the size of the window. The first time, the columns become as wide as fits. */
  resize() {
    const { clientWidth, clientHeight } = this.grid;
    if (clientWidth === 0) return;
    this.inner = { width: clientWidth, height: clientHeight };
    this.headWidth = Math.max(112, Math.min(320, Math.round(clientWidth * 0.36)));
    if (this.isCanvas && !this.isSized) {
      const fits = WIDTHS.filter(width => width <= this.width && width * this.columns.length <= clientWidth - this.headWidth);
      this.width = fits.at(-1) ?? Math.min(this.width, this.shown === "verdict" ? 8 : 14);
      this.isSized = true;
    }
    this.layout();
  }

  layout() {
    const longest = this.columns.reduce((most, column) => Math.max(most, lastPart(this.problem.cases[column]).length), 4);
    this.headHeight = this.width >= 14 ? Math.min(130, 30 + longest * 7) : 26;
    this.size.style.width = `${this.headWidth + this.columns.length * this.width + 2}px`;
    this.size.style.height = `${this.headHeight + this.rows.length * ROW_HEIGHT + 2}px`;
    // The window grows with its content, up to its maximum.
    this.inner = { width: this.grid.clientWidth, height: this.grid.clientHeight };
    this.view.style.width = `${this.inner.width}px`;
    this.view.style.height = `${this.inner.height}px`;
    this.draw();
  }

  zoom(step) {
    const at = WIDTHS.indexOf(this.width) + step;
    if (at < 0 || at >= WIDTHS.length) return;
    this.width = WIDTHS[at];
    this.layout();
    this.reveal();
  }

  later() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  /** The rows and columns in sight: from, and up to but without. */
  sight() {
    const { scrollLeft, scrollTop } = this.grid;
    const within = (value, most) => Math.max(0, Math.min(most, value));
    return {
      rows: [within(Math.floor(scrollTop / ROW_HEIGHT), this.rows.length),
        within(Math.ceil((scrollTop + this.inner.height - this.headHeight) / ROW_HEIGHT), this.rows.length)],
      columns: [within(Math.floor(scrollLeft / this.width), this.columns.length),
        within(Math.ceil((scrollLeft + this.inner.width - this.headWidth) / this.width), this.columns.length)],
    };
  }

  draw() {
    if (!this.inner) return;
    const sight = this.sight();
    const nodes = [this.head(sight)];
    for (let row = sight.rows[0]; row < sight.rows[1]; row++) nodes.push(this.row(row, sight));
    if (this.canvas) nodes.unshift(this.paint(sight));
    this.view.replaceChildren(...nodes);
    const active = this.view.querySelector("#active-cell");
    if (active) this.grid.setAttribute("aria-activedescendant", "active-cell");
    else this.grid.removeAttribute("aria-activedescendant");
  }

  left(column) { return this.headWidth + column * this.width - this.grid.scrollLeft; }
  top(row) { return this.headHeight + row * ROW_HEIGHT - this.grid.scrollTop; }

  /** The heads of the columns: the group above the first of its cases, and the last part of each name. */
  head(sight) {
    const node = el("div", { class: "matrix-head", role: "row", "aria-rowindex": "1" });
    node.style.height = `${this.headHeight}px`;
    node.append(place(el("div", { class: "corner", role: "columnheader", "aria-colindex": "1", text: "submission" }),
      0, 0, this.headWidth, this.headHeight));
    let group;
    for (let at = sight.columns[0]; at < sight.columns[1]; at++) {
      const name = this.problem.cases[this.columns[at]], own = groupOf(name);
      const isFirst = at === 0 || groupOf(this.problem.cases[this.columns[at - 1]]) !== own;
      if (own !== group) {
        const label = el("div", { class: `group-label${isFirst ? " first" : ""}`, "aria-hidden": "true", text: own || "cases" });
        const end = this.columns.findIndex((column, index) => index > at && groupOf(this.problem.cases[column]) !== own);
        const left = Math.max(this.left(at), this.headWidth);
        const right = this.left(end < 0 ? this.columns.length : end);
        node.append(place(label, left, 0, Math.min(right, this.inner.width) - left, 20));
        group = own;
      }
      const isActive = at === this.active.column;
      if (this.width < 14 && !isActive) continue;
      const label = el("div", {
        class: `column-label${isActive ? " active" : ""}${this.width < 14 ? " narrow" : ""}`, role: "columnheader",
        "aria-colindex": at + 2, title: name, text: lastPart(name),
      });
      node.append(place(label, this.left(at), 20, this.width, this.headHeight - 20));
    }
    return node;
  }

  row(at, sight) {
    const row = this.rows[at];
    const node = el("div", { class: "matrix-row", role: "row", "aria-rowindex": at + 2 });
    if (row.promise !== undefined) {
      const label = el("div", { class: "promise-label", role: "rowheader", "aria-colindex": "1" },
        "expected: ", el("b", { text: row.promise }), ` · ${row.number}`);
      node.append(place(label, 0, this.top(at), this.inner.width, ROW_HEIGHT));
      return node;
    }
    const { submission } = row;
    const head = el("div", { class: "row-head", role: "rowheader", "aria-colindex": "1", title: submission.name },
      badge(submission.verdict, !submission.met),
      el("a", { href: this.go.address({ submission }), tabindex: "-1", text: lastPart(submission.name) }),
      el("span", { class: submission.met ? "good" : "bad", "aria-label": submission.met ? "as expected" : "not as expected", role: "img", text: submission.met ? "✓" : "✗" }));
    node.append(place(head, 0, this.top(at), this.headWidth, ROW_HEIGHT));
    for (let column = sight.columns[0]; column < sight.columns[1]; column++) {
      const isActive = at === this.active.row && column === this.active.column;
      if (this.canvas && !isActive) continue;
      node.append(place(this.cell(submission, column, isActive), this.left(column), this.top(at), this.width, ROW_HEIGHT));
    }
    return node;
  }

  cell(submission, at, isActive) {
    const cell = submission.base + this.columns[at], code = this.run.code(cell);
    const isBad = (this.run.flags[cell] & NOT_PERMITTED) !== 0;
    const node = el("div", {
      role: "gridcell", "aria-colindex": at + 2, id: isActive && "active-cell",
      class: `cell v-${code ?? "none"}${isBad ? " not-permitted" : ""}${isActive ? " active" : ""}${this.canvas ? " over-canvas" : ""}`,
      text: this.width >= 8 ? this.text(cell, code) : "",
      "aria-label": this.describe(submission, at),
    });
    if (this.shown !== "verdict" && code) node.style.setProperty("--part", this.heat(submission, cell).toFixed(3));
    if (this.shown !== "verdict") node.classList.add("heated");
    return node;
  }

  text(cell, code) {
    if (!code) return this.width >= 14 ? "·" : "";
    // In narrow columns the many accepted cells stay plain, so that the others stand out.
    if (this.shown === "verdict") return this.width < 14 && code === "AC" ? "" : LETTERS[code];
    if (this.width < 40) return "";
    if (this.shown === "cpu") return cpuOf(this.run, cell).toFixed(3);
    if (this.shown === "memory") return (memoryOf(this.run, cell) / 1048576).toFixed(1);
    return Number.isNaN(this.run.score[cell]) ? "" : points(this.run.score[cell]);
  }

  /** The figure as a part of its limit, or of the best score. The square root tells small parts apart, too. */
  heat(submission, cell) {
    if (this.shown === "cpu") return Math.sqrt(Math.min(1, cpuOf(this.run, cell) / (submission.cpu_limit_s || 1)));
    if (this.shown === "memory") return Math.sqrt(Math.min(1, memoryOf(this.run, cell) / (submission.memory_limit || 1)));
    this.best ??= this.bestScore();
    return Math.max(0, Math.min(1, this.run.score[cell] / this.best)) || 0;
  }

  /** The best score of the problem; above zero, so that it can be divided by. */
  bestScore() {
    const { submissions, cases } = this.problem, from = submissions[0].base;
    const scores = this.run.score.subarray(from, from + submissions.length * cases.length);
    return scores.reduce((best, score) => score > best ? score : best, 1e-9);
  }

  paint(sight) {
    const { width, height } = this.inner, ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const on = this.canvas.getContext("2d");
    on.scale(ratio, ratio);
    on.font = `600 ${this.width >= 14 ? 12 : 10}px system-ui, sans-serif`;
    on.textAlign = "center";
    on.textBaseline = "middle";
    const colour = this.colours, gap = this.width >= 8 ? 1 : 0;
    for (let row = sight.rows[0]; row < sight.rows[1]; row++) {
      const { submission } = this.rows[row];
      if (!submission) continue;
      const top = this.top(row);
      for (let column = sight.columns[0]; column < sight.columns[1]; column++) {
        const cell = submission.base + this.columns[column], code = this.run.code(cell);
        const isBad = (this.run.flags[cell] & NOT_PERMITTED) !== 0, left = this.left(column);
        if (!code && gap === 0) continue;
        on.globalAlpha = this.shown === "verdict" || !code ? 1 : 0.12 + 0.88 * this.heat(submission, cell);
        on.fillStyle = colour(!code ? "none" : this.shown === "verdict" ? `${isBad ? "bold" : "pale"}-${code}` : "heat");
        on.fillRect(left, top + 1, this.width - gap, ROW_HEIGHT - 2);
        on.globalAlpha = 1;
        if (isBad) {
          on.strokeStyle = colour("ink");
          on.lineWidth = this.width >= 8 ? 2 : 1;
          on.strokeRect(left + 1, top + 2, this.width - gap - 2, ROW_HEIGHT - 4);
        }
        const text = this.width >= 8 ? this.text(cell, code) : "";
        if (text) {
          on.fillStyle = colour(isBad && this.shown === "verdict" ? "on-bold" : "ink");
          on.fillText(text, left + this.width / 2, top + ROW_HEIGHT / 2 + 1, this.width - 1);
        }
      }
    }
    return this.canvas;
  }

  describe(submission, at) {
    const cell = submission.base + this.columns[at], code = this.run.code(cell);
    const where = `${submission.name} on ${this.problem.cases[this.columns[at]]}: `;
    if (!code) return `${where}not run`;
    const flags = this.run.flags[cell];
    const notes = [flags & CONFIRMED && "confirmed by a second run", flags & IN_DOUBT && "in doubt: others disturbed it",
      flags & FLAKY && "the verdict differs between runs",
      flags & NEAR_LIMIT && "within 20 % of a time limit, on unlike machines"].filter(Boolean);
    return `${where}got ${code}, expected ${submission.expected}${flags & NOT_PERMITTED ? ", not as expected" : ""} · ` +
      `CPU ${seconds(cpuOf(this.run, cell))} of ${seconds(submission.cpu_limit_s)} · ${bytes(memoryOf(this.run, cell))}` +
      (notes.length > 0 ? ` · ${notes.join(", ")}` : "");
  }

  /** The cell at a place of the window. */
  at(event) {
    const box = this.grid.getBoundingClientRect();
    const x = event.clientX - box.left - this.headWidth + this.grid.scrollLeft;
    const y = event.clientY - box.top - this.headHeight + this.grid.scrollTop;
    const column = Math.floor(x / this.width), row = Math.floor(y / ROW_HEIGHT);
    const isHead = event.clientX - box.left < this.headWidth || event.clientY - box.top < this.headHeight;
    return !isHead && this.rows[row]?.submission && column < this.columns.length ? { row, column } : undefined;
  }

  hover(event) {
    const at = this.at(event);
    if (at) this.status.textContent = this.describe(this.rows[at.row].submission, at.column);
  }

  click(event) {
    const at = this.at(event);
    if (!at) return;
    this.active = at;
    this.open();
  }

  open() {
    const { submission } = this.rows[this.active.row] ?? {};
    const column = this.columns[this.active.column];
    if (submission && column !== undefined) this.go.to({ submission, column });
  }

  key(event) {
    if (event.ctrlKey && !["Home", "End"].includes(event.key) || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.inner.height / ROW_HEIGHT) - 4), all = event.ctrlKey;
    const [rows, columns] = [this.rows.length, this.columns.length];
    const moves = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: [-page, 0],
      PageDown: [page, 0], Home: [all ? -rows : 0, -columns], End: [all ? rows : 0, columns],
    };
    if (event.key === "Enter") this.open();
    else if (event.key === "+") this.zoom(1);
    else if (event.key === "-") this.zoom(-1);
    else if (moves[event.key]) this.move(...moves[event.key]);
    else return;
    event.preventDefault();
  }

  /** Moves the active cell; rows that only name what is expected are skipped. */
  move(rows, columns) {
    const within = (value, most) => Math.max(0, Math.min(most - 1, value));
    let row = within(this.active.row + rows, this.rows.length);
    const step = rows < 0 && row > 0 ? -1 : 1;
    while (this.rows[row] && !this.rows[row].submission && this.rows[row + step]) row += step;
    if (this.rows[row]?.submission) this.active.row = row;
    this.active.column = within(this.active.column + columns, this.columns.length);
    this.reveal();
  }

  /** Scrolls so that the active cell is in sight. */
  reveal() {
    const { row, column } = this.active, { grid } = this;
    const fit = (at, size, seen, now) => at < now ? at : at + size > now + seen ? at + size - seen : now;
    const left = fit(column * this.width, this.width, this.inner.width - this.headWidth, grid.scrollLeft);
    const above = this.rows[row - 1]?.submission ? 0 : ROW_HEIGHT;
    const top = fit(row * ROW_HEIGHT - above, ROW_HEIGHT + above, this.inner.height - this.headHeight, grid.scrollTop);
    grid.scrollTo({ left, top, behavior: "instant" });
    this.draw();
    const { submission } = this.rows[row] ?? {};
    if (submission) this.status.textContent = this.describe(submission, column);
  }

  /** Draws again in the colours of another theme. */
  recolour() {
    this.colours = theme();
    this.draw();
  }

  /** Ends the observation of the window. */
  close() { this.observer.disconnect(); }
}

/** Submissions below what is expected of them, in the order of their first submission. */
function grouped(submissions) {
  const promises = new Map();
  for (const submission of submissions) {
    if (!promises.has(submission.expected)) promises.set(submission.expected, []);
    promises.get(submission.expected).push(submission);
  }
  return [...promises].flatMap(([promise, list]) =>
    [{ promise, number: count(list.length, "submission") }, ...list.map(submission => ({ submission }))]);
}

function place(node, left, top, width, height) {
  Object.assign(node.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  return node;
}
