//! The targets for the speed of the solutions, and their inputs.

use std::fs;
use std::path::PathBuf;

use rejudge::Bytes;
use rejudge::sandbox::Input;
use rejudge_benches::{is_test, root};

use crate::program_runner::ProgramRunner;

/// A limit that a target promises to meet.
pub(crate) enum PromisedFigure {
    /// For the slowest input.
    Worst(f64),
    /// For the 95th percentile of the inputs.
    Percentile95(f64),
    /// For the largest peak memory of all inputs.
    Memory(Bytes),
}

/// The unit of the figures of a target.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Milliseconds,
    Seconds,
    /// Time per node and generation: the CPU time of the whole process, including parsing, divided by nodes × last
    /// generation in the queries.
    Nanoseconds,
    /// Input and output together, in 10⁶ bytes.
    MegabytesPerSecond,
}

/// An input and its answer, if known.
pub(crate) struct BenchmarkCase {
    pub(crate) input: PathBuf,
    /// The answer; `None` means that of the second solution.
    pub(crate) answer: Option<Vec<u8>>,
    /// The amount of work, for a [`Unit`] that is a rate.
    pub(crate) amount: f64,
    /// Whether the second solution also runs on this input.
    pub(crate) compare: bool,
}

/// A solution, its inputs, and its promises.
pub(crate) struct BenchmarkedProgram {
    pub(crate) name: &'static str,
    pub(crate) problem: &'static str,
    /// The file of the second solution in the problem's folder of solutions.
    pub(crate) second: &'static str,
    pub(crate) cases: Vec<BenchmarkCase>,
    pub(crate) rounds: usize,
    pub(crate) unit: Unit,
    pub(crate) promises: Vec<PromisedFigure>,
}

const SORTED: &str = "sorted_levels.rs";
const KNOWN: [&str; 8] = [
    "super-compo",
    "bickford",
    "blockado",
    "century",
    "pennant",
    "quzzle",
    "simplicity",
    "super-century",
];
/// A board close to the limit of ten million positions, without its goal.
const TEN_MILLION: &str =
    "6 6\nA A B C . D\nA . E F G .\nH E E F F I\nH J E F K I\nL L L M N N\nZ Z Z Z Z Z\nB\n";

/// All targets, with a few inputs each if the benchmark is only tested.
pub(crate) fn targets(runner: &mut ProgramRunner) -> Vec<BenchmarkedProgram> {
    let mut targets = klotskis(runner);
    targets.extend(sliding_puzzles(runner));
    targets.push(trees(runner));
    targets.extend(matrices(runner));
    if is_test() {
        for target in &mut targets {
            // The last input of a list may be the deepest.
            let last = target.cases.pop();
            target.cases.truncate(2);
            target.cases.extend(last);
        }
    }
    targets
}

fn klotskis(runner: &ProgramRunner) -> Vec<BenchmarkedProgram> {
    let mut targets = Vec::new();
    for (name, problem, milliseconds) in [
        ("Heng Dao Li Ma, path", "klotski", 4.0),
        ("Heng Dao Li Ma, all positions", "klotskisteps", 1.5),
    ] {
        targets.push(BenchmarkedProgram {
            name,
            problem,
            second: SORTED,
            cases: vec![committed(problem, "known/heng-dao-li-ma")],
            rounds: 31,
            unit: Unit::Milliseconds,
            promises: vec![PromisedFigure::Worst(milliseconds)],
        });
    }
    for (name, problem, milliseconds) in
        [("known puzzles, slides", "klotski", 15.0), ("known puzzles, steps", "klotskisteps", 8.0)]
    {
        let known = |name| committed(problem, &format!("known/{name}"));
        targets.push(BenchmarkedProgram {
            name,
            problem,
            second: SORTED,
            cases: KNOWN.map(known).into(),
            rounds: 15,
            unit: Unit::Milliseconds,
            promises: vec![PromisedFigure::Worst(milliseconds)],
        });
    }
    for (name, problem, goal, answer) in [
        ("6x6, ten million, slides", "klotski", "5 5", "-1"),
        ("6x6, ten million, steps", "klotskisteps", "0 0", "9\n9960587 484 125691"),
    ] {
        let input = format!("{TEN_MILLION}{goal}\n");
        let input = runner.write(&format!("{problem}.in"), input.as_bytes());
        let case = BenchmarkCase::new(input, Some(answer.into()));
        targets.push(BenchmarkedProgram {
            name,
            problem,
            second: SORTED,
            cases: vec![BenchmarkCase { compare: !is_test(), ..case }],
            rounds: 3,
            unit: Unit::Seconds,
            promises: vec![PromisedFigure::Worst(10.0), PromisedFigure::Memory(Bytes::mib(1024))],
        });
    }
    targets
}

fn sliding_puzzles(runner: &mut ProgramRunner) -> Vec<BenchmarkedProgram> {
    let problem = "slidingpuzzle";
    let lists = ["3x4", "4x4"].map(|size| BenchmarkedProgram {
        name: if size == "3x4" { "3x4, list of 100" } else { "4x4, list of 100" },
        problem,
        second: "walking_distance.rs",
        cases: list(size, runner),
        rounds: 1,
        unit: Unit::Seconds,
        promises: vec![PromisedFigure::Percentile95(1.0), PromisedFigure::Worst(10.0)],
    });
    let deepest = ["a", "b"].map(|one| committed(problem, &format!("known/3x3-deepest-{one}")));
    let board = runner.compile(&root().join("cases/slidingpuzzle/generators/board.rs"));
    let sample = (1..=20).map(|seed| {
        let seed = seed.to_string();
        let made = runner.run(&board, &["random", "3", "3", &seed], Input::Empty);
        BenchmarkCase::new(runner.write(&format!("3x3-{seed}.in"), &made.output), None)
    });
    let small = BenchmarkedProgram {
        name: "3x3, deepest and 20 seeded",
        problem,
        second: "walking_distance.rs",
        cases: deepest.into_iter().chain(sample).collect(),
        rounds: 7,
        unit: Unit::Milliseconds,
        promises: vec![PromisedFigure::Worst(5.0)],
    };
    std::iter::once(small).chain(lists).collect()
}

/// The inputs from a committed list, which has the fewest moves and the board on each line. The second solution runs on
/// every tenth.
fn list(size: &str, runner: &ProgramRunner) -> Vec<BenchmarkCase> {
    let list = root().join(format!("cases/slidingpuzzle/generators/lists/{size}.txt"));
    let text = fs::read_to_string(list).expect("the list is committed");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let case = |(number, line): (usize, &str)| {
        let (moves, board) = line.split_once(' ').expect("moves and a board");
        let input = format!("{}\n{board}\n", size.replace('x', " "));
        let input = runner.write(&format!("{size}-{number}.in"), input.as_bytes());
        BenchmarkCase { compare: number % 10 == 0, ..BenchmarkCase::new(input, Some(moves.into())) }
    };
    lines.enumerate().map(case).collect()
}

/// A million nodes with a rule under which no node sleeps and nothing repeats: the most work that the limits allow, and a
/// tenth of it, on which the second solution runs too.
fn trees(runner: &mut ProgramRunner) -> BenchmarkedProgram {
    let tree = runner.compile(&root().join("cases/treeoflife/generators/tree.rs"));
    let cases = [("100", true), ("1000", false)].map(|(half, compare)| {
        // Rule, shape, nodes, living nodes per thousand, queries, clock of each query, seed.
        let arguments = ["31433", "random", "999999", "500", "2", half, "44"];
        let made = runner.run(&tree, &arguments, Input::Empty).output;
        let input = runner.write(&format!("tree-{half}.in"), &made);
        BenchmarkCase {
            amount: work(&String::from_utf8_lossy(&made)),
            compare,
            ..BenchmarkCase::new(input, None)
        }
    });
    BenchmarkedProgram {
        name: "tree, a node and generation",
        problem: "treeoflife",
        // Its recursion fails only in deep trees, and these are not.
        second: "run_time_error/recursive.rs",
        cases: cases.into(),
        rounds: 7,
        unit: Unit::Nanoseconds,
        promises: vec![PromisedFigure::Worst(0.15)],
    }
}

/// The nodes of a tree × the last generation in the queries.
fn work(input: &str) -> f64 {
    let mut lines = input.lines();
    let tree = lines.nth(1).expect("a tree");
    let nodes = tree.bytes().filter(|byte| matches!(byte, b'X' | b'.')).count();
    let (mut clock, mut last) = (0, 0);
    for query in lines.skip(1) {
        let step = query.split(' ').next().expect("a step");
        clock = (clock + step.parse::<i32>().expect("a number")).max(0);
        last = last.max(clock);
    }
    f64::from(u32::try_from(nodes).expect("at most a million")) * f64::from(last)
}

fn matrices(runner: &mut ProgramRunner) -> [BenchmarkedProgram; 3] {
    let matrix = runner.compile(&root().join("cases/matrixrotation/generators/matrix.rs"));
    [
        ("2000x2000, up to 20 characters", "wide", "7"),
        ("2000x2000, up to 7 characters", "count", "7"),
        ("2000x2000, up to 2 characters", "digits", "2000"),
    ]
    .map(|(name, kind, turns)| {
        let arguments = ["2000", "2000", turns, kind, "8"];
        let made = runner.run(&matrix, &arguments, Input::Empty).output;
        // The output is as long as the input without its first line.
        let first = made.iter().take_while(|&&byte| byte != b'\n').count() + 1;
        let bytes = u32::try_from(2 * made.len() - first).expect("not that much");
        let case = BenchmarkCase {
            amount: f64::from(bytes),
            ..BenchmarkCase::new(runner.write(&format!("{kind}.in"), &made), None)
        };
        BenchmarkedProgram {
            name,
            problem: "matrixrotation",
            second: "ring_lists.rs",
            cases: vec![case],
            rounds: 7,
            unit: Unit::MegabytesPerSecond,
            promises: vec![PromisedFigure::Worst(400.0)],
        }
    })
}

impl BenchmarkCase {
    fn new(input: PathBuf, answer: Option<Vec<u8>>) -> Self {
        Self { input, answer, amount: 1.0, compare: true }
    }
}

fn committed(problem: &str, case: &str) -> BenchmarkCase {
    let data = root().join("cases").join(problem).join("data/secret");
    let path = data.join(case);
    let answer = fs::read(path.with_extension("ans")).expect("the case is committed");
    BenchmarkCase::new(path.with_extension("in"), Some(answer))
}
