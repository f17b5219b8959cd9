//! The programs of a Polygon package.

use crate::support::{Repo, lacks};
use crate::testlib::{CHECKER, HEADER, INTERACTOR};

const GUESSING: &str = "<problem short-name=\"guess\"><judging><testset name=\"tests\">
<time-limit>1000</time-limit><memory-limit>268435456</memory-limit><test-count>1</test-count>
<input-path-pattern>tests/%02d</input-path-pattern>
<answer-path-pattern>tests/%02d.a</answer-path-pattern></testset></judging>
<assets><checker type=\"testlib\"><source path=\"files/check.cpp\"/></checker>
<interactor><source path=\"files/talk.cpp\"/></interactor>
<validators><validator><source path=\"files/val.cpp\"/></validator></validators><solutions>
<solution tag=\"main\"><source path=\"solutions/quick.sh\"/></solution>
<solution tag=\"wrong-answer\"><source path=\"solutions/slow.sh\"/></solution>
</solutions></assets></problem>";

/// In the test set `tests`, accepts a number up to 9 in the group `small`, otherwise up to 99.
const GROUPED: &str = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerValidation(argc, argv);
    if (validator.testset() != \"tests\") quitf(_fail, \"another test set\");
    inf.readInt(0, validator.group() == \"small\" ? 9 : 99, \"n\");
    inf.readEoln();
    inf.readEof();
}
";

/// A Polygon package for guessing a number, with every kind of program.
fn guessing(folder: &str) -> Repo {
    let repo = Repo::new();
    let validator = GROUPED.replace("validator.testset() != \"tests\"", "false");
    for (path, text) in [
        ("problem.xml", GUESSING),
        ("tests/01", "37\n"),
        ("tests/01.a", "2\n"),
        ("files/check.cpp", CHECKER),
        ("files/talk.cpp", INTERACTOR),
        ("files/val.cpp", &validator),
        ("files/testlib.h", HEADER),
        ("solutions/quick.sh", "echo 50; read x; echo 37; read x"),
        ("solutions/slow.sh", "for n in 1 2 37; do echo $n; read x; done"),
    ] {
        repo.file(&format!("{folder}/{path}"), text);
    }
    repo
}

#[test]
fn a_polygon_package_names_its_interactor_and_its_checker() {
    if lacks("g++") {
        return;
    }
    let repo = guessing("guess");
    let ran = repo.run(&["run", "guess", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let found = repo.verdicts(&["guess"]);
    assert_eq!(
        found,
        ["guess/quick.sh 01 AC", "guess/slow.sh 01 WA wrong answer expected 2, found 3"]
    );
    std::fs::remove_file(repo.path("guess/files/talk.cpp")).unwrap();
    let ran = repo.run(&["run", "guess"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("the interactor's source is not in the package"), "{}", ran.all());
}

#[test]
fn a_polygon_packages_validators_get_the_test_set_and_the_group() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::new();
    let xml = "<problem short-name=\"twice\"><judging><testset name=\"tests\">
<time-limit>1000</time-limit><memory-limit>268435456</memory-limit><test-count>2</test-count>
<input-path-pattern>tests/%02d</input-path-pattern>
<answer-path-pattern>tests/%02d.a</answer-path-pattern>
<tests><test group=\"small\"/><test group=\"large\"/></tests></testset></judging>
<assets><validators><validator><source path=\"files/val.cpp\"/></validator></validators>
<solutions><solution tag=\"main\"><source path=\"solutions/a.sh\"/></solution></solutions></assets></problem>";
    repo.file("twice/problem.xml", xml)
        .file("twice/files/val.cpp", GROUPED)
        .file("twice/files/testlib.h", HEADER)
        .file("twice/solutions/a.sh", "read n; echo $n");
    for (number, text) in [("01", "9\n"), ("02", "99\n")] {
        repo.file(&format!("twice/tests/{number}"), text)
            .file(&format!("twice/tests/{number}.a"), text);
    }
    let ran = repo.run(&["verify", "twice"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("mutations"), "{}", ran.all());
    // Its files are not those of the ICPC format.
    assert!(!ran.stdout.contains("warning"), "{}", ran.all());
    repo.file("twice/tests/01", "10\n");
    let ran = repo.run(&["verify", "twice"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let error = "error: twice/tests/01: the input validator `val.cpp` rejects it\n";
    assert!(ran.stdout.contains(error), "{}", ran.all());
    repo.file("twice/tests/01.a", "10\n");
    repo.file(
        "twice/problem.xml",
        xml.replace("<validators>", "<none>").replace("</validators>", "</none>"),
    );
    let ran = repo.run(&["verify", "twice"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let warning = "warning: twice: there is no input validator: the inputs are not checked against the statement\n";
    assert!(ran.stdout.contains(warning), "{}", ran.all());
}

#[test]
fn an_interactor_is_imported_with_its_package() {
    if lacks("g++") {
        return;
    }
    let repo = guessing("download");
    let ran = repo.run(&["import", "download", "--name", "guess"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let says = "rejudge.toml: `[problems.guess]` has checker = \"testlib:cases/guess/checker/check.cpp\", interactor = \"cases/guess/interactor/talk.cpp\"";
    assert!(ran.stdout.contains(says), "{}", ran.all());
    std::fs::remove_dir_all(repo.path("download")).unwrap();
    assert_eq!(
        repo.verdicts(&[]),
        [
            "guess/quick.sh secret/01 AC",
            "guess/wrong_answer/slow.sh secret/01 WA wrong answer expected 2, found 3"
        ]
    );
    let ran = repo.run(&["verify", "guess"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(!ran.stdout.contains("input validator"), "{}", ran.all());
    std::fs::remove_file(repo.path("cases/guess/interactor/talk.cpp")).unwrap();
    let ran = repo.run(&["run"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.stderr.contains(
            "error: cases/guess/interactor/talk.cpp does not exist: the interactor of `guess`"
        ),
        "{}",
        ran.all()
    );
}
