//! Where a layout has its solutions, and in which language they are.

use crate::layouts::SUM;
use crate::support::Repo;

#[test]
fn a_problem_of_boca_or_dmoj_has_its_solutions_where_people_put_them() {
    let boca: [(&str, &str); 3] =
        [("description/problem.info", "fullname=A\n"), ("input/1", "1 2\n"), ("output/1", "3\n")];
    let dmoj: [(&str, &str); 3] = [
        ("init.yml", "test_cases:\n- {in: 1.in, out: 1.out, points: 5}\n"),
        ("1.in", "1 2\n"),
        ("1.out", "3\n"),
    ];
    let of_boca = ["solutions/sum.rs", "sum.rs"].as_slice();
    let of_dmoj =
        ["solutions/sum.rs", "solution/sum.rs", "submissions/sum.rs", "sum.rs"].as_slice();
    for (files, sources) in [(&boca, of_boca), (&dmoj, of_dmoj)] {
        for source in sources {
            let repo = Repo::new();
            for (name, text) in files {
                repo.file(&format!("there/{name}"), text);
            }
            repo.file(&format!("there/{source}"), SUM);
            let found = repo.verdicts(&["there"]);
            assert_eq!(found.len(), 1, "{source}: {found:?}");
            assert!(found[0].ends_with(" AC"), "{source}: {found:?}");
        }
    }
}

#[test]
fn a_key_that_is_set_twice_is_a_warning_where_the_layout_is_read_by_python() {
    let dmoj = "test_cases:\n- {in: 1.in, out: 1.out, points: 5}\npoints: 3\npoints: 4\n";
    let cms = "name: there\ntitle: a\ntitle: b\nn_input: 1\n";
    let table: [(&str, &str, [&str; 3], &str); 3] = [
        ("init.yml", dmoj, ["1.in", "1.out", "sum.rs"], "init.yml:4:1: the key `points`"),
        (
            "task.yaml",
            cms,
            ["input/input0.txt", "output/output0.txt", "sol/solution.rs"],
            "task.yaml:3:1: the key `title`",
        ),
        (
            "config.yml",
            "sinol_task_id: abc\ntitle: a\ntitle: b\n",
            ["in/abc1.in", "out/abc1.out", "prog/abc.rs"],
            "config.yml:3:1: the key `title`",
        ),
    ];
    for (name, text, [input, answer, source], warning) in table {
        let repo = Repo::new();
        repo.file(&format!("there/{name}"), text).file(&format!("there/{input}"), "1 2\n");
        repo.file(&format!("there/{answer}"), "3\n").file(&format!("there/{source}"), SUM);
        let ran = repo.run(&["run", "there"]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        let warning = format!("there/{warning} is set twice; the last one counts");
        assert_eq!(ran.stderr.matches(&warning).count(), 1, "{}", ran.all());
    }
}

#[test]
fn the_type_of_a_solution_on_polygon_tells_its_language() {
    let repo = Repo::new();
    let solution = |name: &str, kind: &str| {
        repo.file(&format!("p/solutions/{name}"), "pass\n");
        format!(
            "<solution tag=\"main\"><source path=\"solutions/{name}\" type=\"{kind}\"/></solution>"
        )
    };
    let solutions = [
        solution("a.py", "python.2"),
        solution("b.py", "python.3"),
        solution("c.py", "python.pypy3-64"),
        solution("d.py", "python.pypy2"),
        solution("e.cpp", "cpp.g++17"),
    ];
    let text = format!(
        "<problem short-name=\"p\"><judging><testset name=\"tests\"><time-limit>1000</time-limit>\
         <memory-limit>268435456</memory-limit><test-count>1</test-count>\
         <input-path-pattern>tests/%02d</input-path-pattern>\
         <answer-path-pattern>tests/%02d.a</answer-path-pattern><tests><test method=\"manual\"/></tests>\
         </testset></judging><assets><checker name=\"std::wcmp.cpp\" type=\"testlib\"/>\
         <solutions>{}</solutions></assets></problem>",
        solutions.concat()
    );
    repo.file("p/problem.xml", text).file("p/tests/01", "1\n").file("p/tests/01.a", "1\n");
    let ran = repo.run(&["list", "p", "--json", "-"]);
    let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let submissions: Vec<String> = lines
        .filter(|line: &serde_json::Value| line["type"] == "submission")
        .map(|line| line["language"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(submissions, ["python2", "python3", "pypy3", "cpp"], "{}", ran.all());
    let warning = "p/solutions/d.py is not in a known language (`.pypy2`, as the package says)";
    assert!(ran.all().contains(warning), "{}", ran.all());
}

#[test]
fn a_fault_of_a_neighbour_does_not_fail_what_is_named() {
    for (x, y) in [("x", "y"), ("cases/x", "cases/y")] {
        let repo = Repo::new();
        let source = if x == "x" { "x/sum.rs" } else { "solutions/x/sum.rs" };
        repo.file(source, SUM).file(&format!("{x}/1.in"), "1 2\n");
        repo.file(&format!("{x}/1.ans"), "3\n").file(&format!("{y}/README"), "\n");
        std::os::unix::fs::symlink("/nowhere", repo.path(&format!("{y}/input.txt"))).unwrap();
        for named in [x, source, "x"] {
            let ran = repo.run(&["run", named]);
            assert_eq!(ran.status, 0, "{named}: {}", ran.all());
        }
    }
}

#[test]
fn every_program_that_is_named_has_a_result() {
    let repo = Repo::new();
    repo.file("there/1.in", "1 2\n").file("there/1.ans", "3\n");
    repo.file("there/sum.rs", SUM).file("there/empty.rs", " \n").file("there/a.foo", "x\n");
    repo.file("there/none", "x\n");
    let sources = ["there/a.foo", "there/empty.rs", "there/none", "there/sum.rs"];
    let ran = repo.run(&[&["run", "--json", "-"], &sources[..]].concat());
    assert_eq!(ran.status, 1, "{}", ran.all());
    let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let rows: Vec<(String, String, String)> = lines
        .filter(|line: &serde_json::Value| line["type"] == "submission")
        .map(|line| {
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            (text(&line["submission"]), text(&line["verdict"]), text(&line["build"]["error"]))
        })
        .collect();
    let row = |name: &str, verdict: &str, why: &str| (name.into(), verdict.into(), why.into());
    let lists = "`rejudge languages` lists them";
    let expected = [
        row(sources[0], "CE", &format!("`.foo` is the extension of no known language; {lists}")),
        row(sources[1], "CE", "the source is empty"),
        row(sources[2], "CE", &format!("without an extension, its language is not known; {lists}")),
        row(sources[3], "AC", ""),
    ];
    assert_eq!(rows, expected, "{}", ran.all());
    repo.verdicts(&sources);
    // Also beside a package; inside, an empty submission may be meant.
    let repo = Repo::new();
    repo.problem("sum", "name: Sum\n", &[]);
    repo.file("cases/sum/data/secret/1.in", "1 2\n").file("cases/sum/data/secret/1.ans", "3\n");
    repo.file("cases/sum/submissions/wrong_answer/empty.sh", "").file("solutions/sum/empty.sh", "");
    let ran = repo.run(&["run", "--json", "-", "solutions/sum/empty.sh"]);
    assert!(ran.stdout.contains(r#""verdict":"CE""#), "{}", ran.all());
    let ran = repo.run(&["run", "--json", "-", "cases/sum/submissions/wrong_answer/empty.sh"]);
    assert!(ran.stdout.contains(r#""verdict":"WA""#), "{}", ran.all());
}

#[test]
fn a_wrong_solution_that_passes_every_selected_case_is_unexpected_if_that_is_every_case() {
    let repo = Repo::new();
    repo.problem("sum", "name: Sum\n", &[]);
    for name in ["1", "2"] {
        repo.file(&format!("cases/sum/data/secret/{name}.in"), "1 2\n");
        repo.file(&format!("cases/sum/data/secret/{name}.ans"), "3\n");
    }
    repo.file("solutions/sum/wrong_answer/sum.rs", SUM);
    for (glob, status) in [("*", 1), ("[12]", 1), ("1", 0)] {
        let ran = repo.run(&["run", "--case", glob]);
        assert_eq!(ran.status, status, "{glob}: {}", ran.all());
    }
}
