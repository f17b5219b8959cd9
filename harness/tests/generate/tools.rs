//! The missing tests of packages of other tools, made from their own files.

use crate::support::Repo;

const SUM: &str = "read a b; echo $((a + b))\n";

/// The package `p` with these files, after `rejudge generate`, which must print `expected`.
fn generated(files: &[(&str, &str)], expected: &str) -> Repo {
    let repo = Repo::new();
    for (path, text) in files {
        repo.file(&format!("p/{path}"), text);
    }
    let made = repo.run(&["generate", "p"]);
    assert_eq!(made.all(), expected);
    repo
}

fn expect(repo: &Repo, files: &[(&str, &str)]) {
    for (path, text) in files {
        assert_eq!(repo.read(&format!("p/{path}")), *text, "{path}");
    }
    let check = repo.run(&["generate", "p", "--check"]);
    assert_eq!(check.status, 0, "{}", check.all());
    let judged = repo.run(&["run", "p"]);
    assert_eq!(judged.status, 0, "{}", judged.all());
}

const POLYGON: &str = r#"<problem short-name="sum">
<names><name language="english" value="Sum"/></names>
<judging input-file="" output-file="">
<testset name="tests"><time-limit>1000</time-limit><memory-limit>268435456</memory-limit>
<test-count>4</test-count>
<input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
<tests><test method="manual" sample="true"/><test cmd="print 3 4" method="generated"/>
<test cmd="many 'a b'" from-file="5" method="generated"/><test cmd="bad 1" method="generated"/></tests>
</testset></judging>
<files><executables><executable><source path="files/print.sh" type="bash"/></executable>
</executables></files>
<assets><checker name="std::wcmp.cpp"/>
<solutions><solution tag="main"><source path="solutions/sum.sh" type="bash"/></solution></solutions>
</assets></problem>
"#;

/// The files are read outside the sandbox.
#[test]
fn tests_outside_the_package_are_not_read() {
    for (place, is_link) in [("../secret%02d", false), ("tests/%02d", true)] {
        let repo = Repo::new();
        let xml = POLYGON.replace("tests/%02d<", &format!("{place}<"));
        repo.file("p/problem.xml", xml)
            .file("p/files/print.sh", "echo $*\n")
            .file("p/solutions/sum.sh", "cat\n")
            .file("secret01", "a secret\n")
            .file("p/tests/99", "");
        if is_link {
            let link = repo.path("p/tests/01");
            std::os::unix::fs::symlink(repo.path("secret01"), link).unwrap();
        }
        let ran = repo.run(&["generate", "p"]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains("leads out of the package"), "{}", ran.stderr);
        assert!(!ran.all().contains("a secret"), "{}", ran.all());
        assert!(!repo.path("p/tests/01.a").exists());
    }
}

#[test]
fn polygon_tests_are_made_by_the_commands_of_the_package() {
    let xml = POLYGON.replace("<test cmd=\"bad 1\" method=\"generated\"/>", "");
    let files = [
        ("problem.xml", xml.as_str()),
        ("tests/01", "1 2\n"),
        ("files/print.sh", "echo $*\n"),
        ("files/many.sh", "echo 1 1 > 4; echo 2 $# > 05\n"),
        ("solutions/sum.sh", SUM),
    ];
    let repo = generated(&files, "p: 3 cases made, 0 unchanged\n--- exit status 0");
    let made = [
        ("tests/01.a", "3\n"),
        ("tests/02", "3 4\n"),
        ("tests/02.a", "7\n"),
        ("tests/03", "2 1\n"),
        ("tests/03.a", "3\n"),
    ];
    expect(&repo, &made);
    let again = repo.run(&["generate", "p"]);
    assert_eq!(again.all(), "p: 0 cases made, 3 unchanged\n--- exit status 0");
    repo.file("p/tests/02", "3 5\n");
    let check = repo.run(&["generate", "p", "--check"]);
    let expected = "p: 1 difference, 2 cases as generated
--- standard error
error: p: `tests/02` differs from the generated test
--- exit status 1";
    assert_eq!(check.all(), expected);
}

/// Old packages state the commands only in the script that Polygon writes.
#[test]
fn polygon_tests_are_made_by_the_commands_of_the_script() {
    let xml = POLYGON.replace("<test cmd=\"bad 1\" method=\"generated\"/>", "");
    let xml = xml.replace(" cmd=\"print 3 4\"", "");
    let xml = xml.replace(" cmd=\"many 'a b'\" from-file=\"5\"", "");
    assert!(!xml.contains("cmd="), "{xml}");
    let shell = "#!/usr/bin/env bash\nscripts/run-validator-tests.sh\nmkdir -p tests\n\
                 echo \"Generating test #2\"\n\
                 scripts/gen-input-via-stdout.sh \"wine files/print.exe 3 4\" \"tests/02\" 2\n\
                 touch ../escaped\n\
                 scripts/gen-input-via-files.sh \"wine files/many.exe 'a b'\" \"tests/03\" \"5\"\n\
                 scripts/gen-answer.sh tests/01 tests/01.a \"tests\" \"\"\n";
    let batch = "@echo off\r\nmd tests\r\n\
                 call scripts\\gen-input-via-stdout.bat \"files\\print.exe \"\"3\"\" \"\"4\"\"\" \"tests\\02\" 2\r\n\
                 touch escaped\r\n\
                 call scripts\\gen-input-via-files.bat \"..\\files\\many.exe \"\"a b\"\"\" \"tests\\03\" \"5\"\r\n";
    for (script, text, line) in [("doall.sh", shell, 6), ("doall.bat", batch, 4)] {
        let files = [
            ("problem.xml", xml.as_str()),
            (script, text),
            ("tests/01", "1 2\n"),
            ("files/print.sh", "echo $*\n"),
            ("files/many.sh", "echo 1 1 > 4; echo 2 $# > 05\n"),
            ("solutions/sum.sh", SUM),
        ];
        let warning = format!(
            "p: 3 cases made, 0 unchanged\n--- standard error\n\
             warning: p/{script}:{line}:1: rejudge does not know this line of the script, and skips it\n\
             --- exit status 0"
        );
        let repo = generated(&files, &warning);
        let made = [("tests/02", "3 4\n"), ("tests/03", "2 1\n"), ("tests/03.a", "3\n")];
        expect(&repo, &made);
        assert!(!repo.path("escaped").exists() && !repo.path("p/escaped").exists());
    }
}

#[test]
fn a_missing_generator_does_not_refuse_the_other_tests() {
    let files = [
        ("problem.xml", POLYGON),
        ("tests/01", "1 2\n"),
        ("files/print.sh", "echo $*\n"),
        ("files/many.sh", "exit 3\n"),
        ("solutions/sum.sh", SUM),
    ];
    let expected = "p: 2 cases made, 0 unchanged, 2 failed
--- standard error
error: p/problem.xml:8:58: the source of the generator `bad` is not in the package
error: cannot make `p/tests/03`
  caused by: the generator `many 'a b'` failed: exit code 3
error: cannot make `p/tests/04`
  caused by: cannot open `[repo]/p/tests/04`
  caused by: No such file or directory (os error 2)
--- exit status 2";
    let repo = generated(&files, expected);
    assert_eq!(repo.read("p/tests/02.a"), "7\n");
}

#[test]
fn cms_inputs_are_made_from_the_lines_of_gen() {
    let files = [
        ("task.yaml", "name: sum\ntime_limit: 1\ninfile: \"\"\noutfile: \"\"\n"),
        ("gen/GEN", "#ST: 0\n#COPY: att/one.txt\n#ST: 100\n# a comment\n3 4 # small\n"),
        ("gen/generatore.sh", "echo $*\n"),
        ("att/one.txt", "1 2\n"),
        ("sol/soluzione.sh", SUM),
    ];
    let repo = generated(&files, "p: 2 cases made, 0 unchanged\n--- exit status 0");
    let made = [
        ("input/input0.txt", "1 2\n"),
        ("output/output0.txt", "3\n"),
        ("input/input1.txt", "3 4\n"),
        ("output/output1.txt", "7\n"),
    ];
    expect(&repo, &made);
}

/// As cmsMake, in which `"3 4"` is two arguments.
#[test]
fn a_line_of_gen_is_split_at_blanks_only() {
    let files = [
        ("task.yaml", "name: sum\ninfile: \"\"\noutfile: \"\"\n"),
        ("gen/GEN", "\"3 4\"\nit's  a\\\\b\t$c\n"),
        ("gen/generatore.sh", "for word; do printf '%s\\n' \"$word\"; done\n"),
        ("sol/soluzione.sh", "cat\n"),
    ];
    let repo = generated(&files, "p: 2 cases made, 0 unchanged\n--- exit status 0");
    let made = [("input/input0.txt", "\"3\n4\"\n"), ("input/input1.txt", "it's\na\\\\b\n$c\n")];
    expect(&repo, &made);
}

/// cmsMake starts generators in the folder of the task, from their own place.
#[test]
fn a_generator_of_cms_uses_the_files_of_its_task() {
    let task = [
        ("task.yaml", "name: sum\ninfile: \"\"\noutfile: \"\"\n"),
        ("sol/soluzione.sh", SUM),
        ("att/three.txt", "3"),
        ("gen/GEN", "att/three.txt 4\n"),
    ];
    let made = [("input/input0.txt", "3 4\n"), ("output/output0.txt", "7\n")];
    let in_shell = [
        ("gen/generatore.sh", "PATH=$PATH:$(dirname \"$0\")/lib\nprint.sh $(cat $1) $2\n"),
        ("gen/lib/print.sh", "#!/bin/sh\necho $*\n"),
    ];
    let in_python = [
        (
            "gen/generatore.py",
            "import sys\nfrom limiti import MAXN\nimport varie.more\n\
             print(open(sys.argv[1]).read(), min(MAXN, int(sys.argv[2])))\n",
        ),
        ("gen/limiti.py", "MAXN = 100\n"),
        ("gen/varie/more.py", ""),
    ];
    let repo = Repo::new();
    for (path, text) in task.iter().chain(&in_shell) {
        repo.file(&format!("p/{path}"), text);
    }
    make_executable(&repo.path("p/gen/lib/print.sh"));
    let ran = repo.run(&["generate", "p"]);
    assert_eq!(ran.all(), "p: 1 case made, 0 unchanged\n--- exit status 0");
    expect(&repo, &made);
    if !crate::support::lacks("python3") {
        let files: Vec<_> = task.into_iter().chain(in_python).collect();
        let repo = generated(&files, "p: 1 case made, 0 unchanged\n--- exit status 0");
        expect(&repo, &made);
    }
}

#[test]
fn a_generator_of_cms_may_share_sources_with_other_tasks_of_its_repository() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = Repo::new();
    repo.file("c/p/task.yaml", "name: sum\ninfile: ''\noutfile: ''\n")
        .file("c/p/gen/GEN", "1 2\n")
        .file("c/p/gen/generatore.py", "from graph import show\nshow()\n")
        .file("c/p/sol/soluzione.sh", SUM)
        .file("util/graph.py", "def show(): print(3, 4)\n");
    // Without a repository, only the tasks in one folder share sources.
    let link = repo.path("c/p/gen/graph.py");
    std::os::unix::fs::symlink("../../../util/graph.py", link).unwrap();
    let ran = repo.run(&["generate", "c/p"]);
    assert!(ran.stderr.contains("No module named 'graph'"), "{}", ran.all());
    std::fs::create_dir(repo.path(".git")).unwrap();
    let ran = repo.run(&["generate", "c/p"]);
    assert_eq!(ran.all(), "p: 1 case made, 0 unchanged\n--- exit status 0");
    assert_eq!(repo.read("c/p/output/output0.txt"), "7\n");
}

fn make_executable(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_generator_of_cms_may_be_a_link_to_an_installed_program() {
    let repo = Repo::new();
    repo.file("p/task.yaml", "name: sum\ninfile: ''\noutfile: ''\n")
        .file("p/gen/GEN", "1 2\n3 4 # not small\n")
        .file("p/sol/soluzione.sh", SUM);
    std::os::unix::fs::symlink("/bin/echo", repo.path("p/gen/generatore.sh")).unwrap();
    let ran = repo.run(&["generate", "p"]);
    assert_eq!(ran.all(), "p: 2 cases made, 0 unchanged\n--- exit status 0");
    let made = [("input/input1.txt", "3 4\n"), ("output/output1.txt", "7\n")];
    expect(&repo, &made);
}

#[test]
fn cms_inputs_are_made_from_the_commands_of_task_maker() {
    let files = [
        ("task.yaml", "name: sum\ninfile: ''\noutfile: ''\n"),
        (
            "gen/cases.gen",
            ": GEN default gen/print.sh A B\n: GEN twice gen/twice.sh A\n: VAL default gen/valida.sh\n\
             : CONSTRAINT 1 <= $A\n: SUBTASK 0 examples\n: COPY att/one.txt\n: SUBTASK 100 all # of them\n3 4\n\
             : RUN twice 5\n",
        ),
        ("gen/print.sh", "echo $*\n"),
        ("gen/twice.sh", "echo $1 $1\n"),
        ("gen/valida.sh", "exit 0\n"),
        ("att/one.txt", "1 2\n"),
        ("sol/soluzione.sh", SUM),
        ("sol/wrong.sh", "read a b; [ $a = 5 ] && a=0; echo $((a + b))\n"),
    ];
    let repo = generated(&files, "p: 3 cases made, 0 unchanged\n--- exit status 0");
    let made = [
        ("input/input0.txt", "1 2\n"),
        ("input/input1.txt", "3 4\n"),
        ("input/input2.txt", "5 5\n"),
        ("output/output2.txt", "10\n"),
    ];
    expect(&repo, &made);
    let ran = repo.run(&["run", "p", "-v"]);
    assert!(ran.stdout.contains("0 of 100 points"), "{}", ran.all());
}

/// As cmsMake, which connects the standard streams too if the task names no files.
#[test]
fn cms_answers_may_be_printed_or_in_the_file_that_the_solution_writes() {
    for solution in [SUM, "e=txt; read a b < input.$e; echo chatter; echo $((a + b)) > output.$e\n"]
    {
        let files = [
            ("task.yaml", "name: sum\ntime_limit: 1\n"),
            ("gen/GEN", "3 4\n"),
            ("gen/generatore.sh", "echo $*\n"),
            ("sol/soluzione.sh", solution),
        ];
        let repo = generated(&files, "p: 1 case made, 0 unchanged\n--- exit status 0");
        expect(&repo, &[("output/output0.txt", "7\n")]);
    }
    let files = [
        ("task.yaml", "name: sum\ninfile: input.txt\noutfile: output.txt\n"),
        ("gen/GEN", "3 4\n"),
        ("gen/generatore.sh", "echo $*\n"),
        ("sol/soluzione.sh", SUM),
    ];
    let repo = Repo::new();
    for (path, text) in files {
        repo.file(&format!("p/{path}"), text);
    }
    let made = repo.run(&["generate", "p"]);
    assert_eq!(made.status, 2, "{}", made.all());
    let why = "the solution did not write the file `output.txt`";
    assert!(made.stderr.contains(why), "{}", made.all());
}

#[test]
fn sinol_inputs_are_written_by_ingen() {
    let files = [
        ("config.yml", "title: Sum\nsinol_task_id: sum\ntime_limit: 1000\n"),
        ("prog/sum.sh", SUM),
        ("prog/sumingen.sh", "echo 1 2 > sum0.in; echo 3 4 > sum1a.in; echo x > other.txt\n"),
    ];
    let repo = generated(&files, "p: 2 cases made, 0 unchanged\n--- exit status 0");
    let made = [
        ("in/sum0.in", "1 2\n"),
        ("out/sum0.out", "3\n"),
        ("in/sum1a.in", "3 4\n"),
        ("out/sum1a.out", "7\n"),
    ];
    expect(&repo, &made);
}

/// sinol-make starts it in `in/`, from its own place, and prints its messages.
#[test]
fn ingen_and_inwer_know_which_of_the_two_they_are() {
    if crate::support::lacks("g++") {
        return;
    }
    let repo = Repo::new();
    // One source for both, as a link would be.
    let source = "#include <cstdio>\nint main() {\n\
        #if defined(_INGEN)\n  fputs(\"1 2\\n\", fopen(\"sum1a.in\", \"w\"));\n\
        #elif defined(_INWER)\n  int a; if (scanf(\"%d\", &a) != 1) return 1; puts(\"OK\");\n\
        #else\n#error which one\n#endif\n}\n";
    repo.file(
        "p/config.yml",
        "title: Sum\nsinol_task_id: sum\ntime_limit: 5000\nmemory_limit: 262144\n",
    )
    .file("p/prog/sumingen.cpp", source)
    .file("p/prog/suminwer.cpp", source)
    .file("p/prog/sum.py", "print(sum(map(int, input().split())))\n");
    let ran = repo.run(&["generate", "p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(repo.read("p/in/sum1a.in"), "1 2\n");
    let ran = repo.run(&["verify", "p"]);
    assert!(!ran.all().contains("which one"), "{}", ran.all());
}

#[test]
fn ingen_uses_its_neighbours_and_its_messages_are_shown() {
    let config = "title: Sum\nsinol_task_id: sum\ntime_limit: 1000\n";
    let ingen = "here=$(dirname \"$0\")\nmkdir -p \"$here/../.cache\" && cp \"$here/tests\" \"$here/../.cache\"\n\
                 for test in $(cat \"$here/../.cache/tests\"); do echo 1 2 > sum$test.in; done\necho well done >&2\n";
    let repo = Repo::new();
    repo.file("p/config.yml", config)
        .file("p/prog/sum.sh", SUM)
        .file("p/prog/sumingen.sh", ingen)
        .file("p/prog/tests", "0 1a\n")
        .file("p/in/sum2.in", "5 6\n");
    let ran = repo.run(&["generate", "p"]);
    assert_eq!(
        ran.all(),
        "p: 3 cases made, 0 unchanged\n--- standard error\nwarning: p: the messages of `sumingen.sh`:\n  well done\n\
         --- exit status 0"
    );
    expect(&repo, &[("in/sum1a.in", "1 2\n"), ("out/sum2.out", "11\n")]);
    let repo = Repo::new();
    repo.file("p/config.yml", config)
        .file("p/prog/sum.sh", SUM)
        .file("p/prog/sumingen.sh", "cat nothing > /dev/null\ntrue\n");
    let ran = repo.run(&["generate", "p"]);
    let words = "warning: p: `sumingen.sh` wrote no file `sum*.in` into `in/`\n  ";
    assert!(ran.stderr.starts_with(words), "{}", ran.all());
    assert!(ran.stderr.contains("nothing: No such file"), "{}", ran.all());
    assert!(!ran.stderr.contains("describes no tests"), "{}", ran.all());
}

#[test]
fn rbx_inputs_are_made_by_generators_scripts_and_copies() {
    let files = [
        (
            "problem.rbx.yml",
            "name: sum\ntimeLimit: 1000\nmemoryLimit: 256
checker: {path: wcmp.cpp}
generators: [{name: gen, path: gens/print.sh}]
solutions: [{path: sols/sum.sh, outcome: accepted}]
testcases:
- {name: samples, testcaseGlob: tests/*.in}
- name: main
  generators: [{name: gen, args: '3 4'}]
  subgroups:
  - name: more
    generatorScript: {path: plan.txt}
- {name: whole}
generatorScript: {path: plan.txt}
",
        ),
        (
            "plan.txt",
            "// a comment\ngens/print 5 6\n@copy tests/1.in\n@input {\n 7 8\n}\n@testgroup whole {\n  gen 1 1\n}\n",
        ),
        ("tests/1.in", "1 2\n"),
        ("gens/print.sh", "echo $*\n"),
        ("sols/sum.sh", SUM),
    ];
    let repo = generated(&files, "p: 9 cases made, 0 unchanged\n--- exit status 0");
    let made = [
        ("build/tests/samples/000.in", "1 2\n"),
        ("build/tests/samples/000.out", "3\n"),
        ("build/tests/main/0-000.in", "3 4\n"),
        ("build/tests/main/1-more-000.out", "11\n"),
        ("build/tests/main/1-more-001.out", "3\n"),
        ("build/tests/main/1-more-002.in", "7 8\n"),
        ("build/tests/whole/003.out", "2\n"),
    ];
    expect(&repo, &made);
}

#[test]
fn library_checker_inputs_are_made_with_their_numbers() {
    if crate::support::lacks("g++") {
        return;
    }
    let sum = "#include <cstdio>\nint main() { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a + b); }\n";
    let files = [
        (
            "info.toml",
            "title = 'Sum'\ntimelimit = 1.0\n[[tests]]\nname = 'example.in'\nnumber = 1\n\
             [[tests]]\nname = 'count.sh'\nnumber = 2\n",
        ),
        ("gen/example_00.in", "1 2\n"),
        ("gen/count.sh", "echo 5 $1\n"),
        ("sol/correct.cpp", sum),
    ];
    let repo = generated(&files, "p: 3 cases made, 0 unchanged\n--- exit status 0");
    let made = [
        ("in/example_00.in", "1 2\n"),
        ("out/example_00.out", "3\n"),
        ("in/count_01.in", "5 1\n"),
        ("out/count_01.out", "6\n"),
    ];
    expect(&repo, &made);
}

#[test]
fn an_input_that_does_not_fit_the_stored_answer_is_never_written() {
    let xml = POLYGON.replace("<test cmd=\"bad 1\" method=\"generated\"/>", "");
    let repo = Repo::new();
    for (path, text) in [
        ("problem.xml", xml.as_str()),
        ("tests/01", "1 2\n"),
        ("tests/02.a", "8\n"),
        ("tests/03.a", "3\n"),
        ("files/print.sh", "echo $*\n"),
        ("files/many.sh", "echo 2 $# > 05\n"),
        ("solutions/sum.sh", SUM),
    ] {
        repo.file(&format!("p/{path}"), text);
    }
    for made in ["2 cases made, 0 unchanged", "0 cases made, 2 unchanged"] {
        let ran = repo.run(&["generate", "p"]);
        let expected = format!(
            "p: {made}
--- standard error
error: p: the stored answer `tests/02.a` differs from that of the generated input, which is not written
help: remove the answer, and generate again
--- exit status 1"
        );
        assert_eq!(ran.all(), expected);
        assert!(!repo.path("p/tests/02").exists());
    }
    assert_eq!(repo.read("p/tests/03"), "2 1\n");
    std::fs::remove_file(repo.path("p/tests/02.a")).unwrap();
    let ran = repo.run(&["generate", "p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(repo.read("p/tests/02.a"), "7\n");
}

#[test]
fn a_generator_that_does_not_write_its_file_is_named_with_the_file() {
    let repo = Repo::new();
    repo.file("p/problem.xml", POLYGON)
        .file("p/tests/01", "1 2\n")
        .file("p/files/print.sh", "echo $*\n")
        .file("p/files/many.sh", "echo 2 2 > 4\n")
        .file("p/solutions/sum.sh", SUM);
    let ran = repo.run(&["generate", "p"]);
    let words = "the generator `many 'a b'` wrote no file `5`";
    assert!(ran.stderr.contains(words), "{}", ran.all());
}

#[test]
fn clean_needs_rules() {
    let repo = Repo::new();
    repo.file("p/problem.xml", POLYGON).file("p/files/print.sh", "echo $*\n");
    let ran = repo.run(&["generate", "--clean", "p"]);
    let expected = "error: `--clean` does not apply to `p`, which has no generators/generators.yaml
help: remove the files of the tests yourself, and generate without `--clean`";
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains(expected), "{}", ran.all());
    assert!(!repo.path("p/tests").exists());
}

#[test]
fn a_star_of_rbx_stays_within_a_folder_and_a_broken_glob_is_a_fault() {
    let yaml = |glob: &str| {
        format!(
            "name: sum\ntimeLimit: 1000\nmemoryLimit: 256
checker: {{path: wcmp.cpp}}
solutions: [{{path: sols/sum.sh, outcome: accepted}}]
testcases: [{{name: samples, testcaseGlob: '{glob}'}}]
"
        )
    };
    let repo = Repo::new();
    repo.file("p/problem.rbx.yml", yaml("tests/*.in"))
        .file("p/tests/1.in", "1 2\n")
        .file("p/tests/old/2.in", "3 4\n")
        .file("p/sols/sum.sh", SUM);
    let ran = repo.run(&["generate", "p"]);
    assert_eq!(ran.all(), "p: 1 case made, 0 unchanged\n--- exit status 0");
    repo.file("p/problem.rbx.yml", yaml("tests/[.in"));
    let ran = repo.run(&["generate", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let words = "p/problem.rbx.yml: `tests/[.in` is not a glob";
    assert!(ran.stderr.contains(words), "{}", ran.all());
}

/// rbx gives them as arguments and in a header, and each group may state its own.
#[test]
fn validators_of_rbx_get_the_variables_of_each_group_and_accept_with_0() {
    let mut yaml = String::from(
        "name: p\ntimeLimit: 1000\nmemoryLimit: 256
vars: {N: {min: 1, max: 100}}
validator: {path: validators/check.sh}
generators: [{name: gen, path: print.sh}]
solutions: [{path: sols/sum.sh, outcome: accepted}]
testcases:
- {name: small, vars: {N: {max: 10}}, generators: [{name: gen, args: 5 2}, {name: gen, args: 50 2}]}
- {name: large, generators: [{name: gen, args: 50 2}, {name: gen, args: 500 2}]}
",
    );
    let check = "read n m\ncase \"$*\" in\n*--N.max=10\\ *--group\\ small) most=10;;\n\
        *--N.max=100\\ *--group\\ large) most=100;;\n*) exit 3;;\nesac\n[ $n -le $most ]\n";
    let in_cpp = "#include \"rbx.h\"\n#include <iostream>\nint main() {\n  long long n;\n  std::cin >> n;\n  \
        return n >= getVar<int>(\"N\", \"min\") && n <= getVar<long long>(\"N.max\") ? 0 : 1;\n}\n";
    let repo = Repo::new();
    repo.file("p/validators/check.sh", check)
        .file("p/validators/check.cpp", in_cpp)
        .file("p/print.sh", "echo $*\n")
        .file("p/sols/sum.sh", SUM);
    // rbx writes it again.
    repo.file("p/rbx.h", "#error old\n");
    let mut kinds = vec!["check.sh"];
    if !crate::support::lacks("g++") {
        kinds.push("check.cpp");
    }
    for kind in kinds {
        yaml = yaml.replace("check.sh", kind);
        repo.file("p/problem.rbx.yml", &*yaml);
        let ran = repo.run(&["generate", "p"]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stdout.contains(", 2 failed"), "{}", ran.all());
        for name in ["small/001", "large/001"] {
            let message = format!(
                "error: cannot make `p/{name}`\n  caused by: the input validator `{kind}` rejects the input: exit code 1"
            );
            assert!(ran.stderr.contains(&message), "{}", ran.all());
        }
        let ran = repo.run(&["verify", "p"]);
        assert!(!ran.all().contains("rejects it"), "{}", ran.all());
        assert!(!ran.all().contains("fails:"), "{}", ran.all());
    }
}

#[test]
fn a_glob_of_extra_validators_of_rbx_stands_for_the_matching_sources() {
    let yaml = "name: p\ntimeLimit: 1000\ngenerators: [{name: gen, path: print.sh}]\nextraValidators: \
                [{path: 'checks/*'}, {path: 'none/*'}]\nsolutions: [{path: sols/sum.sh, outcome: accepted}]\n\
                testcases: [{name: small, generators: [{name: gen, args: 1 2}, {name: gen, args: 5 2}]}]\n";
    let repo = Repo::new();
    repo.file("p/problem.rbx.yml", yaml)
        .file("p/checks/few.sh", "read n m; [ $n -le 4 ]\n")
        .file("p/checks/any.sh", "exit 0\n")
        .file("p/checks/notes.txt", "not a program\n")
        .file("p/print.sh", "echo $*\n")
        .file("p/sols/sum.sh", SUM);
    let ran = repo.run(&["generate", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let rejected = "error: cannot make `p/small/001`\n  caused by: the input validator `few.sh` rejects the input";
    assert!(ran.stderr.contains(rejected), "{}", ran.all());
    assert!(ran.stdout.contains("1 case made"), "{}", ran.all());
    assert!(ran.stderr.contains("`none/*` in `extraValidators` adds no source"), "{}", ran.all());
}

#[test]
fn a_header_of_rbx_outside_of_the_package_is_not_read() {
    let repo = Repo::new();
    let yaml = "name: p\ntimeLimit: 1000\nmemoryLimit: 256\n\
        testcases: [{name: main, testcases: [{inputPath: tests/1.in, outputPath: tests/1.ans}]}]\n";
    repo.file("p/problem.rbx.yml", yaml)
        .file("p/tests/1.in", "1\n")
        .file("p/tests/1.ans", "1\n")
        .file("secret", "#error secret\n");
    std::os::unix::fs::symlink(repo.path("secret"), repo.path("p/rbx.override.h")).unwrap();
    let message = "error: p/problem.rbx.yml: `rbx.override.h` is a symbolic link that leads out of the package";
    for command in ["generate", "run"] {
        let ran = repo.run(&[command, "p"]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains(message), "{}", ran.all());
    }
}

/// A plan may be what a program prints, or in the format of Box; answers may be stored, or those of another solution.
#[test]
fn plans_of_programs_and_stored_answers_of_rbx_are_used() {
    let yaml = "name: sum\ntimeLimit: 1000\nmemoryLimit: 256
checker: {path: check.sh}
solutions: [{path: sols/sum.sh, outcome: accepted}, {path: 'sols/*.sh', outcome: any}]
testcases:
- name: samples
  model_solution: {path: sols/spaced.sh}
  generatorScript: {path: box.txt, format: box, root: gens}
- {name: stored, testcaseGlob: tests/*.in}
- {name: stated, testcases: [{inputPath: tests/1.in, outputPath: tests/other}]}
- name: main
  subgroups:
  - {name: one}
  - {name: two}
generatorScript: {path: plan.sh}
";
    let files = [
        ("problem.rbx.yml", yaml),
        ("check.sh", "exit 0\n"),
        ("box.txt", "# comment\n1 ; print.exe 5 6\n"),
        (
            "plan.sh",
            "printf '@testgroup main/two {\\n gens/print 7 8\\n}\\n@testgroup main {\\n gens/print 1 1\\n}\\n'\n",
        ),
        ("gens/print.sh", "echo $*\n"),
        ("tests/1.in", "1 2\n"),
        ("tests/1.ans", "3 \n"),
        ("tests/2.in", "3 4\n"),
        ("tests/other", "three\n"),
        ("sols/sum.sh", SUM),
        ("sols/spaced.sh", "read a b; echo \" $((a + b))\"\n"),
    ];
    let repo = generated(&files, "p: 7 cases made, 0 unchanged\n--- exit status 0");
    let made = [
        ("build/tests/samples/000.in", "5 6\n"),
        ("build/tests/samples/000.out", " 11\n"),
        ("build/tests/stored/000.out", "3 \n"),
        ("build/tests/stored/001.out", "7\n"),
        ("build/tests/stated/000.out", "three\n"),
        ("build/tests/main/1-one-000.in", "1 1\n"),
        ("build/tests/main/2-two-000.in", "7 8\n"),
        ("build/tests/main/2-two-001.in", "1 1\n"),
    ];
    for (path, text) in made {
        assert_eq!(repo.read(&format!("p/{path}")), text, "{path}");
    }
    let check = repo.run(&["generate", "p", "--check"]);
    assert_eq!(check.status, 0, "{}", check.all());
    repo.file("p/plan.sh", "exit 1\n");
    let ran = repo.run(&["generate", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let message = "error: cannot run the generator script `p/plan.sh`";
    assert!(ran.stderr.contains(message), "{}", ran.all());
}

/// The checker reads what the interactor wrote about the main solution. rbx and Polygon store that as the answer.
#[test]
fn answers_of_interactive_problems_are_what_the_interactor_writes_for_the_checker() {
    let interactor =
        "read n <\"$1\"\necho $n\nread guess\n[ $guess -ge $n ] || exit 1\necho $guess >\"$2\"\n";
    let checker = "read out <\"$2\"\nread ans <\"$3\" || exit 3\n[ $out -le $ans ]\n";
    let rbx = "name: p\ntimeLimit: 1000\nmemoryLimit: 256\ntype: COMMUNICATION
interactor: {path: files/interactor.sh, legacy: true}
checker: {path: files/check.sh}
solutions: [{path: solutions/main.sh, outcome: ac}, {path: solutions/wrong.sh, outcome: wa}]
testcases: [{name: other, testcases: [{inputPath: tests/01}]}]
";
    let polygon = r#"<problem short-name="p"><judging><testset name="tests"><time-limit>1000</time-limit>
<memory-limit>268435456</memory-limit><test-count>1</test-count><input-path-pattern>tests/%02d</input-path-pattern>
<answer-path-pattern>tests/%02d.a</answer-path-pattern><tests><test method="manual"/></tests></testset></judging>
<assets><checker type="testlib"><source path="files/check.sh"/></checker>
<interactor><source path="files/interactor.sh"/></interactor>
<solutions><solution tag="main"><source path="solutions/main.sh"/></solution>
<solution tag="wrong-answer"><source path="solutions/wrong.sh"/></solution></solutions></assets></problem>"#;
    for (description, text, answer) in [
        ("problem.rbx.yml", rbx, "build/tests/other/000.out"),
        ("problem.xml", polygon, "tests/01.a"),
    ] {
        let repo = Repo::new();
        repo.file(&format!("p/{description}"), text)
            .file("p/files/interactor.sh", interactor)
            .file("p/files/check.sh", checker)
            .file("p/tests/01", "5\n")
            .file("p/solutions/main.sh", "read n; echo $((n + 1))\n")
            .file("p/solutions/wrong.sh", "read n; echo $((n + 2))\n");
        let ran = repo.run(&["generate", "p"]);
        let expected = "p: 1 case made, 0 unchanged\n--- exit status 0";
        assert_eq!(ran.all(), expected, "{description}");
        assert_eq!(repo.read(&format!("p/{answer}")), "6\n");
        let ran = repo.run(&["run", "p"]);
        assert_eq!(ran.status, 0, "{description}: {}", ran.all());
        std::fs::remove_file(repo.path(&format!("p/{answer}"))).unwrap();
        repo.file("p/solutions/main.sh", "read n; echo $((n - 1))\n");
        let ran = repo.run(&["generate", "p"]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        let message =
            "caused by: the main solution `main.sh` failed: WA: the interactor rejects it";
        assert!(ran.stderr.contains(message), "{}", ran.all());
    }
}

#[test]
fn a_package_of_rbx_without_tests_is_told_where_they_belong() {
    let repo = Repo::new();
    repo.file("p/problem.rbx.yml", "name: p\ntimeLimit: 1000\nmemoryLimit: 256\n");
    let ran = repo.run(&["generate", "p"]);
    let expected =
        "--- standard error\nwarning: p: the package describes no tests\n--- exit status 0";
    assert_eq!(ran.all(), expected);
    let ran = repo.run(&["run", "p"]);
    let help = "help: add groups of tests to `testcases` in problem.rbx.yml";
    assert!(ran.stderr.contains(help), "{}", ran.all());
}
