// The page as a whole: its address, its views, its keys.

/** The place that an address names. */
function readAddress(hash) {
  const state = Object.fromEntries(new URLSearchParams(hash.replace(/^#/, "")));
  state.view ??= state.s !== undefined ? "cell" : state.p !== undefined ? "matrix" : "overview";
  return state;
}

/** The address of a place; slashes stay readable. */
function writeAddress(state) {
  const { view, ...rest } = state;
  const isImplied = view === undefined || readAddress(new URLSearchParams(rest).toString()).view === view;
  const all = isImplied ? rest : { view, ...rest };
  const pairs = Object.entries(all).filter(([, value]) => value !== undefined && value !== "");
  return `#${pairs.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%2F", "/")}`).join("&")}`;
}

class Page {
  constructor(run, old, history) {
    Object.assign(this, { run, old, history });
    document.documentElement.classList.add("scripted");
    this.main = document.getElementById("main");
    this.plain = [...this.main.childNodes];
    this.state = this.place();
    this.navigation = el("nav", { class: "views", "aria-label": "Views" });
    this.search = this.makeSearch();
    if (run.problems.length === 0) this.search.hidden = true;
    document.getElementById("top").append(this.navigation, this.search, this.themeButton());
    addEventListener("hashchange", () => this.show());
    addEventListener("keydown", event => this.key(event));
    addEventListener("beforeprint", () => this.beforePrint());
    addEventListener("afterprint", () => this.afterPrint());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    this.go = {
      to: place => { location.hash = this.address(place); },
      change: change => { location.hash = writeAddress({ ...this.state, ...change }); },
      address: place => this.address(place),
      matrix: problem => writeAddress({ p: problem.id, q: this.state.q, show: this.state.show }),
    };
    this.show();
  }

  /** The place that the address names. A page of a history has no overview. */
  place() {
    const state = readAddress(location.hash);
    return this.history && state.view === "overview" ? { ...state, view: "history" } : state;
  }

  address({ submission, column }) {
    const { q, show } = this.state;
    return writeAddress({ p: submission.of.id, s: submission.name, c: column === undefined ? undefined : submission.of.cases[column], q, show });
  }

  makeSearch() {
    const help = el("datalist", { id: "search-words" }, QUERY_WORDS.map(([word, what]) => el("option", { value: word, text: what })));
    const input = el("input", {
      type: "search", placeholder: "v:WA lang:py case:big* failed:", "aria-label": "Search submissions, cases and runs",
      autocomplete: "off", spellcheck: "false", "aria-keyshortcuts": "/",
      title: QUERY_WORDS.map(([word, what]) => `${word}  ${what}`).join("\n"),
      input: () => {
        clearTimeout(this.typing);
        this.typing = setTimeout(() => this.searchFor(input.value), 120);
      },
    });
    this.input = input;
    return el("form", { class: "search", role: "search", submit: event => {
      event.preventDefault();
      this.searchFor(input.value);
    } }, input, help);
  }

  searchFor(text) {
    const problem = this.problem() ?? this.run.problems[0];
    const isList = ["matrix", "setters"].includes(this.state.view);
    this.state = { ...(isList ? this.state : {}), view: "matrix", p: problem?.id, q: text };
    history.replaceState(null, "", writeAddress(this.state));
    this.show();
  }

  themeButton() {
    const button = el("button", { type: "button", class: "theme", "aria-label": "Change between light and dark", text: "◐", click: () => {
      const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
      const now = root.dataset.theme ?? (dark ? "dark" : "light");
      root.dataset.theme = now === "dark" ? "light" : "dark";
      this.recolour();
    } });
    return button;
  }

  recolour() {
    this.matrix?.recolour();
    this.overview?.recolour();
  }

  problem() { return this.run.problems.find(problem => problem.id === this.state.p); }

  /** Shows the place that the address names. */
  async show() {
    this.state = this.place();
    const turn = this.turn = (this.turn ?? 0) + 1;
    const nodes = await this.nodes();
    if (turn !== this.turn) return;
    this.main.replaceChildren(...nodes);
    if (document.activeElement !== this.input) this.input.value = this.state.q ?? "";
    this.navigate();
    if (this.state.n !== undefined) scrollToSeries(this.state.n);
    this.matrix?.resize();
    if (nodes === this.plain) this.overview?.drawFirst();
    if (this.matrix && document.activeElement !== this.input && this.isShown) this.matrix.grid.focus({ preventScroll: true });
    else if (this.state.view === "cell") this.main.focus({ preventScroll: true });
    if (this.state.view === "cell") scrollTo({ top: 0, behavior: "instant" });
    this.isShown = true;
  }

  async nodes() {
    this.matrix?.close();
    this.matrix = undefined;
    const { view } = this.state, problem = this.problem();
    const unknown = parseQuery(this.state.q ?? "").unknown;
    const hint = unknown.length > 0 ? [el("p", { class: "note", role: "alert", text: `Unknown in the search: ${unknown.join(" ")}` })] : [];
    if (view === "matrix" && problem) {
      this.matrix = new Matrix(this.run, problem, this.state, this.go);
      return [...hint, this.matrix.node];
    }
    if (view === "setters" && problem) return [settersView(this.run, problem, this.go)];
    if (view === "compare" && this.old) return [compareView(this.old, this.run, this.go)];
    if (view === "history" && this.history) return [historyView(this.history, this.plain)];
    if (view === "cell" && problem) {
      const submission = problem.submissions.find(one => one.name === this.state.s);
      const column = this.state.c === undefined ? undefined : problem.cases.indexOf(this.state.c);
      if (submission && column !== -1) return [await failureView(this.run, submission, column, this.go)];
    }
    if (view !== "overview") return [el("p", { class: "note", role: "alert", text: "This page has no such place." }), ...this.plain];
    this.picture();
    return this.plain;
  }

  /** Fills the overview with the pictures of the problems, once. */
  picture() {
    const frame = this.overview ? undefined : this.plain.map(node => node.querySelector?.("#pictures")).find(Boolean);
    if (!frame) return;
    this.overview = new Overview(this.run, this.go);
    frame.replaceChildren(...this.overview.nodes);
  }

  navigate() {
    const { view } = this.state, problem = this.problem() ?? this.run.problems[0];
    const link = (to, text, state) => el("a", { href: writeAddress(state), "aria-current": view === to && "page", text });
    const choose = this.run.problems.length > 1 && ["matrix", "setters", "cell"].includes(view) && el("select", {
      "aria-label": "Problem", change: event => this.go.change({ view: view === "cell" ? "matrix" : view, p: event.target.value, s: undefined, c: undefined }),
    }, this.run.problems.map(one => el("option", { value: one.id, selected: one === problem, text: one.id })));
    const first = (this.run.failures ??= failuresOf(this.run))[0];
    this.navigation.replaceChildren(...[
      !this.history && link("overview", "Overview", { view: "overview" }),
      problem && link("matrix", "Matrix", { p: problem.id, q: this.state.q, show: this.state.show }),
      problem && link("setters", "For setters", { view: "setters", p: problem.id }),
      first && el("a", { href: this.address(first), "aria-current": view === "cell" && "page", text: `Failures (${thousands(this.run.failures.length)})` }),
      this.old && link("compare", "Compared", { view: "compare" }),
      this.history && link("history", "History", { view: "history" }),
      choose,
    ].filter(Boolean));
    this.navigation.hidden = this.navigation.childElementCount < 2;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (document.activeElement === this.input) this.matrix?.grid.focus();
      else if (this.state.view === "cell" && this.problem()) location.hash = this.go.matrix(this.problem());
      return;
    }
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const figures = Object.keys(SHOWN);
    const keys = {
      "/": () => this.input.focus(), n: () => this.step(1), p: () => this.step(-1), o: () => { location.hash = "#view=overview"; },
      m: () => { if (this.run.problems[0]) location.hash = this.go.matrix(this.problem() ?? this.run.problems[0]); },
    };
    figures.forEach((key, at) => { keys[at + 1] = () => this.matrix && this.go.change({ show: key }); });
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** Paper gets everything that is folded, and instead of the matrix, of which only a part exists, the overview. */
  beforePrint() {
    this.printed ??= { nodes: [...this.main.childNodes], folded: undefined };
    if (this.state.view === "matrix") this.main.replaceChildren(...this.plain);
    this.printed.folded ??= [...document.querySelectorAll("details:not([open])")];
    for (const node of this.printed.folded) {
      node.open = true;
      // The browser sends this event only after it has printed.
      node.dispatchEvent(new Event("toggle"));
    }
  }

  afterPrint() {
    if (!this.printed) return;
    for (const node of this.printed.folded) node.open = false;
    this.main.replaceChildren(...this.printed.nodes);
    this.printed = undefined;
  }

  /** Goes to the next or the previous failure; from elsewhere, to the first. */
  step(by) {
    const problem = this.problem();
    const submission = this.state.view === "cell" ? problem?.submissions.find(one => one.name === this.state.s) : undefined;
    const to = submission
      ? neighbour(this.run, submission, this.state.c === undefined ? undefined : problem.cases.indexOf(this.state.c), by)
      : failuresOf(this.run)[0];
    if (to) this.go.to(to);
  }
}

/** Shows the times of the page in the time zone of the reader. */
function localTimes() {
  for (const node of document.querySelectorAll("time")) {
    const date = new Date(node.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    node.textContent = date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    node.title = node.dateTime;
  }
}

async function start() {
  localTimes();
  const [index, old, series] = await Promise.all(["index", "old", "history"].map(take));
  const text = data => JSON.parse(new TextDecoder().decode(data));
  const none = { problems: [], submissions: [] };
  globalThis.rejudgePage = new Page(index ? parse(index) : none, old && parse(old), series && text(series));
}

if (typeof document !== "undefined") {
  start().catch(error => {
    document.getElementById("main").prepend(el("p", { class: "note", role: "alert", text: `The data cannot be shown: ${error.message}` }));
  });
}
