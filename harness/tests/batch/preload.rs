//! Programs in Python whose cases begin in copies of an interpreter.

use serde_json::{Value, json};

use super::{Batch, case};
use crate::support::{Repo, lacks};

/// Programs of every kind of end, with cases for them.
fn requests() -> Vec<Value> {
    let of = |source: &str, cases: &[Value]| json!({ "language": "python", "source": source, "cases": cases, "stop": "all" });
    let double = [case("1", "2"), case("2", "4"), case("3", "6"), case("4", "9")];
    let adder = json!({
        "language": "python",
        "source": "from functools import lru_cache\ndef add(a, b):\n    return a + b\n",
        "function": { "name": "add" },
        "cases": [case("2\n3", "5"), case("4\n5", "9"), case("6\n7", "12")],
    });
    let cpp = json!({
        "language": "c++",
        "source": "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 2 * n; }",
        "cases": double,
    });
    vec![
        of("import sys, heapq\nprint(int(sys.stdin.read()) * 2)", &double),
        of("n = int(input())\nprint(2 * n if n != 3 else 1 // 0)", &double),
        of("n = int(input())\nwhile n == 2: pass\nprint(2 * n)", &double),
        of(
            "import os\nprint(2 * int(input()), flush=True)\nopen('/tmp/left', 'x')\nos.fork()",
            &double,
        ),
        adder,
        cpp,
    ]
}

#[test]
fn a_copy_of_an_interpreter_gets_the_verdict_of_a_new_one() {
    if lacks("python3") {
        return;
    }
    let repo = Repo::new();
    let requests: Vec<Value> = requests();
    let limit = ["--time-limit", "0.5", "--jobs", "1"];
    let plain = Batch::with_options(&repo, &limit, &requests);
    let copied = Batch::with_options(&repo, &[&limit[..], &["--preload"]].concat(), &requests);
    for (number, request) in requests.iter().enumerate() {
        assert_eq!(copied.verdicts(number), plain.verdicts(number), "{request}");
        let answer = copied.answer(number);
        let cases = answer["cases"].as_array().unwrap();
        let is_python = request["language"] == "python";
        assert_ne!(cases[0]["preloaded"], true, "{answer}");
        assert_eq!(cases.iter().any(|case| case["preloaded"] == true), is_python, "{answer}");
        assert!(!plain.answer(number).to_string().contains("preloaded"));
    }
    assert!(
        copied.ran.stderr.contains(" cases in a copy of an interpreter"),
        "{}",
        copied.ran.stderr
    );
    let options = ["--preload", "--sandbox", "off"];
    let alone = Batch::with_options(&repo, &options, &requests[..1]);
    assert_eq!(alone.verdicts(0), plain.verdicts(0));
    assert!(alone.ran.stderr.contains("warning: no case began in a copy"), "{}", alone.ran.stderr);
}
