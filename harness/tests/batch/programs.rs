//! Programs that are functions, that test themselves, and that models wrote.

use serde_json::{Value, json};

use super::{Batch, case, doubled, with};
use crate::support::{Repo, lacks};

fn python(source: &str, more: &Value) -> Value {
    with(&json!({ "language": "python", "source": source }), more)
}

#[test]
fn functions_are_called_behind_the_walls() {
    if lacks("python3") {
        return;
    }
    let repo = Repo::new();
    let add = json!({ "name": "add" });
    let by_lines =
        json!({ "function": add, "cases": [case("2\n3", "5"), case("[1]\n[2]", "[1,2]")] });
    let by_values = json!({
        "function": { "name": "add", "arguments": "values" },
        "cases": { "inputs": [[2, 3], [[1], [2.5]]], "outputs": [5, [1, 2.5]] },
    });
    let class =
        "class Solution:\n    def add(self, a, b):\n        print('noise')\n        return a + b\n";
    let batch = Batch::of(
        &repo,
        &[
            python(class, &by_lines),
            python("def add(a, b):\n    return a + b\n", &by_values),
            python("def add(a, b):\n    return (a,)\n", &by_lines),
            python("def other():\n    pass\n", &by_lines),
            python("add = None\nraise ValueError('here')\n", &by_lines),
            python(
                "import sys\ndef add(a, b):\n    print(open(sys.argv[0]).read().count('answer'))\n    return 5\n",
                &json!({ "function": add, "cases": [case("2\n3", "5")] }),
            ),
        ],
    );
    assert_eq!(batch.verdicts(0), "AC AC", "{}", batch.answer(0));
    assert_eq!(batch.verdicts(1), "AC AC", "{}", batch.answer(1));
    assert_eq!(batch.verdicts(2), "WA SKIP", "{}", batch.answer(2));
    assert_eq!(batch.verdicts(3), "RTE SKIP");
    let told = batch.answer(3)["cases"][0]["stderr_tail"].as_str().unwrap();
    assert!(told.contains("there is no function `add`"), "{told}");
    let trace = batch.answer(4)["cases"][0]["stderr_tail"].as_str().unwrap();
    assert!(trace.contains("\"solution.py\", line 2"), "{trace}");
    assert!(trace.contains("raise ValueError('here')"), "{trace}");
    assert_eq!(batch.verdicts(5), "AC");
}

#[test]
fn programs_with_their_own_tests_must_come_to_the_end() {
    if lacks("python3") {
        return;
    }
    let repo = Repo::new();
    let exit = |source: &str| python(source, &json!({ "check": "exit" }));
    let unit = |body: &str| {
        let source = format!("import unittest\nclass TestCases(unittest.TestCase):\n{body}");
        python(&source, &json!({ "check": "unittest" }))
    };
    let batch = Batch::of(
        &repo,
        &[
            exit("def f(x):\n    return x\nassert f(2) == 2\nprint('done')\n"),
            exit("def f(x):\n    return x\nassert f(2) == 3\n"),
            exit("import sys\nsys.exit(0)\nassert False\n"),
            exit("import os\nos._exit(0)\n"),
            unit("    def test_a(self):\n        self.assertEqual(1, 1)\n"),
            unit("    def test_a(self):\n        self.assertEqual(1, 2)\n"),
            unit("    x = 1\n"),
        ],
    );
    let verdicts: Vec<&str> =
        (0..7).map(|id| batch.answer(id)["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["AC", "RTE", "WA", "WA", "AC", "RTE", "RTE"]);
    assert_eq!(batch.answer(2)["cases"][0]["reason"], "the program ended before its last test");
    assert!(batch.answer(0)["cases"][0].get("stdout_head").is_none());
    let trace = batch.answer(1)["cases"][0]["stderr_tail"].as_str().unwrap();
    assert!(trace.contains("assert f(2) == 3"), "{trace}");
}

#[test]
fn a_completion_without_a_program_is_an_answer() {
    let repo = Repo::new();
    let rust = |completion: &str| json!({ "language": "rust", "completion": completion, "cases": [case("", "1")] });
    let program = "Let me think.\n```rust\nfn main() { println!(\"1\"); }\n```\nDone.";
    let batch = Batch::of(&repo, &[rust("I cannot."), rust("```\n\n```"), rust(program)]);
    for id in [0, 1] {
        let answer = batch.answer(id);
        assert_eq!(
            (&answer["judged"], &answer["verdict"], &answer["no_program"], &answer["total"]),
            (&json!(true), &json!("CE"), &json!(true), &json!(1))
        );
    }
    assert_eq!(batch.answer(2)["verdict"], "AC");
    assert_eq!(batch.ran.status, 0);
}

#[test]
fn cases_of_a_problem_that_are_not_there_yet_are_made() {
    let repo = Repo::new();
    let generator = "x=$1; echo $x; echo $((x * 2)) >&2\n";
    let init = |args: &str| format!("generator: gen.sh\ntest_cases:\n- {{{args}points: 10}}\n");
    repo.file("good/init.yml", init("generator_args: [3], ")).file("good/gen.sh", generator);
    repo.file("bad/init.yml", init("generator_args: [3], ")).file("bad/gen.sh", "exit 3\n");
    let request =
        |problem: &str| json!({ "language": "rust", "source": doubled(), "problem": problem });
    let batch = Batch::of(&repo, &[request("good"), request("bad"), request("good")]);
    assert_eq!((batch.verdicts(0), batch.verdicts(2)), ("AC".to_owned(), "AC".to_owned()));
    let failed = batch.answer(1);
    assert_eq!((&failed["judged"], &failed["fault"]), (&json!(false), &json!("judge")));
    let reason = failed["reason"].as_str().unwrap();
    assert!(reason.contains("cannot make the cases of `bad`"), "{reason}");
    assert!(reason.contains("exit code 3"), "{reason}");
}

#[test]
fn files_lie_beside_the_source() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::new();
    let source = "#include \"ours.h\"\n#include <cstdio>\nint main() { printf(\"%d\", ours()); }\n";
    let request = json!({
        "language": "c++17",
        "source": source,
        "files": { "ours.h": "int ours() { return 4; }\n" },
        "cases": [case("", "4")],
    });
    let mut outside = request.clone();
    outside["files"] = json!({ "../x.h": "" });
    let batch = Batch::of(&repo, &[request, outside]);
    assert_eq!(batch.verdicts(0), "AC", "{}", batch.answer(0));
    assert_eq!(batch.answer(1)["fault"], "request");
}
