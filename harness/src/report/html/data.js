// Reads the data of the page. The module `index` of rejudge writes it, and describes its form.

/** The bits of a cell's flags. */
const NOT_PERMITTED = 1, CONFIRMED = 2, IN_DOUBT = 4, FLAKY = 8, HAS_DETAILS = 16, NEAR_LIMIT = 32;

/** The verdict of a case that was not run. */
const ABSENT = 255;

function decode(text) {
  const binary = atob(text);
  const data = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) data[at] = binary.charCodeAt(at);
  return data;
}

async function inflate(data) {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The data of the element with this id, which is then removed; nothing if there is none. */
async function take(id) {
  const node = document.getElementById(id);
  if (!node) return undefined;
  const data = await inflate(decode(node.textContent));
  node.remove();
  return data;
}

/** A figure whose bytes are in three columns. */
function wide(data, at, cells) {
  const figures = new Uint32Array(cells);
  for (let cell = 0; cell < cells; cell++) {
    figures[cell] = data[at + cell] | data[at + cells + cell] << 8 | data[at + 2 * cells + cell] << 16;
  }
  return figures;
}

/** The run in an index. */
function parse(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const length = view.getUint32(0, true);
  const run = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  let cells = 0;
  run.submissions.forEach((submission, index) => { submission.index = index; });
  run.problems.forEach((problem, index) => {
    problem.index = index;
    problem.submissions = problem.rows.map(row => run.submissions[row]);
    for (const submission of problem.submissions) {
      submission.of = problem;
      submission.base = cells;
      cells += problem.cases.length;
    }
  });
  const at = 4 + length;
  run.cells = cells;
  run.verdict = data.subarray(at, at + cells);
  run.flags = data.subarray(at + cells, at + 2 * cells);
  run.cpu = wide(data, at + 2 * cells, cells);
  run.wall = wide(data, at + 5 * cells, cells);
  run.memory = wide(data, at + 8 * cells, cells);
  if (run.has_scores) run.score = scores(data, at + 11 * cells, cells);
  run.code = cell => run.verdict[cell] === ABSENT ? undefined : run.verdicts[run.verdict[cell]][0];
  run.words = code => run.verdicts.find(verdict => verdict[0] === code)?.[1] ?? code;
  run.codeIndex = code => run.verdicts.findIndex(verdict => verdict[0] === code);
  return run;
}

function scores(data, at, cells) {
  const planes = new Uint8Array(cells * 8);
  for (let cell = 0; cell < cells; cell++) {
    for (let byte = 0; byte < 8; byte++) planes[cell * 8 + byte] = data[at + byte * cells + cell];
  }
  return new Float64Array(planes.buffer);
}

/** CPU time and wall time in seconds, memory in bytes. */
const cpuOf = (run, cell) => run.cpu[cell] / 1e4;
const wallOf = (run, cell) => run.wall[cell] / 1e3;
const memoryOf = (run, cell) => run.memory[cell] * 1024;

/** The path of an input or answer. */
function pathOf(paths, problem, column) {
  if (!paths) return undefined;
  return Array.isArray(paths) ? paths[0] + problem.cases[column] + paths[1] : paths.each[column] ?? undefined;
}

/** The command that judges one case again. */
function rerun(run, submission, column) {
  const words = ["rejudge", "run", "--case", submission.of.cases[column], ...run.run?.arguments ?? []];
  if (submission.name.startsWith("-")) words.push("--");
  return [...words, submission.name].map(quoted).join(" ");
}

/** Everything that is not as expected: cells whose verdict is not permitted, and submissions without such a cell. */
function failuresOf(run) {
  const failures = [];
  for (const problem of run.problems) {
    for (const submission of problem.submissions) {
      const before = failures.length;
      for (let column = 0; column < problem.cases.length; column++) {
        if (run.flags[submission.base + column] & NOT_PERMITTED) failures.push({ submission, column });
      }
      if (!submission.met && failures.length === before) failures.push({ submission, column: undefined });
    }
  }
  return failures;
}

/** The details of a submission; each is inflated once. */
async function detailsOf(submission) {
  if (!submission.has_details) return { cases: {} };
  submission.details ??= take(`details-${submission.index}`)
    .then(data => data ? JSON.parse(new TextDecoder().decode(data)) : { cases: {} });
  return submission.details;
}

/** The group of a case: the folder part of its name. */
const groupOf = name => name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "";
