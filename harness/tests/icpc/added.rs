//! Additions of a package to the sources: included files, and constants.

use crate::icpc::{ACCEPTED, V2025, package};

#[test]
fn included_files_are_compiled_with_every_submission_of_their_language() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/include/python3/lib.py", "def three():\n    return 3\n")
        .file("p/include/default/number", "3\n")
        .file("p/include/bash/number", "3\n")
        .file("p/submissions/accepted/one.py", "from lib import three\nprint(three())\n")
        .file("p/submissions/accepted/folder/a.py", "import b\nprint(b.three())\n")
        .file("p/submissions/accepted/folder/b.py", "from lib import three\n")
        .file("p/submissions/submissions.yaml", "accepted/folder: {entrypoint: a.py}\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    // The default folder does not apply to a language with its own folder.
    repo.file(
        "p/submissions/accepted/two.py",
        "import os\nprint(os.path.exists(os.path.join(os.path.dirname(__file__), 'number')))\n",
    );
    let ran = repo.judge_package();
    assert!(ran.stdout.contains("got `False`"), "{}", ran.all());
}

#[test]
fn included_files_are_in_the_working_folder_of_a_single_file_too() {
    if crate::support::lacks("python3") || crate::support::lacks("kotlinc") {
        return;
    }
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/include/default/number.txt", "3\n")
        .file("p/submissions/accepted/opens.py", "print(open('number.txt').read(), end='')\n")
        .file("p/submissions/accepted/opens.sh", "cat number.txt\n")
        // A class of the package starts; the submission has only a function.
        .file("p/include/kotlin/Main.kt", "fun main() { println(three()) }\n")
        .file("p/submissions/accepted/three.kt", "fun three() = 3\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn an_included_driver_starts_and_replaces_a_file_of_its_name() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/include/python3/main.py", "import solution\nprint(solution.answer())\n")
        .file("p/include/python3/rules.py", "ANSWER = 3\n")
        .file(
            "p/submissions/accepted/solution.py",
            "from rules import ANSWER\ndef answer():\n    return ANSWER\n",
        )
        .file("p/submissions/accepted/cheat/rules.py", "ANSWER = 4\n")
        .file(
            "p/submissions/accepted/cheat/solution.py",
            "from rules import ANSWER\ndef answer():\n    return ANSWER\n",
        );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    // Included files do not count towards the code limit.
    repo.file("p/include/python3/large.py", "#".repeat(3000))
        .file("p/problem.yaml", V2025.replace("0.2}", "0.2, code: 1}"));
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn a_folder_of_an_unknown_language_is_reported() {
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/submissions/accepted/a.sh", "echo 3\n").file("p/include/klingon/x", "");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    let warning = "warning: p/include/klingon is not named after a known language; it is not used";
    assert!(ran.stderr.contains(warning), "{}", ran.all());
}

#[test]
fn constants_are_replaced_in_submissions_validators_included_files_and_group_settings() {
    if crate::support::lacks("python3") {
        return;
    }
    let yaml =
        format!("{V2025}constants: {{three: 3, big: 10000000000000000001, word: some words}}\n");
    let repo = package(&yaml, &ACCEPTED);
    repo.file(
        "p/data/secret/test_group.yaml",
        "output_validator_args: ['{{three}}']\n",
    )
    .file(
        "p/output_validator/check.py",
        "import sys\nassert sys.argv[4] == '3', sys.argv\n\
         sys.exit(42 if input() == '{{three}}' and '{{no}}' == '{' + '{no}}' else 43)\n",
    )
    .file("p/include/python3/big.py", "BIG = {{big}}\n")
    .file(
        "p/submissions/accepted/a.py",
        "from big import BIG\nassert BIG == 10**19 + 1\nassert '{{word}}' == 'some' + ' words'\nprint({{three}})\n",
    )
    .file(
        "p/input_validators/v/validate.py",
        "import sys\nsys.exit(42 if sys.stdin.read() == '{{three}}\\n' else 43)\n",
    );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    let ran = repo.run(&["verify", "p"]);
    assert!(!ran.stdout.contains("input validator `v`"), "{}", ran.all());
    repo.file("p/problem.yaml", format!("{V2025}constants: {{3a: 1}}\n"));
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2);
    let error =
        "error: p/problem.yaml:4:12: `constants.3a`: a name consists of letters, digits and `_`";
    assert!(ran.stderr.contains(error), "{}", ran.all());
}
