// The matrix of a problem in small: one pixel or more for each cell. The names of the submissions stand before their
// rows, and behind a wrong one the case that catches it.

/** Heights in CSS pixels: of a row with a name, of the labels above the cells, and of all rows without names. */
const LINE = 17, HEAD = 18, MOST_HEIGHT = 480;

/** From this number of rows on, they have no names. */
const DENSE_FROM = 60;

/** The gaps between the groups of cases, and the widest cell. */
const GROUP_GAP = 5, WIDEST = 14;

/** The rows of a problem. What is expected is named only if it differs. */
function rowsOf(problem) {
  const rows = grouped(problem.submissions);
  return rows.filter(row => row.promise !== undefined).length > 1 ? rows : rows.filter(row => row.submission);
}

/** The height of a row, of `rows` in all. */
const rowHeight = rows => rows.length < DENSE_FROM ? LINE : Math.max(1, Math.min(LINE, Math.floor(MOST_HEIGHT / rows.length)));

const heightOf = rows => HEAD + rows.length * rowHeight(rows);

/** The matrix of a problem in small: one pixel or more for each cell. */
class SmallMatrix {
  constructor(run, problem, width, go, colours) {
    Object.assign(this, { run, problem, go, colours, rows: rowsOf(problem) });
    this.height = rowHeight(this.rows);
    this.isNamed = this.height === LINE;
    const hasNotes = this.isNamed && width >= 560 && problem.submissions.some(one => one.must_fail);
    this.nameWidth = Math.round(Math.max(90, Math.min(170, width * 0.27)));
    this.noteWidth = hasNotes ? Math.round(Math.min(160, width * 0.22)) : 0;
    this.width = width - this.nameWidth - this.noteWidth - (hasNotes ? 10 : 0);
    this.places = placesOf(problem.cases, this.width);
    this.node = el("div", { class: "small-matrix" });
    Object.assign(this.node.style, { width: `${width}px`, height: `${heightOf(this.rows)}px` });
    this.node.append(...this.groups(), ...this.names(), this.canvas());
  }

  top(row) { return HEAD + row * this.height; }

  /** The names of the groups of cases, as far as they have room. */
  groups() {
    return this.places.groups.map(group => ({ ...group, text: shortGroup(group, this.places.groups) }))
      .filter(({ text, from, to }) => text !== "" && to - from >= Math.min(44, 7 * text.length + 4))
      .map(({ text, name, from, to }) => place(el("span", { class: "small-label", title: name, text }), this.nameWidth + from, 0, to - from - 4, HEAD));
  }

  names() {
    return this.rows.flatMap((row, at) => {
      if (row.promise !== undefined) {
        return [place(el("span", { class: "small-label", text: row.promise }), 0, this.top(at),
          this.isNamed ? this.nameWidth + this.width : this.nameWidth - 8, LINE)];
      }
      if (!this.isNamed) return [];
      const { submission } = row;
      const name = el("a", { class: submission.met ? "row-name" : "row-name bad", href: this.go.address({ submission }), title: submission.name,
        text: `${submission.met ? "" : "✗ "}${lastPart(submission.name)}` });
      const note = this.noteWidth > 0 && this.note(submission);
      return [place(name, 0, this.top(at), this.nameWidth - 8, LINE),
        note && place(note, this.nameWidth + this.width + 10, this.top(at), this.noteWidth, LINE)].filter(Boolean);
    });
  }

  /** What catches a wrong submission. */
  note(submission) {
    if (!submission.must_fail) return undefined;
    const columns = catchesOf(this.run, submission), [first] = columns;
    if (first === undefined) {
      return submission.verdict === "CE" ? undefined : el("span", { class: "row-note bad", text: "not caught" });
    }
    const more = columns.length > 1 ? ` +${thousands(columns.length - 1)}` : "", name = this.problem.cases[first];
    return el("span", { class: "row-note" }, "← ",
      el("a", { tabindex: "-1", href: this.go.address({ submission, column: first }), title: `caught by ${name}${more}`, text: name.replace(/^secret\//, "") }), more);
  }

  canvas() {
    const ratio = devicePixelRatio || 1, { width } = this, height = this.rows.length * this.height;
    const node = el("canvas", { role: "img", "aria-label": describeSmall(this.problem), click: event => this.open(event),
      mousemove: event => { node.title = this.describe(event); } });
    node.width = Math.round(width * ratio);
    node.height = Math.round(height * ratio);
    this.paint(node.getContext("2d"), node.width, node.height, ratio);
    return place(node, this.nameWidth, HEAD, width, height);
  }

  /** Writes pixels: a hundred thousand cells cost a few milliseconds. */
  paint(on, width, height, ratio) {
    const image = on.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
    const palette = paletteOf(this.run, this.colours), line = new Uint32Array(width), frame = packed(this.colours("ink"), 1);
    const columns = pixelsOf(this.places, this.problem.cases.length, width, ratio), inset = this.height >= 10 ? 1 : 0;
    this.rows.forEach(({ submission }, row) => {
      if (!submission) return;
      const from = Math.round(row * this.height * ratio) + inset, to = Math.min(height, Math.round((row + 1) * this.height * ratio) - inset);
      const framed = fill(line, columns, this.run, submission.base, palette);
      for (let y = from; y < to; y++) pixels.set(line, y * width);
      if (to - from < 6) return;
      for (const [left, right] of framed) border(pixels, width, [left, right, from, to], frame);
    });
    on.putImageData(image, 0, 0);
  }

  /** The submission and the column at a place. */
  at(event) {
    const row = this.rows[Math.floor(event.offsetY / this.height)];
    const column = columnAt(this.places, this.problem.cases.length, event.offsetX);
    return row?.submission && column !== undefined ? { submission: row.submission, column } : undefined;
  }

  open(event) {
    const at = this.at(event);
    if (at) this.go.to(at);
  }

  describe(event) {
    const at = this.at(event);
    if (!at) return "";
    const cell = at.submission.base + at.column, code = this.run.code(cell);
    return `${lastPart(at.submission.name)} on ${this.problem.cases[at.column]}: ${code ? `${code}, ${seconds(cpuOf(this.run, cell))}` : "not run"}`;
  }
}

/** What the small matrix shows, in words. */
const describeSmall = problem =>
  `${problem.id}: ${count(problem.submissions.length, "submission")} on ${count(problem.cases.length, "case")}. The matrix has the same cells for the keyboard.`;

/** The part of a group's name that tells it from the others. */
function shortGroup(group, groups) {
  const isUnique = name => groups.filter(other => lastPart(other.name) === name).length === 1;
  const last = lastPart(group.name);
  return isUnique(last) ? last : group.name;
}

/** Where the columns and the groups of cases are: with gaps if there is room for cells of 3 pixels. */
function placesOf(cases, width) {
  const groups = [];
  cases.forEach((name, column) => {
    const own = groupOf(name);
    if (groups.at(-1)?.name !== own) groups.push({ name: own, first: column });
    groups.at(-1).last = column;
  });
  const free = width - GROUP_GAP * (groups.length - 1);
  const isGapped = free >= 3 * cases.length;
  const size = isGapped ? Math.min(WIDEST, Math.floor(free / cases.length)) : width / Math.max(1, cases.length);
  groups.forEach((group, at) => {
    const shift = isGapped ? at * GROUP_GAP : 0;
    group.from = group.first * size + shift;
    group.to = (group.last + 1) * size + shift;
  });
  // A label may reach over the empty space to its right.
  groups.forEach((group, at) => { group.to = groups[at + 1]?.from ?? Math.max(group.to, Math.min(width, group.from + 90)); });
  return { groups, size, isGapped };
}

/** The columns from, and up to but without, of each device pixel; none in a gap. */
function pixelsOf({ groups, size, isGapped }, cases, width, ratio) {
  const pixels = new Array(width);
  if (!isGapped) {
    for (let x = 0; x < width; x++) pixels[x] = [Math.floor(x * cases / width), Math.max(Math.floor(x * cases / width) + 1, Math.floor((x + 1) * cases / width))];
    return pixels;
  }
  const gap = size >= 4 ? 1 : 0;
  groups.forEach((group, at) => {
    for (let column = group.first; column <= group.last; column++) {
      const left = column * size + at * GROUP_GAP;
      for (let x = Math.round(left * ratio); x < Math.round((left + size - gap) * ratio); x++) pixels[x] = [column, column + 1];
    }
  });
  return pixels;
}

/** The column at a place in CSS pixels. */
function columnAt({ groups, size, isGapped }, cases, x) {
  if (!isGapped) return x < 0 || x / size >= cases ? undefined : Math.floor(x / size);
  for (const [at, group] of groups.entries()) {
    const column = Math.floor((x - at * GROUP_GAP) / size);
    if (column >= group.first && column <= group.last) return column;
  }
  return undefined;
}

/** A colour `#rrggbb` as a pixel, mixed with another one. */
function packed(colour, part, other = colour) {
  const channel = at => Math.round(part * parseInt(colour.slice(at, at + 2), 16) + (1 - part) * parseInt(other.slice(at, at + 2), 16));
  return (255 << 24 | channel(5) << 16 | channel(3) << 8 | channel(1)) >>> 0;
}

/** For each verdict its pixel as expected and not, and what wins where several cases share a pixel. */
function paletteOf(run, colours) {
  const none = { usual: packed(colours("none"), 1), bad: 0, rank: 0 };
  const of = run.verdicts.map(([code]) => ({
    usual: code === "AC" ? packed(colours("pale-AC"), 1) : packed(colours(`bold-${code}`), 0.5, colours(`pale-${code}`)),
    bad: packed(colours(`bold-${code}`), 1),
    rank: code === "AC" || code === "RAN" ? 1 : 2,
  }));
  return { none, of };
}

/** Fills the pixels of a row. Returns where the cells are that are not as expected. */
function fill(line, columns, run, base, { none, of }) {
  const framed = [];
  let last;
  for (let x = 0; x < line.length; x++) {
    const range = columns[x];
    if (!range) {
      line[x] = 0;
      continue;
    }
    let best = none.usual, rank = -1;
    for (let column = range[0]; column < range[1]; column++) {
      const cell = base + column, isBad = (run.flags[cell] & NOT_PERMITTED) !== 0;
      const own = run.verdict[cell] === ABSENT ? none : of[run.verdict[cell]], ownRank = isBad ? 3 : own.rank;
      if (ownRank > rank) [best, rank] = [isBad ? own.bad : own.usual, ownRank];
    }
    line[x] = best;
    if (rank < 3) last = undefined;
    else if (last === range[0]) framed.at(-1)[1] = x + 1;
    else {
      framed.push([x, x + 1]);
      last = range[0];
    }
  }
  return framed;
}

/** Draws the border of a rectangle that is wide enough for one. */
function border(pixels, width, [left, right, top, bottom], colour) {
  if (right - left < 5) return;
  for (let x = left; x < right; x++) {
    pixels[top * width + x] = colour;
    pixels[(bottom - 1) * width + x] = colour;
  }
  for (let y = top; y < bottom; y++) {
    pixels[y * width + left] = colour;
    pixels[y * width + right - 1] = colour;
  }
}
