//! Sources outside packages that name other files: headers, modules and parts next to them.

use std::os::unix::fs::symlink;

use crate::support::{Repo, is_installed, lacks};

/// Two solutions of one problem, each with a file that it names.
fn beside() -> Repo {
    let repo = Repo::new();
    repo.file("p/1.in", "1\n")
        .file("p/1.out", "1\n")
        .file("p/s.py", "from util import one\nprint(int(input()) * one)\n")
        .file("p/util.py", "one = 1\n")
        .file("p/one.hpp", "const int ONE = 1;\n")
        .file(
            "p/solution.cpp",
            "#include <cstdio>\n#include \"one.hpp\"\nint main() { int x; scanf(\"%d\", &x); printf(\"%d\\n\", x * ONE); }\n",
        );
    repo
}

#[test]
fn a_header_and_a_module_next_to_the_source_are_part_of_it() {
    if lacks("python3") || lacks("g++") {
        return;
    }
    let repo = beside();
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    for words in [
        "p/s.py: compiled with util.py\n",
        "p/solution.cpp: compiled with one.hpp\n",
        "2 solutions: 2 as expected",
        "warning: helpers are not judged: p/util.py\n",
    ] {
        assert!(ran.all().contains(words), "{words}\n{}", ran.all());
    }
    assert!(!repo.run(&["run", "p"]).stdout.contains("compiled with"));
    let mut exec =
        repo.shell("rejudge exec p/s.py p/1.in && cd p && rejudge exec solution.cpp < 1.in");
    assert_eq!(repo.finish(&mut exec).stdout, "1\n1\n");
    // A helper that the command line names is judged, and stays a part of the other.
    assert_eq!(
        repo.verdicts(&["p/util.py", "p/s.py"]),
        ["p/s.py 1 AC", "p/util.py 1 WA the output is empty; expected `1`"]
    );
    // What it names is part of the key in the cache.
    repo.file("p/util.py", "one = 2\n");
    let ran = repo.run(&["run", "p/s.py"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
}

/// A tool, the source that it is called on, and the files of its folder.
type NamedFiles = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// What each language's own tool finds, if it is called on one file in its folder.
const LANGUAGES: [NamedFiles; 10] = [
    (
        "node",
        "a.mjs",
        &[
            ("a.mjs", "import { x } from './input.mjs'\nconsole.log(x)\n"),
            ("input.mjs", "export const x = 1\n"),
        ],
    ),
    ("node", "a.js", &[("a.js", "console.log(require('./x').x)\n"), ("x.js", "exports.x = 1\n")]),
    (
        "rustc",
        "a.rs",
        &[
            ("a.rs", "mod x;\nfn main() { println!(\"{}\", x::f()); }\n"),
            ("x.rs", "pub mod y;\npub fn f() -> i32 { y::ONE }\n"),
            ("x/y.rs", "pub const ONE: i32 = 1;\n"),
        ],
    ),
    (
        "ruby",
        "a.rb",
        &[
            ("a.rb", "require './x'\nrequire_relative 'y'\nputs X + Y\n"),
            ("x.rb", "X = 1\n"),
            ("y.rb", "Y = 0\n"),
        ],
    ),
    (
        "perl",
        "a.pl",
        &[("a.pl", "require './x.pl';\nprint one(), \"\\n\";\n"), ("x.pl", "sub one { 1 }\n1;\n")],
    ),
    (
        "php",
        "a.php",
        &[("a.php", "<?php\nrequire 'x.php';\necho $x;\n"), ("x.php", "<?php\n$x = 1;\n")],
    ),
    (
        "lua",
        "a.lua",
        &[("a.lua", "local x = require('x.y')\nprint(x)\n"), ("x/y.lua", "return 1\n")],
    ),
    (
        "ghc",
        "a.hs",
        &[("a.hs", "import Util\nmain = print one\n"), ("Util.hs", "module Util where\none = 1\n")],
    ),
    (
        "fpc",
        "a.pas",
        &[
            ("a.pas", "program a;\nuses util;\nbegin\n  writeln(one);\nend.\n"),
            ("util.pas", "unit util;\ninterface\nconst one = 1;\nimplementation\nend.\n"),
        ],
    ),
    (
        "javac",
        "Main.java",
        &[
            (
                "Main.java",
                "class Main { public static void main(String[] a) { System.out.println(Helper.ONE); } }\n",
            ),
            ("Helper.java", "class Helper { static final int ONE = 1; }\n"),
        ],
    ),
];

#[test]
fn every_language_finds_what_its_tool_finds() {
    for (tool, first, files) in LANGUAGES {
        if !is_installed(tool) {
            lacks(tool);
            continue;
        }
        let repo = Repo::new();
        repo.file("p/1.in", "").file("p/1.out", "1\n");
        for (name, text) in files {
            repo.file(&format!("p/{name}"), text);
        }
        let ran = repo.run(&["run", "p", "-v", "--wall-limit", "60"]);
        assert_eq!(ran.status, 0, "{first}: {}", ran.all());
        assert!(ran.stdout.contains("compiled with"), "{first}: {}", ran.all());
    }
}

#[test]
fn a_solution_does_not_contain_another_one() {
    if lacks("python3") {
        return;
    }
    let repo = Repo::new();
    repo.file("p/1.in", "1\n")
        .file("p/1.out", "1\n")
        .file("p/solutions/honest.py", "def solve():\n    return int(input())\n\nif __name__ == '__main__':\n    print(solve())\n")
        .file("p/solutions/copy.py", "from honest import solve\nprint(solve())\n")
        // A solution that is called like a module of the language does not replace it.
        .file("p/solutions/math.py", "print(int(input()))\n")
        .file("p/solutions/random.py", "import heapq\nprint(int(input()))\n")
        .file("p/solutions/heapq.py", "print(int(input()))\n");
    let ran = repo.run(&["run", "p", "-v"]);
    let words =
        "p/solutions/copy.py: compiled without honest.py: a solution contains no other program\n";
    assert!(ran.stdout.contains(words), "{}", ran.all());
    let verdicts = repo.verdicts(&["p"]);
    let of = |name: &str| {
        let mut all = verdicts.iter();
        all.find(|line| line.starts_with(&format!("p/{name}.py")))
            .unwrap()
            .split(' ')
            .nth(2)
            .unwrap()
            .to_owned()
    };
    let names = ["copy", "honest", "math", "random", "heapq"];
    assert_eq!(names.map(of), ["RTE", "AC", "AC", "AC", "AC"]);
}

#[test]
fn names_and_links_lead_to_code_of_the_collection_only() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::new();
    repo.file("far/far.h", "const int X = 1;\n")
        .file("c/util/one.h", "#pragma once\n#include \"two.h\"\n")
        .file("c/p/two.h", "#include \"one.h\"\nconst int X = 1;\n")
        .file("c/util/two.h", "#include \"one.h\"\nconst int X = 1;\n")
        .file("c/p/1.in", "")
        .file("c/p/1.out", "1\n");
    symlink("../util/one.h", repo.path("c/p/one.h")).unwrap();
    symlink("1.out", repo.path("c/p/answer.h")).unwrap();
    symlink("../../far/far.h", repo.path("c/p/far.h")).unwrap();
    symlink("/etc/passwd", repo.path("c/p/passwd.h")).unwrap();
    for (name, is_found) in [
        ("one.h", true),
        ("../util/one.h", true),
        ("answer.h", false),
        ("1.out", false),
        ("far.h", false),
        ("../../far/far.h", false),
        ("passwd.h", false),
        ("/etc/passwd", false),
    ] {
        let text = format!(
            "#include <cstdio>\n#include \"{name}\"\nint main() {{ printf(\"%d\\n\", X); }}\n"
        );
        repo.file("c/p/a.cpp", text);
        let ran = repo.run(&["run", "c/p"]);
        assert_eq!(ran.status, i32::from(!is_found), "{name}: {}", ran.all());
        assert!(is_found || ran.stdout.contains("got CE"), "{name}: {}", ran.all());
    }
}

#[test]
fn ten_thousand_files_that_name_each_other_end() {
    if lacks("python3") {
        return;
    }
    let repo = Repo::new();
    repo.file("p/1.in", "1\n").file("p/1.out", "1\n");
    let all: Vec<String> = (0..5000).map(|at| format!("import m{at}\n")).collect();
    let all = all.concat();
    for at in 0..5000 {
        repo.file(&format!("p/lib/m{at}.py"), format!("import m{}\n\u{e9}={at}\n", at + 1));
    }
    repo.file("p/lib/bytes.py", b"x = '\xff\xfe'\n");
    repo.file(
        "p/a.py",
        format!("def unused():\n    import lib.bytes, lib.m0\n\nprint(input())\n'''\n{all}'''\n"),
    );
    let ran = repo.run(&["run", "p/a.py"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn submissions_of_packages_stay_single_files() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.cpp", "#include \"one.h\"\nint main() {}\n")
        .file("solutions/sum/one.h", "");
    let ran = repo.run(&["run", "solutions/sum/a.cpp"]);
    assert!(ran.stdout.contains("got CE"), "{}", ran.all());
}

#[test]
fn shards_have_the_same_plan_only_if_what_is_named_is_equal() {
    if lacks("python3") || lacks("g++") {
        return;
    }
    let repo = beside();
    let plan = || {
        let ran = repo.run(&["run", "p", "--shard", "1/1", "--json", "-"]);
        let first: serde_json::Value =
            serde_json::from_str(ran.stdout.lines().next().unwrap()).unwrap();
        let plan = first["shard"]["plan"].as_str();
        plan.unwrap_or_else(|| panic!("{first}")).to_owned()
    };
    let before = plan();
    assert_eq!(plan(), before);
    repo.file("p/util.py", "one = 1 # changed\n");
    assert_ne!(plan(), before);
}

#[test]
fn a_source_that_names_too_many_files_is_told_so() {
    if lacks("python3") {
        return;
    }
    let repo = beside();
    let names: Vec<String> = (0..250).map(|number| format!("m{number}")).collect();
    for name in &names {
        repo.file(&format!("p/{name}.py"), "");
    }
    repo.file("p/s.py", format!("import {}\nprint(1)\n", names.join(", ")));
    let ran = repo.run(&["run", "p/s.py"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let told = "it names more than 200 files next to it";
    assert!(ran.all().contains(told), "{}", ran.all());
}
