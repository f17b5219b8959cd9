//! `rejudge export`: every program in an archive compiles alone, in a folder with nothing but `testlib.h`.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use crate::export::{TESTLIB, assert_same_verdicts, content, exported};
use crate::support::{Repo, lacks};

const SYSTEMS: [&str; 5] = ["icpc", "domjudge", "polygon", "boca", "hydro"];

/// The sources that compile: most are the same for several systems, and each takes the compiler seconds.
static COMPILED: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Asserts that each source in C++ compiles in a folder of its own. Returns their names.
fn assert_compile(repo: &Repo, archive: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (name, text) in content(repo, archive) {
        let extension = Path::new(&name).extension().unwrap_or_default();
        if extension != "cpp" && extension != "cc" || text.starts_with("#!") {
            continue;
        }
        names.push(name.clone());
        let is_known = |known: &HashSet<String>| known.contains(&text);
        if COMPILED.lock().unwrap().as_ref().is_some_and(is_known) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("alone.cpp");
        fs::write(&source, &text).unwrap();
        fs::write(folder.path().join("testlib.h"), TESTLIB).unwrap();
        let mut compiler = Command::new("g++");
        compiler.args(["-std=c++17", "-fsyntax-only"]).arg(&source);
        let output = compiler.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{archive}: {name}\n{message}");
        let mut known = COMPILED.lock().unwrap();
        known.get_or_insert_default().insert(text);
    }
    names
}

const RBX: &str = "name: p\ntimeLimit: 5000\nmemoryLimit: 256\nvars: {N: {min: 1, max: 50}}\n\
    checker: {path: check.cpp}\nvalidator: {path: lib/valid.cpp}\n\
    solutions: [{path: sols/main.cpp, outcome: ac}, {path: sols/wrong.cpp, outcome: wa}]\n\
    testcases: [{name: small, vars: {N: {max: 10}}}, {name: large}]\n";
const CHECK: &str = "#include \"testlib.h\"\n#include \"rbx.h\"\n#include \"lib/own.h\"\n\
    int main(int c, char **v) {\n    registerTestlibCmd(c, v);\n    \
    if (getVar<int>(\"N.max\") != 50) quitf(_fail, \"another N\");\n    \
    if (ouf.readInt() != ans.readInt() + own()) quitf(_wa, \"differs\");\n    quitf(_ok, \"same\");\n}\n";
const VALID: &str = "#include \"own.h\"\n#include \"testlib.h\"\n#include \"rbx.h\"\n\
    int main(int c, char **v) {\n    registerValidation(c, v);\n    \
    inf.readInt(getVar<int>(\"N\", \"min\"), getVar<int>(\"N\", \"max\") + own(), \"n\");\n    \
    inf.readEoln();\n    inf.readEof();\n}\n";
const OWN: &str = "#pragma once\ninline int own() { return 0; }\n";
const MAIN: &str = "#include <iostream>\n#include \"../lib/own.h\"\n#include \"rbx.h\"\n\
    int main() { int n; std::cin >> n; std::cout << n + getVar<int>(\"N.min\") + own() << '\\n'; }\n";

fn rbx(settings: &str) -> Repo {
    let repo = Repo::new();
    repo.file("p/problem.rbx.yml", settings)
        .file("p/check.cpp", CHECK)
        .file("p/lib/valid.cpp", VALID)
        .file("p/lib/own.h", OWN)
        .file("p/testlib.h", TESTLIB)
        .file("p/sols/main.cpp", MAIN)
        .file("p/sols/wrong.cpp", MAIN.replace("N.min", "N.max"));
    for (name, input, answer) in [("small/1", "10", "11"), ("large/1", "50", "51")] {
        repo.file(&format!("p/build/tests/{name}.in"), format!("{input}\n"))
            .file(&format!("p/build/tests/{name}.out"), format!("{answer}\n"));
    }
    repo
}

#[test]
fn sources_of_rbx_compile_without_its_header() {
    if lacks("g++") {
        return;
    }
    let repo = rbx(RBX);
    for (system, expected) in SYSTEMS.into_iter().zip([4, 4, 4, 2, 3]) {
        let lost = exported(&repo, "p", system);
        let compiled = assert_compile(&repo, &format!("{system}/p.zip"));
        assert_eq!(compiled.len(), expected, "{system}: {compiled:?}");
        assert!(!lost.iter().any(|one| one.contains(".h`")), "{lost:?}");
    }
    assert_same_verdicts(&repo, "p", &["icpc", "domjudge", "polygon", "boca"]);
    // The script of BOCA contains the checker.
    let archive = fs::File::open(repo.path("boca/p.zip")).unwrap();
    let mut archive = zip::ZipArchive::new(archive).unwrap();
    archive.extract(repo.path("unpacked")).unwrap();
    repo.file("right", "51\n").file("wrong", "50\n");
    for (output, status) in [("right", 4), ("wrong", 6)] {
        let script =
            format!("bash unpacked/compare/cpp {output} unpacked/output/002 unpacked/input/002");
        let ran = repo.finish(&mut repo.shell(&script));
        assert_eq!(ran.status, status, "{output}: {}", ran.all());
    }
}

#[test]
fn the_arguments_of_input_validators_are_carried_or_listed() {
    if lacks("g++") {
        return;
    }
    // The group decides about the largest number, so 11 is too large in the first one.
    let repo = rbx(RBX);
    let listed =
        |lost: &[String]| lost.iter().any(|one| one.contains("the arguments of the input"));
    for (system, is_listed) in [("icpc", false), ("domjudge", true), ("polygon", true)] {
        let lost = exported(&repo, "p", system);
        assert_eq!(listed(&lost), is_listed, "{system}: {lost:?}");
    }
    let ran = repo.run(&["verify", "icpc/p.zip"]);
    assert!(!ran.all().contains("rejects"), "{}", ran.all());
    repo.file("p/build/tests/small/1.in", "11\n");
    exported(&repo, "p", "icpc");
    let ran = repo.run(&["verify", "icpc/p.zip"]);
    assert_eq!(ran.all().matches("rejects").count(), 1, "{}", ran.all());
    // A program in another language is listed.
    let repo = rbx(&RBX.replace("lib/valid.cpp", "lib/valid.sh"));
    repo.file("p/lib/valid.sh", "exit 0\n");
    for system in ["icpc", "domjudge", "polygon"] {
        let lost = exported(&repo, "p", system);
        let is_listed = lost.iter().any(|one| one.contains("valid.sh"));
        assert!(is_listed, "{system}: {lost:?}");
        assert_compile(&repo, &format!("{system}/p.zip"));
    }
}

#[test]
fn sources_of_library_checker_compile_without_params_and_common_headers() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::new();
    let info = "title = \"P\"\ntimelimit = 5.0\n[params]\nMAX = 50\n[[solutions]]\nname = \"wrong.cpp\"\n\
                expect = \"WA\"\n";
    let source = |text: &str, params: &str| {
        let text = text.replace("../lib/", "").replace("lib/", "").replace("rbx.h", params);
        text.replace("getVar<int>(\"N.max\")", "MAX")
            .replace("getVar<int>(\"N\", \"max\")", "MAX")
            .replace("getVar<int>(\"N\", \"min\")", "1")
            .replace("getVar<int>(\"N.min\")", "1")
    };
    let wrong = MAIN.replace("N.min", "N.max");
    repo.file("r/p/info.toml", info)
        .file("r/common/own.h", OWN)
        .file("r/common/testlib.h", TESTLIB)
        .file("r/p/checker.cpp", source(CHECK, "params.h"))
        .file("r/p/verifier.cpp", source(VALID, "params.h"))
        .file("r/p/sol/correct.cpp", source(MAIN, "../params.h"))
        .file("r/p/sol/wrong.cpp", source(&wrong, "../params.h"));
    repo.file("r/p/in/a_00.in", "10\n").file("r/p/out/a_00.out", "11\n");
    for (system, expected) in SYSTEMS.into_iter().zip([4, 4, 4, 2, 3]) {
        exported(&repo, "r/p", system);
        let compiled = assert_compile(&repo, &format!("{system}/r/p.zip"));
        assert_eq!(compiled.len(), expected, "{system}: {compiled:?}");
    }
    assert_same_verdicts(&repo, "r/p", &["icpc", "domjudge", "polygon", "boca"]);
}

#[test]
fn the_header_of_a_package_that_is_copied_as_it_is_must_be_in_it() {
    let repo = Repo::new();
    repo.problem("p", "name: P\n", &[("secret/1", "1\n", "1\n")]);
    repo.file("cases/p/input_validators/v/v.cpp", "#include \"testlib.h\"\n")
        .file("testlib.h", TESTLIB);
    let lost = |in_package: bool| {
        if in_package {
            repo.file("cases/p/include/testlib.h", TESTLIB);
        }
        let mut command = repo.command(&["export", "p", "--to", "icpc", "-o", "p.zip"]);
        command.env("TESTLIB", repo.path("testlib.h"));
        let ran = repo.finish(&mut command);
        assert_eq!(ran.status, 0, "{}", ran.all());
        ran.stderr.contains("`testlib.h`, which `v.cpp` includes and which is not in the package")
    };
    assert!(lost(false));
    assert!(!lost(true));
}

#[test]
fn constants_have_their_values_where_a_system_has_none() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "[problems.c]\nchecker = \"exact\"\n");
    repo.problem(
        "c",
        "name: C\nlimits: {time_limit: 5}\nconstants: {most: 7, other: {value: 35, word: thirty five}}\n",
        &[("secret/1", "1\n", "7\n")],
    );
    repo.file("cases/c/submissions/accepted/c.py", "print({{most}})\n")
        .file("cases/c/input_validators/v/v.py", "exit({{most}} + {{other}}) # {{other.word}}\n");
    for system in SYSTEMS {
        exported(&repo, "c", system);
        for (name, text) in content(&repo, &format!("{system}/c.zip")) {
            let is_kept = system == "icpc" && name.starts_with("input_validators/");
            assert_eq!(text.contains("{{"), is_kept, "{system}: {name}\n{text}");
        }
    }
    assert_same_verdicts(&repo, "c", &["icpc", "domjudge", "polygon", "boca"]);
    let yaml = &content(&repo, "icpc/c.zip")["problem.yaml"];
    let constants = "constants:
  \"most\": \"7\"
  \"other\":
    \"value\": \"35\"
    \"word\": \"thirty five\"
";
    assert!(yaml.contains(constants), "{yaml}");
}
