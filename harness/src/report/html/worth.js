// What deserves a look in a problem: what is not as expected, in doubt, close to the limit, or caught by no case.

/** The most of it that the overview shows. */
const MOST_WORTH = 5;

/** An accepted submission that needs more than this part of its limit is close to it. */
const CLOSE = 0.5;

/** Everything that deserves a look, the worst first. Each has a text, and perhaps a place;
    what is only of interest comes last. */
function worthOf(run, problem) {
  return [...unexpected(run, problem), ...notCaught(problem), ...doubts(run, problem), ...close(run, problem), ...catching(run, problem)];
}

const some = (names, most = 3) => names.slice(0, most).join(", ") + (names.length > most ? ` and ${thousands(names.length - most)} more` : "");

/** The most submissions that have an item each. */
const MOST_SEPARATE = 3;

function unexpected(run, problem) {
  const uncaught = new Set((problem.killing.uncaught ?? []).map(row => problem.submissions[row]));
  const place = submission => {
    const column = problem.cases.findIndex((_, at) => run.flags[submission.base + at] & NOT_PERMITTED);
    return { submission, column: column < 0 ? undefined : column };
  };
  const found = problem.submissions.filter(one => !one.met && !uncaught.has(one));
  if (found.length > MOST_SEPARATE) {
    return [{ text: `Not as expected: ${some(found.map(one => lastPart(one.name)))}`, isBad: true, at: place(found[0]) }];
  }
  return found.map(submission => ({ text: `${lastPart(submission.name)}: got ${submission.verdict}, expected ${submission.expected}`,
    isBad: true, at: place(submission) }));
}

const notCaught = problem => (problem.killing.uncaught ?? []).map(row => problem.submissions[row]).map(submission =>
  ({ text: `No case catches ${lastPart(submission.name)}`, isBad: !submission.met, at: { submission } }));

/** Results that another run might change. */
function doubts(run, problem) {
  return [[IN_DOUBT, "in doubt, because others used the machine"], [FLAKY, "with verdicts that differ between runs"],
    [NEAR_LIMIT, "within 20 % of a limit, on machines that differ"]].flatMap(([flag, words]) => {
    const found = [];
    for (const submission of problem.submissions) {
      problem.cases.forEach((_, column) => { if (run.flags[submission.base + column] & flag) found.push({ submission, column }); });
    }
    return found.length > 0 ? [{ text: `${count(found.length, "result")} ${words}`, at: found[0] }] : [];
  });
}

/** The accepted submission that comes close to its limit. */
function close(run, problem) {
  const slowest = slowestAccepted(run, problem);
  if (!slowest || slowest.cpu <= CLOSE * slowest.limit) return [];
  return [{ text: `${lastPart(slowest.submission.name)} needs ${share(slowest)} of the time limit on ${problem.cases[slowest.column]}`, at: slowest }];
}

/** The cases that catch a submission. */
const catchesOf = (run, submission) =>
  submission.of.cases.map((_, column) => column).filter(column => CATCHES.has(run.code(submission.base + column)));

/** Wrong submissions that hang on one case, and cases that catch nothing: only if every case was run on them. */
function catching(run, problem) {
  const { wrong = [], caught_once = [], is_complete } = problem.killing;
  if (wrong.length === 0 || !is_complete) return [];
  const found = caught_once.map(([row, column]) => ({
    text: `Only ${problem.cases[column]} catches ${lastPart(problem.submissions[row].name)}`, at: { submission: problem.submissions[row], column },
  }));
  const caught = new Set(wrong.flatMap(row => catchesOf(run, problem.submissions[row])));
  const idle = problem.cases.filter((_, column) => !caught.has(column));
  if (idle.length > 0) found.push({ isInfo: true, text: `${thousands(idle.length)} of ${count(problem.cases.length, "case")} catch no wrong submission: ${some(idle)}` });
  return found;
}
