//! Problems that state the names of the input and the output file: the input lies in the working folder under that name,
//! and the named file is the output.

use crate::support::Repo;

/// Reads `sum.in` and writes `sum.out`, as the problems ask.
const BY_NAME: &str = "read a b < sum.in || exit 1\necho chatter\necho $((a + b)) > sum.out\n";
/// Uses the standard streams.
const STANDARD: &str = "read a b\necho $((a + b))\n";
/// Reads the right file and prints to standard output.
const PRINTS: &str = "read a b < sum.in\necho $((a + b))\n";

const CMS: &str = "name: sum\nn_input: 2\ninfile: sum.in\noutfile: sum.out\n";
const HYDRO: &str = "filename: sum\ncases:\n- {input: input/input0.txt, output: output/output0.txt}\n\
                     - {input: input/input1.txt, output: output/output1.txt}\n";
const DMOJ: &str = "file_io: {input: sum.in, output: sum.out}\ntest_cases:\n\
                    - {in: input/input0.txt, out: output/output0.txt}\n- {in: input/input1.txt, out: output/output1.txt}\n";
/// As contests with inputs to download describe the name.
const CPH_PATTERN: &str = r#"{"name": "A. Sum", "input": {"type": "regex", "pattern": "su(m|n)(-large)?[.]in"},
    "output": {"type": "file", "fileName": "sum.out"}, "srcPath": "/elsewhere/sum.sh",
    "tests": [{"input": "1 2\n", "output": "3\n"}, {"input": "5 7\n", "output": "12\n"}]}"#;
const CPH: &str = r#"{"name": "A. Sum", "input": {"type": "file", "fileName": "sum.in"},
    "output": {"type": "file", "fileName": "sum.out"}, "srcPath": "/elsewhere/sum.sh",
    "tests": [{"input": "1 2\n", "output": "3\n"}, {"input": "5 7\n", "output": "12\n"}]}"#;

fn with(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    for (path, text) in files {
        repo.file(path, text);
    }
    for (number, input, answer) in [(0, "1 2\n", "3\n"), (1, "5 7\n", "12\n")] {
        repo.file(&format!("there/input/input{number}.txt"), input)
            .file(&format!("there/output/output{number}.txt"), answer);
    }
    repo
}

#[test]
fn layouts_that_name_the_files_replace_the_standard_streams() {
    let polygon = include_str!("../fixtures/layouts/problem.xml")
        .replace("input-file=\"\"", "input-file=\"sum.in\"")
        .replace("output-file=\"\"", "output-file=\"sum.out\"");
    let cases = ["there/tests/01", "there/tests/02"];
    let answers = ["there/tests/01.a", "there/tests/02.a"];
    let polygon = [
        ("there/problem.xml", polygon.as_str()),
        (cases[0], "1 2\n"),
        (answers[0], "3\n"),
        (cases[1], "5 7\n"),
        (answers[1], "12\n"),
        ("there/solutions/none.txt", ""),
    ];
    let table: [(&str, &[(&str, &str)]); 6] = [
        ("cms", &[("there/task.yaml", CMS)]),
        ("dmoj", &[("there/init.yml", DMOJ)]),
        ("cph", &[("there/.cph/.sum.sh_0.prob", CPH_PATTERN)]),
        ("hydro", &[("there/config.yaml", HYDRO)]),
        ("cph", &[("there/.cph/.sum.sh_0.prob", CPH)]),
        ("polygon", &polygon),
    ];
    for (layout, files) in table {
        let repo = with(files);
        let judge = |source: &str| {
            repo.file("there/sum.sh", source);
            repo.run(&["run", "there/sum.sh", "--layout", layout])
        };
        let right = judge(BY_NAME);
        assert_eq!(right.status, 0, "{layout}: {}", right.all());
        assert!(!right.stderr.contains("warning"), "{layout}: {}", right.all());
        let silent = judge(PRINTS);
        let missing = match layout {
            "hydro" => "RTE  the solution did not write the file `sum.out`",
            _ => "WA  the solution did not write the file `sum.out`",
        };
        assert!(silent.stdout.contains(missing), "{layout}: {}", silent.all());
        assert_eq!(silent.status, 1, "{layout}");
        assert_eq!(judge(STANDARD).status, 1, "{layout}");
    }
}

#[test]
fn the_settings_name_the_files_of_a_package() {
    let repo = Repo::with_sum();
    repo.file(
        "rejudge.toml",
        "[problems.sum]\ninput_file = \"sum.in\"\noutput_file = \"sum.out\"\n",
    )
    .file("solutions/sum/sum.sh", BY_NAME)
    .file("solutions/sum/wrong_answer/standard.sh", STANDARD)
    .file("cases/sum/data/sample/1.files/note.txt", "kept\n")
    .file("solutions/sum/note.sh", format!("[ -e note.txt ] || exit 1\n{BY_NAME}"));
    let ran = repo.run(&["run", "--case", "1", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    for source in [BY_NAME, STANDARD] {
        repo.file("solutions/sum/only.sh", source);
        let ran = repo.run(&["solutions/sum/only.sh"]);
        assert_eq!(ran.status, i32::from(source != BY_NAME), "{}", ran.all());
    }
    // One of the two may be a standard stream.
    repo.file("rejudge.toml", "[problems.sum]\ninput_file = \"sum.in\"\n")
        .file("solutions/sum/only.sh", PRINTS);
    let ran = repo.run(&["solutions/sum/only.sh"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn every_command_that_runs_solutions_gives_them_their_files() {
    let repo = Repo::with_sum();
    repo.file(
        "rejudge.toml",
        "[problems.sum]\ninput_file = \"sum.in\"\noutput_file = \"sum.out\"\n",
    )
    .file("solutions/sum/sum.sh", BY_NAME)
    .file("cases/sum/data/secret/new.in", "20 3\n")
    .file("cases/sum/output_visualizer/show.sh", "cat > \"$3judgeimage.svg\"\nexit 42\n");
    let ran = repo.run(&["answer", "sum", "--from", "solutions/sum/sum.sh"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(repo.read("cases/sum/data/secret/new.ans"), "23\n");
    let from = ["--from", "solutions/sum/sum.sh", "-o", "pictures"];
    let ran = repo.run(&[&["draw", "sum/sample/1"][..], &from].concat());
    assert_eq!(ran.status, 0, "{}", ran.all());
    let pictures = std::fs::read_dir(repo.path("pictures")).unwrap().flatten();
    let mut svg = pictures.map(|entry| entry.path());
    let svg = svg.find(|path| path.extension().is_some_and(|end| end == "svg"));
    assert_eq!(std::fs::read_to_string(svg.unwrap()).unwrap(), "3\n");
    for input in [&["--case", "new"][..], &["cases/sum/data/secret/new.in"]] {
        let ran = repo.run(&[&["exec", "solutions/sum/sum.sh"][..], input].concat());
        assert_eq!(ran.stdout, "23\n", "{input:?}: {}", ran.all());
    }
    let ran = repo.run(&["exec", "solutions/sum/sum.sh"]);
    assert!(ran.stderr.contains("read the file `sum.in`"), "{}", ran.all());
    let ran = repo.run(&["bench", "--runs", "2", "sum"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // A failing run would be an error; whether a curve fits such short runs is not the question here.
    let ran = repo.run(&["scale", "solutions/sum/sum.sh", "--runs", "1"]);
    assert!(!ran.stderr.contains("fails at size"), "{}", ran.all());
    let generator = ["--generator", "gen.sh", "--sizes", "1..9", "--runs", "1"];
    repo.file("gen.sh", "echo $1 1\n");
    let ran = repo.run(&[&["scale", "solutions/sum/sum.sh"][..], &generator].concat());
    assert!(!ran.stderr.contains("fails at size"), "{}", ran.all());
    repo.file("rejudge.toml", "").file("gen.sh", "echo $1 1\n");
    let ran = repo.run(&[&["scale", "solutions/sum/sum.sh"][..], &generator].concat());
    assert!(ran.stderr.contains("fails at size"), "{}", ran.all());
}

#[test]
fn a_name_in_a_comment_is_no_file() {
    let repo = Repo::new();
    repo.file("sum.sh", "# read a b < \"sum.in\"\nls\n").file("1.in", "1 2\n").file("1.ans", "\n");
    let ran = repo.run(&["sum.sh"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(!ran.stderr.contains("also in a file"), "{}", ran.all());
    repo.file("sum.sh", "true \"sum.in\"\nls\n");
    let ran = repo.run(&["sum.sh"]);
    assert!(ran.stderr.contains("also in a file"), "{}", ran.all());
    assert_eq!(ran.status, 1, "{}", ran.all());
}

#[test]
fn names_that_a_source_puts_together_are_guessed() {
    let repo = Repo::new();
    repo.file("1.in", "1 2\n").file("1.out", "3\n").file("2.in", "5 7\n").file("2.out", "12\n");
    let add = "read a b < \"$name\".in\necho $((a + b)) > \"$name\".out\n";
    // The text may be the name of the source, or any other word.
    for (file, name) in [("gift.sh", "gift"), ("attempt.sh", "gift"), ("sum.sh", "the-gift_1")] {
        let source = format!("name=\"{name}\"\n: \"$name.in\" \"$name.out\"\n{add}");
        repo.file(file, source);
        let ran = repo.run(&[file]);
        assert_eq!(ran.status, 0, "{file}: {}", ran.all());
        assert!(ran.stderr.contains(&format!("{name}.in")), "{file}: {}", ran.all());
        std::fs::remove_file(repo.path(file)).unwrap();
    }
    // Nobody can guess this one.
    for (end, verdict) in [("exit 1\n", "RTE"), ("", "WA")] {
        repo.file("sum.sh", format!(": \"$name.in\"\n{end}"));
        let ran = repo.run(&["sum.sh"]);
        let why = "if it opens a file `NAME.in` whose name rejudge does not guess, set `input_file` in `rejudge.toml`";
        assert!(ran.stdout.contains(verdict) && ran.stdout.contains(why), "{}", ran.all());
    }
}

#[test]
fn tasks_of_cms_are_compiled_as_cms_does() {
    if crate::support::lacks("gcc") {
        return;
    }
    let guarded = "#include <stdio.h>\nint main(void) {\n#ifdef EVAL\n  freopen(\"input.txt\", \"r\", stdin);\n  \
                   freopen(\"output.txt\", \"w\", stdout);\n#endif\n  int a, b;\n  scanf(\"%d%d\", &a, &b);\n  \
                   printf(\"%d\\n\", a + b);\n}\n";
    // Without the keys, both files have their old names, and solutions may use the standard streams.
    for text in [
        "name: sum\nn_input: 2\n",
        "name: sum\nn_input: 2\ninfile: input.txt\noutfile: output.txt\n",
    ] {
        let repo = with(&[("there/task.yaml", text), ("there/sum.c", guarded)]);
        let ran = repo.run(&["there/sum.c"]);
        assert_eq!(ran.status, 0, "{}", ran.all());
    }
    let repo = with(&[("there/task.yaml", "name: sum\nn_input: 2\n"), ("there/sum.sh", STANDARD)]);
    assert_eq!(repo.run(&["there/sum.sh"]).status, 0);
    let repo = with(&[("there/task.yaml", "name: sum\nn_input: 2\ninfile: ../x\n")]);
    repo.file("there/sum.sh", STANDARD);
    let ran = repo.run(&["there/sum.sh"]);
    assert!(ran.stderr.contains("`../x` is not a valid file name"), "{}", ran.all());
}

/// As with cmsMake and with CMS, which does not look for names in the source.
#[test]
fn a_task_of_cms_without_names_of_files_accepts_files_and_standard_streams() {
    // The grader opens the files, and the source of the solution names none.
    let solutions = [
        ("input.txt", "echo chatter\necho $((a + b)) > output.$e\n", 0),
        ("/dev/stdin", "echo $((a + b))\n", 0),
        ("input.txt", "echo $((a + b))\n", 0),
        ("/dev/stdin", "echo $((a + b)) > output.$e\n", 0),
        ("/dev/stdin", "echo 0 > output.$e\necho $((a + b))\n", 1),
        ("/dev/stdin", ": > output.$e\necho $((a + b))\n", 1),
        ("/dev/stdin", "echo $((a + b)) > there.out\n", 1),
    ];
    for (input, rest, status) in solutions {
        let repo = with(&[("there/task.yaml", "name: sum\nn_input: 2\n")]);
        let input = input.replace(".txt", ".$e");
        repo.file("there/sol/soluzione.sh", format!("e=txt\nread a b < {input}\n{rest}"));
        let ran = repo.run(&["run", "there"]);
        assert_eq!(ran.status, status, "{input} {rest}: {}", ran.all());
        assert!(!ran.stderr.contains("warning"), "{}", ran.all());
    }
}
