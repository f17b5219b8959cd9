// Elements, figures and names that all views share. Foreign text only ever becomes the text of an element.

/** An element with attributes; functions become handlers, `text` its text. Absent children are skipped. */
function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else if (name === "text") node.textContent = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter(child => child !== undefined && child !== null && child !== false));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, properties = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "text") node.textContent = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.flat());
  return node;
}

/** Seconds to the millisecond. */
const seconds = value => `${value.toFixed(3)} s`;

/** Bytes in the largest unit that leaves at least one. */
function bytes(value) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (value >= 1024 && unit + 1 < units.length) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** A number with commas between the thousands. */
const thousands = value => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** `1 case`, `1,204 cases`. */
const count = (value, noun) => `${thousands(value)} ${noun}${value === 1 ? "" : "s"}`;

/** The number without needless zeros. */
const points = value => String(Math.round(value * 1e6) / 1e6);

/** A word, quoted for a shell if necessary. */
const quoted = word => /^[A-Za-z0-9/._\-+=:@%]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The last part of a path. */
const lastPart = path => path.slice(path.lastIndexOf("/") + 1);

/** The letter of a verdict in a cell. */
const LETTERS = {
  AC: "A", RAN: "r", WA: "W", RTE: "R", OLE: "O", TLE: "T", MLE: "M", CE: "C", JE: "J", SKIP: "s",
};

/** A verdict as a coloured badge. */
const badge = (code, isBad) => el("span", { class: `verdict v-${code}${isBad ? " not-permitted" : ""}`, text: code });

/** A table; each column has a title and perhaps `number`. A cell is a node or a text. */
function table(caption, columns, rows) {
  const cell = (value, index) => el(index === 0 ? "th" : "td",
    { class: columns[index].number && "number", scope: index === 0 && "row" }, value ?? "");
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {},
      el("thead", {}, el("tr", {}, columns.map(column =>
        el("th", { scope: "col", class: column.number && "number", text: column.title })))),
      el("tbody", {}, rows.map(row => el("tr", {}, row.map(cell))))));
}

/** The most items of a list or rows of a table that are shown. */
const MOST_LISTED = 1000;

/** What stands for the items that are not shown; nothing if all are. */
const omitted = items => items.length > MOST_LISTED && el("p", { class: "soft", text: `… and ${thousands(items.length - MOST_LISTED)} more` });

/** The colours of the current theme. */
function theme() {
  const style = getComputedStyle(document.documentElement);
  const known = new Map();
  return name => {
    if (!known.has(name)) known.set(name, style.getPropertyValue(`--${name}`).trim());
    return known.get(name);
  };
}
