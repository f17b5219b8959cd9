// A submission on a case: everything that explains the verdict.

/** The page of a cell, or of a submission as a whole if there is no column. */
async function failureView(run, submission, column, go) {
  const details = await detailsOf(submission);
  const of = details.cases[column] ?? {};
  const view = el("article", { class: "cell-page", "aria-labelledby": "cell-title" });
  const name = column === undefined ? "the submission as a whole" : submission.of.cases[column];
  view.append(steps(run, submission, column, go),
    el("h2", { id: "cell-title" }, el("span", { class: "path", text: submission.name }), " on ",
      el("span", { class: "path", text: name })));
  if (column === undefined) {
    view.append(three(submission.expected, submission.verdict, submission.met, run));
    view.append(reasons(submission.not_judged ?? submission.complaint), block("Compiler", details.build));
    return view;
  }
  const cell = submission.base + column;
  const isPermitted = (run.flags[cell] & NOT_PERMITTED) === 0;
  if (run.verdict[cell] === ABSENT) {
    view.append(el("p", { text: "This case was not run." }));
    return view;
  }
  view.append(three(submission.expected, run.code(cell), isPermitted, run), reasons(of.reason),
    figures(run, submission, cell, of), notes(of));
  view.append(command(rerun(run, submission, column)));
  view.append(heads(submission.of, column, of), await drawings(submission, column), difference(of.diff),
    transcript(of.transcript), block("End of standard error", of.stderr));
  return view;
}

/** What was expected, what it got, and whether that is as expected: never one of these for another. */
function three(expected, got, isAsExpected, run) {
  return el("dl", { class: "three" },
    el("div", {}, el("dt", { text: "expected" }), el("dd", { text: expected })),
    el("div", {}, el("dt", { text: "got" }), el("dd", {}, badge(got, !isAsExpected), ` ${run.words(got)}`)),
    el("div", { class: isAsExpected ? "good" : "bad" }, el("dt", { text: "as expected" }),
      el("dd", { text: isAsExpected ? "✓ yes" : "✗ no" })));
}

const reasons = text => text ? el("pre", { class: "reason", text }) : "";

function figures(run, submission, cell, of) {
  const bar = (title, value, limit, show) => el("div", { class: "figure" },
    el("span", { text: title }),
    el("meter", { min: 0, max: limit || 1, value: Math.min(value, limit || 1), "aria-label": title }),
    el("span", { class: "number", text: limit ? `${show(value)} of ${show(limit)}` : show(value) }));
  const score = run.score && !Number.isNaN(run.score[cell]) ? ` · score ${points(run.score[cell])}` : "";
  const extra = [of.exit, of.output_bytes !== undefined && `${bytes(of.output_bytes)} of output`];
  return el("div", { class: "figures" },
    bar("CPU time", cpuOf(run, cell), submission.cpu_limit_s, seconds),
    bar("wall time", wallOf(run, cell), submission.wall_limit_s, seconds),
    bar("memory", memoryOf(run, cell), submission.memory_limit, bytes),
    el("p", { class: "soft", text: extra.filter(Boolean).join(" · ") + score }));
}

function notes(of) {
  const list = [of.confirmation, of.disturbance];
  if (of.repeats) {
    const [least, median, most] = of.repeats.cpu_s.map(seconds);
    list.push(`${of.repeats.verdicts.length} runs: ${of.repeats.verdicts.join(" ")}; CPU ${least}, median ${median}, ${most}`);
  }
  const shown = list.filter(Boolean).map(text => el("li", { text }));
  return shown.length > 0 ? el("ul", { class: "notes" }, shown) : "";
}

function command(text) {
  const button = el("button", { type: "button", text: "Copy", click: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
    }
  } });
  const code = el("code", { text });
  return el("div", { class: "command" }, el("span", { class: "soft", text: "run again" }), code, button);
}

/** Input, output and answer next to each other. */
function heads(problem, column, of) {
  const paths = { input: pathOf(problem.inputs, problem, column), answer: pathOf(problem.answers, problem, column) };
  const shown = ["input", "output", "answer"].filter(what => of[what] || paths[what]).map(what => {
    const head = of[what];
    const size = head ? ` · ${bytes(head.bytes)}${head.cut ? ", first lines" : ""}` : "";
    return el("section", {},
      el("h3", { text: what[0].toUpperCase() + what.slice(1) }, el("span", { class: "soft", text: size })),
      paths[what] && el("p", { class: "soft path", text: paths[what] }),
      head && preformatted(what, head.text || "(empty)"));
  });
  return el("div", { class: "heads" }, shown);
}

const preformatted = (label, text) => el("pre", { tabindex: "0", role: "region", "aria-label": label, text });

const block = (title, text) => text ? el("section", {}, el("h3", { text: title }), preformatted(title, text)) : "";

/** The difference: runs of text, each with the side that it comes from, in the colours of the terminal. */
function difference(runs) {
  if (!runs?.length) return "";
  const parts = runs.map(([side, text]) => side === "" ? text : el(side.endsWith("m") ? "mark" : "span", { class: side[0] === "e" ? "is-expected" : "is-got", text }));
  return el("section", {}, el("h3", { text: "Difference" }),
    el("pre", { class: "difference", tabindex: "0", role: "region", "aria-label": "Difference" }, parts));
}

/** A transcript in two columns: each line is a note, or the time, program and text of a message. */
function transcript(lines) {
  if (!lines?.length) return "";
  const rows = lines.map(line => {
    if (typeof line === "string") return el("tr", {}, el("td", { colspan: "3", class: "soft", text: line }));
    const [time, from, said] = line, own = el("td", {}, el("code", { text: said })), other = el("td", {});
    return el("tr", {}, el("td", { class: "number", text: seconds(time) }), from === "solution" ? [own, other] : [other, own]);
  });
  const titles = ["time", "solution", "interactor"].map(title => el("th", { scope: "col", text: title }));
  return el("section", {}, el("h3", { text: "Transcript" }),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Transcript" },
      el("table", { class: "transcript" }, el("thead", {}, el("tr", {}, titles)), el("tbody", {}, rows))));
}

/** The drawings of output and answer next to each other, with one slider over their steps. */
async function drawings(submission, column) {
  submission.drawn ??= new Map();
  if (!submission.drawn.has(column)) submission.drawn.set(column, take(`drawing-${submission.index}-${column}`));
  const data = await submission.drawn.get(column);
  if (!data) return "";
  const drawn = JSON.parse(new TextDecoder().decode(data));
  const sides = ["output", "answer"].filter(side => drawn[side].length > 0);
  const most = Math.max(...sides.map(side => drawn[side].length));
  const images = sides.map(side => el("img", { alt: "" }));
  const shown = el("output", {});
  const slider = el("input", { type: "range", min: 1, max: most, value: 1, "aria-label": "Step of the drawings", input: () => show(slider.value - 1) });
  const show = step => {
    slider.value = step + 1;
    shown.textContent = `${step + 1} / ${most}`;
    sides.forEach((side, at) => {
      // The shorter one stays at its last step.
      const own = Math.min(step, drawn[side].length - 1);
      images[at].src = drawn[side][own];
      images[at].alt = `${side}, step ${own + 1} of ${drawn[side].length}`;
    });
  };
  let timer;
  const play = el("button", { type: "button", text: "Play", click: () => {
    if (timer) return pause();
    if (Number(slider.value) === most) show(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      if (!play.isConnected || Number(slider.value) === most) return pause();
      show(Number(slider.value));
    }, 400);
  } });
  const pause = () => {
    timer = clearInterval(timer);
    play.textContent = "Play";
  };
  show(0);
  return el("section", { class: "drawings" }, el("h3", { text: "Drawings" }),
    el("div", { class: "sides" }, sides.map((side, at) => el("figure", {},
      el("figcaption", { text: `${side}, ${count(drawn[side].length, "step")}` }), images[at]))),
    most > 1 && el("div", { class: "player" }, play, slider, shown));
}

/** The place of the failure that follows, or precedes, this cell in the order of the report. */
function neighbour(run, submission, column, step) {
  const failures = run.failures ??= failuresOf(run);
  const order = (a, b) => a.submission.of.index - b.submission.of.index
    || a.submission.index - b.submission.index || (a.column ?? -1) - (b.column ?? -1);
  const here = { submission, column };
  return step > 0 ? failures.find(other => order(other, here) > 0) : failures.findLast(other => order(other, here) < 0);
}

function steps(run, submission, column, go) {
  const link = (step, text, key) => {
    const to = neighbour(run, submission, column, step);
    return to
      ? el("a", { class: "step", href: go.address(to), "aria-keyshortcuts": key, text })
      : el("span", { class: "step soft", text });
  };
  return el("nav", { class: "steps", "aria-label": "Failures" },
    el("a", { class: "step", href: go.matrix(submission.of), text: "⌂ matrix" }),
    link(-1, "← previous failure (p)", "p"), link(1, "next failure (n) →", "n"));
}
