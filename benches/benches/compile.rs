//! The way from a save to a verdict, most of which is the compiler's: with what rejudge stores for compilers, and without.
//!
//! Every round measures each variant once, in turn, by CPU time and wall time of the whole command. The figures are medians, and
//! their ratios to the variant without stored files (`compile.precompile = false`, no `whole_program_flags`). `REJUDGE_BASE`
//! names another build of rejudge; then the ratios are to that one. Compilers that are not installed are named and left out.
//!
//! The judge is the whole command line in a separate process, which is this program, started again.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rejudge_benches::rounds::measure;
use rejudge_benches::{cpu_time_of_ended_children, is_test, median};
use tempfile::TempDir;

/// A process with this environment variable is the judge.
const JUDGE: &str = "REJUDGE_BENCH_JUDGE";

/// The settings of the variant without stored files.
const PLAIN: &str = "[compile]\nprecompile = false\n[languages.cpp]\nwhole_program_flags = []\n";

/// Leading lines as contestants have them.
const BEGINNINGS: [(&str, &str); 6] = [
    ("bits/stdc++.h", "#include <bits/stdc++.h>\n"),
    (
        "defines",
        "#include <bits/stdc++.h>\n#define pb push_back\n#define FOR(i, n) for (int i = 0; i < n; i++)\n",
    ),
    ("long long", "#include <bits/stdc++.h>\n#define int long long\n"),
    (
        "pragmas",
        "#pragma GCC optimize(\"O3\")\n#pragma GCC target(\"avx2\")\n#include <bits/stdc++.h>\n",
    ),
    (
        "own run",
        "#include <iostream>\n#include <vector>\n#include <algorithm>\n#include <map>\n#include <string>\n",
    ),
    ("two headers", "#include <cstdio>\n#include <vector>\n"),
];

const BODY: &str = "using namespace std;\nsigned main() { vector<signed> v(2); scanf(\"%d %d\", &v[0], &v[1]); printf(\"%d\\n\", v[0] + v[1]); }\n";

/// CPU time and wall time.
type CommandTimes = [Duration; 2];

fn timed(mut command: Command) -> CommandTimes {
    let (cpu, start) = (cpu_time_of_ended_children(), Instant::now());
    let output = command.stdin(Stdio::null()).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    [cpu_time_of_ended_children().saturating_sub(cpu), start.elapsed()]
}

/// The judge in a folder, with a cache.
fn judge(folder: &Path, cache: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::current_exe().expect("the path of this program"));
    command.env(JUDGE, "1");
    command.args(arguments).current_dir(folder).env("REJUDGE_CACHE_DIR", cache).env_remove("CI");
    command
}

/// The judge to compare with: another build, or this one without stored files.
fn base(folder: &Path, cache: &Path, arguments: &[&str]) -> Command {
    let Some(program) = env::var_os("REJUDGE_BASE") else {
        return judge(folder, cache, arguments);
    };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("REJUDGE_CACHE_DIR", cache).env_remove("CI");
    command
}

/// Two repositories with the same files, the second with the settings of [`PLAIN`], and their caches.
struct TwinRepositories {
    dir: TempDir,
}

impl TwinRepositories {
    fn new(files: &[(String, String)]) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        for (repository, settings) in [("new", ""), ("plain", PLAIN)] {
            for (name, text) in files {
                let path = dir.path().join(repository).join(name);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, text).expect("a file");
            }
            fs::write(dir.path().join(repository).join("rejudge.toml"), settings).expect("a file");
        }
        Self { dir }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Forgets the compiled programs; with `all`, what is stored for compilers, too.
    fn forget(&self, all: bool) {
        for cache in ["new-cache", "plain-cache"] {
            let part = if all { String::from(cache) } else { format!("{cache}/artefacts") };
            let _ = fs::remove_dir_all(self.at(&part));
        }
    }

    /// The times of a command with and without stored files.
    fn times(&self, arguments: &[&str]) -> [CommandTimes; 2] {
        [
            timed(judge(&self.at("new"), &self.at("new-cache"), arguments)),
            timed(base(&self.at("plain"), &self.at("plain-cache"), arguments)),
        ]
    }
}

fn cases(folder: &str, count: usize) -> Vec<(String, String)> {
    let case = |number: usize| {
        let stem = format!("{folder}/{number:02}");
        [(format!("{stem}.in"), "1 2\n".to_owned()), (format!("{stem}.ans"), "3\n".to_owned())]
    };
    (1..=count).flat_map(case).collect()
}

/// Prints the medians of rounds, and each as a ratio to the last variant.
fn show<const N: usize>(what: &str, names: [&str; N], rounds: &[[CommandTimes; N]]) {
    let of = |variant: usize, figure: usize| {
        median(rounds.iter().map(|round| round[variant][figure]).collect()).as_secs_f64()
    };
    println!("{what}");
    for (variant, name) in names.iter().enumerate() {
        let [cpu, wall] = [0, 1].map(|figure| of(variant, figure));
        let [cpu_ratio, wall_ratio] =
            [0, 1].map(|figure| of(variant, figure) / of(names.len() - 1, figure).max(1e-9));
        println!(
            "  {name:<28} cpu {cpu:7.2} s ({cpu_ratio:.2})   wall {wall:7.2} s ({wall_ratio:.2})"
        );
    }
}

/// The same number of rounds for all, odd because of the medians.
fn rounds<const N: usize>(
    count: usize,
    round: impl FnMut() -> [CommandTimes; N],
) -> Vec<[CommandTimes; N]> {
    measure(count, round).results
}

/// One source and ten cases, the whole command, by kinds of leading lines.
fn one_source() {
    for (kind, beginning) in BEGINNINGS {
        let mut files = cases("tests", 10);
        files.push(("a.cpp".to_owned(), format!("{beginning}{BODY}")));
        let pair = TwinRepositories::new(&files);
        let by_hand = by_hand(&pair.at("new"));
        // It is proven by the first program.
        for _ in 0..2 {
            timed(judge(&pair.at("new"), &pair.at("new-cache"), &["cache", "warm", "a.cpp"]));
        }
        let measured = rounds(5, || {
            pair.forget(false);
            let [new, plain] = pair.times(&["a.cpp", "-q"]);
            [new, timed(by_hand()), plain]
        });
        show(
            &format!("one source, ten cases: {kind}"),
            ["warm", "g++ -O2 and ten bare runs", "plain"],
            &measured,
        );
    }
}

/// What a person types: compile, and run each case.
fn by_hand(folder: &Path) -> impl Fn() -> Command + use<> {
    let folder = folder.to_owned();
    move || {
        let mut command = Command::new("sh");
        let script = "g++ -O2 -std=gnu++20 -o ../by-hand a.cpp && for i in tests/*.in; do ../by-hand <$i >/dev/null || exit 1; done";
        command.args(["-c", script]).current_dir(&folder);
        command
    }
}

/// Many solutions that begin alike in groups, with nothing stored: the making counts.
fn archive() {
    let count = if is_test() { 6 } else { 200 };
    let mut files = cases("tests", 1);
    for number in 0..count {
        // Half of the sources of archives begin with the one-line header.
        let (_, beginning) = BEGINNINGS[[0, 0, 0, 1, 4, 3][number % 6]];
        let text = format!("{beginning}// {number}\n{BODY}");
        files.push((format!("s{number:03}.cpp"), text));
    }
    let pair = TwinRepositories::new(&files);
    let measured = rounds(1, || {
        pair.forget(true);
        pair.times(&["--cases", "tests", ".", "-q"])
    });
    show(&format!("{count} solutions, nothing stored"), ["new", "plain"], &measured);
}

/// A package with five validators that are written with testlib.
fn testlib_package() {
    let mut files: Vec<(String, String)> = cases("data/secret", 10);
    files.push((
        "problem.yaml".to_owned(),
        "problem_format_version: 2025-09\nname: Sum\ntype: pass-fail\n".to_owned(),
    ));
    files.push((
        "submissions/accepted/a.py".to_owned(),
        "print(sum(map(int, input().split())))\n".to_owned(),
    ));
    for number in 1..=5 {
        let validator = format!(
            "#include \"testlib.h\"\nint main(int argc, char** argv) {{ registerValidation(argc, argv);\n\
             inf.readInt(1, 10{number}, \"a\"); inf.readSpace(); inf.readInt(1, 100, \"b\"); inf.readEoln(); inf.readEof(); }}\n"
        );
        files.push((format!("input_validators/v{number}.cpp"), validator));
    }
    let pair = TwinRepositories::new(&files);
    let arguments = ["verify", "."];
    for (what, all) in [
        ("a package with five validators of testlib, nothing stored", true),
        ("the same, warm", false),
    ] {
        // Until it is worth while, nothing is stored.
        let warm_ups = if all { 0 } else { 2 };
        for _ in 0..warm_ups {
            pair.forget(false);
            pair.times(&arguments);
        }
        let measured = rounds(3, || {
            pair.forget(all);
            pair.times(&arguments)
        });
        show(what, ["new", "plain"], &measured);
    }
}

/// A solution with enough to change for a hundred mutants.
const MUTABLE: &str = "#include <bits/stdc++.h>\nusing namespace std;\n\
    int main() { long long a, b; cin >> a >> b; vector<long long> v{a, b, 0};\n\
    long long best = v[0], sum = 0, odd = 0;\n\
    for (int i = 0; i < 2; i++) { sum += v[i]; if (v[i] > best && i >= 1) best = v[i]; if (v[i] % 2 == 1 || v[i] < 0) odd += i + 1; }\n\
    for (int i = 1; i <= 2; i++) { if (v[i] - v[i - 1] > 3) sum = sum * 1 + 0; else odd -= i * 2; }\n\
    sort(v.begin(), v.end()); map<long long, int> seen; for (long long x : v) seen[x]++;\n\
    if (best < 0 && odd > 100) sum = seen[best] - 1;\n\
    if (sum >= a && sum != 12345 && best + odd < 1000) cout << sum << endl; else cout << a + b << endl; }\n";

/// All mutants of a solution, with nothing compiled.
fn mutants() {
    let count = if is_test() { "2" } else { "100" };
    let mut files = cases("cases/sum/data/secret", 5);
    let about = "problem_format_version: 2025-09\nname: Sum\n".to_owned();
    files.push(("cases/sum/problem.yaml".to_owned(), about));
    files.push(("solutions/sum/a.cpp".to_owned(), MUTABLE.to_owned()));
    let pair = TwinRepositories::new(&files);
    let measured = rounds(1, || {
        pair.forget(true);
        pair.times(&["strength", "sum", "--mutants", count])
    });
    show(&format!("{count} mutants of a solution, nothing stored"), ["new", "plain"], &measured);
}

/// The first run of a lone source: nothing may be made for it.
fn first_run() {
    let mut files = cases("tests", 1);
    files.push(("a.cpp".to_owned(), format!("{}{BODY}", BEGINNINGS[0].1)));
    let pair = TwinRepositories::new(&files);
    let measured = rounds(5, || {
        pair.forget(true);
        pair.times(&["a.cpp", "-q"])
    });
    show("a first run with an empty cache", ["new", "plain"], &measured);
}

/// Compilers on a virtual machine.
fn class_archives() {
    let sources = [
        (
            "javac",
            "Main.java",
            "public class Main { public static void main(String[] a) { var s = new java.util.Scanner(System.in); System.out.println(s.nextInt() + s.nextInt()); } }\n",
        ),
        (
            "kotlinc",
            "a.kt",
            "fun main() { println(readLine()!!.split(' ').map { it.toInt() }.sum()) }\n",
        ),
        (
            "scalac",
            "a.scala",
            "object Main { def main(a: Array[String]): Unit = println(scala.io.StdIn.readLine().split(\" \").map(_.toInt).sum) }\n",
        ),
    ];
    for (compiler, name, text) in sources {
        let found = env::var_os("PATH")
            .is_some_and(|path| env::split_paths(&path).any(|dir| dir.join(compiler).is_file()));
        if !found {
            println!("{compiler}: not installed, left out");
            continue;
        }
        let mut files = cases("tests", 1);
        files.push((name.to_owned(), text.to_owned()));
        let pair = TwinRepositories::new(&files);
        for _ in 0..2 {
            timed(judge(&pair.at("new"), &pair.at("new-cache"), &["cache", "warm", name]));
        }
        let measured = rounds(5, || {
            pair.forget(false);
            pair.times(&[name, "-q"])
        });
        show(&format!("one source for {compiler}, one case"), ["warm", "plain"], &measured);
    }
}

fn main() -> ExitCode {
    if env::var_os(JUDGE).is_some() {
        return rejudge::command_line();
    }
    let parts: [(&str, fn()); 6] = [
        ("source", one_source),
        ("first", first_run),
        ("testlib", testlib_package),
        ("classes", class_archives),
        ("archive", archive),
        ("mutants", mutants),
    ];
    let wanted: Vec<OsString> =
        env::args_os().skip(1).filter(|word| !word.to_string_lossy().starts_with("--")).collect();
    for (name, part) in parts {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            part();
        }
    }
    ExitCode::SUCCESS
}
