use super::*;

fn places(first: &str, place: &str, text: &str) -> Vec<String> {
    let source =
        NamingSource { first: Path::new(first), place: Path::new(place), text: text.as_bytes() };
    let places = source.places().into_iter();
    places.map(|place| place.display().to_string()).collect()
}

/// A source, its text, and some of the places where its tool looks, as experiments with the tools showed.
type ToolPlaces = (&'static str, &'static str, &'static [&'static str]);

const PLACES: [ToolPlaces; 34] = [
    (
        "/p/a.cpp",
        "#include \"x/one.hpp\"\n#include <two.hpp>\n#include \"1.in\"\n",
        &["/p/x/one.hpp"],
    ),
    ("/p/a.c", "  #  include \"../one.h\"\n", &["/one.h"]),
    ("/p/a.py", "import util", &["/p/util/__init__.py", "/p/util.py"]),
    ("/p/a.py", "    from util import one  # here", &["/p/util.py", "/p/util/one.py"]),
    (
        "/p/a.py",
        "import sys, x.y as z; import w",
        &["/p/sys.py", "/p/x/__init__.py", "/p/x/y.py", "/p/w.py"],
    ),
    ("/p/a.py", "from x import (\n  y,\n  z\n)\n", &["/p/x/y.py", "/p/x/z.py"]),
    ("/p/a.py", "try: import fast\nexcept ImportError: pass", &["/p/fast.py"]),
    ("/p/a.py", "m = importlib.import_module('x.y')", &["/p/x/y.py"]),
    (
        "/p/a.js",
        "const x = require('./x'); const fs = require('fs')",
        &["/p/x.js", "/p/x/index.js"],
    ),
    (
        "/p/a.mjs",
        "import {\n i } from './input.mjs'; import '../b.mjs'",
        &["/p/input.mjs", "/b.mjs"],
    ),
    ("/p/a.mjs", "const m = await import(\"./c.mjs\")", &["/p/c.mjs"]),
    ("/p/a.ts", "import { x } from './x'", &["/p/x.ts", "/p/x/index.ts"]),
    ("/p/a.ts", "import { x } from './x.js'", &["/p/x.ts", "/p/x.js"]),
    (
        "/p/a.rs",
        "mod x; // mod y;\nfn f<'a>(c: char) { c == '{'; }\nmod inner { pub mod deep; }",
        &["/p/x.rs", "/p/x/mod.rs", "/p/inner/deep.rs", "/p/inner/deep/mod.rs"],
    ),
    (
        "/p/a.rs",
        "#[path = \"odd/q.rs\"] mod q;\ninclude!(\"inc.rs\");",
        &["/p/odd/q.rs", "/p/inc.rs"],
    ),
    ("/p/a.rb", "require './x'\nrequire 'set'\nrequire_relative \"../y\"", &["/p/x.rb", "/y.rb"]),
    ("/p/a.rb", "load 'x.rb'", &["/p/x.rb"]),
    (
        "/p/a.pl",
        "require './x.pl'; use lib '.'; use Util::Two; use strict;",
        &["/p/x.pl", "/p/Util/Two.pm", "/p/lib/Util/Two.pm"],
    ),
    ("/p/a.pl", "do \"./x.pl\";", &["/p/x.pl"]),
    (
        "/p/a.php",
        "<?php include 'x.php'; require_once __DIR__ . '/y.php';",
        &["/p/x.php", "/p/y.php"],
    ),
    (
        "/p/a.lua",
        "local x = require(\"s.x\")\nlocal y = require 'y'\ndofile('z.lua')",
        &["/p/s/x.lua", "/p/s/x/init.lua", "/p/y.lua", "/p/z.lua"],
    ),
    (
        "/p/a.hs",
        "import qualified Data.Own as O (f)\nimport Util",
        &["/p/Data/Own.hs", "/p/Util.hs"],
    ),
    (
        "/p/a.nim",
        "import util, sub/[two, three], std/math\nfrom four import g\ninclude five",
        &["/p/util.nim", "/p/sub/two.nim", "/p/sub/three.nim", "/p/four.nim", "/p/five.nim"],
    ),
    ("/p/a.nim", "import\n  util,\n  other as o", &["/p/util.nim", "/p/other.nim"]),
    (
        "/p/a.pas",
        "program a;\nUSES util, Two in 'x/two.pas';\n{$I part.inc}{$I+}",
        &["/p/util.pas", "/p/util.pp", "/p/x/two.pas", "/p/Two.pas", "/p/two.pas", "/p/part.inc"],
    ),
    (
        "/p/a.d",
        "import std.stdio, x.y : f; import z = w;",
        &["/p/x/y.d", "/p/w.d", "/p/x/y/package.d"],
    ),
    ("/p/a.adb", "with Util.Two; use Util.Two;", &["/p/util-two.ads", "/p/util-two.adb"]),
    (
        "/p/a.java",
        "import lib.Two;\nclass A { Helper h; } // Other",
        &["/p/lib/Two.java", "/p/Helper.java"],
    ),
    ("/p/a.java", "package q;\nclass A { Helper h; }", &[]),
    ("/p/a.zig", "const x = @import(\"x.zig\");", &["/p/x.zig"]),
    ("/p/a.jl", "include(\"x.jl\")", &["/p/x.jl"]),
    ("/p/a.r", "source('x.R')", &["/p/x.R"]),
    (
        "/p/a.prolog",
        ":- use_module(x).\n:- [y].\n:- consult('z.pl').",
        &["/p/x.pl", "/p/y.pl", "/p/z.pl"],
    ),
    ("/p/a.go", "import \"./x\"", &[]),
];

#[test]
fn names_lead_to_the_places_where_the_tools_look() {
    for (first, text, expected) in PLACES {
        let found = places(first, first, text);
        for place in expected {
            assert!(found.contains(&(*place).to_owned()), "{first}: {text}: {found:?}");
        }
        assert_eq!(found.is_empty(), expected.is_empty(), "{first}: {text}: {found:?}");
    }
}

#[test]
fn a_file_that_is_named_names_others_from_its_own_place() {
    for (first, place, text, expected) in [
        ("/p/a.rs", "/p/m/mod.rs", "mod n;", "/p/m/n.rs"),
        ("/p/a.rs", "/p/m.rs", "mod n;", "/p/m/n.rs"),
        ("/p/a.py", "/p/k/m.py", "from .c import x", "/p/k/c.py"),
        ("/p/a.py", "/p/k/l/m.py", "from .. import c", "/p/k/c.py"),
        ("/p/a.py", "/p/k/m.py", "import util", "/p/util.py"),
        ("/p/a.cpp", "/p/k/m.hpp", "#include \"n.hpp\"", "/p/k/n.hpp"),
        ("/p/a.adb", "/p/util.ads", "", "/p/util.adb"),
        (
            "/p/a.java",
            "/p/lib/Two.java",
            "package lib; class Two { Three x; }",
            "/p/lib/Three.java",
        ),
        ("/p/a.lua", "/p/s/x.lua", "return require('y')", "/p/y.lua"),
    ] {
        let found = places(first, place, text);
        assert!(found.contains(&expected.to_owned()), "{place}: {found:?}");
    }
}

#[test]
fn a_text_with_very_many_names_ends() {
    let lines: Vec<String> = (0..50_000).map(|at| format!("import m{at}\n")).collect();
    let text = lines.concat();
    assert_eq!(places("/p/a.py", "/p/a.py", &text).len(), MOST);
}

#[test]
fn only_a_source_that_starts_something_is_a_program() {
    let table = [
        ("s.py", "from util import one\nprint(int(input())*one)\n", true),
        ("util.py", "one=1\n", false),
        (
            "util.py",
            "import sys\nread = sys.stdin.readline\ndef show(x):\n    print(x)\nINF = float('inf')\n",
            false,
        ),
        ("util.py", "def solve():\n    print(1)\n\nsolve()\n", true),
        (
            "util.py",
            "def solve():\n    print(1)\n\nif __name__ == '__main__':\n    solve()\n",
            true,
        ),
        ("util.py", "import sys\nsys.stdout.write('1')\n", true),
        ("util.py", "class A:\n\n    def f(self):\n        print(1)\n", false),
        ("util.py", "", false),
        ("x.cpp", "int f() { return 1; }", false),
        ("x.cpp", "int main() {}", true),
        ("x.rs", "pub fn f() {}", false),
        ("x.rs", "fn main() {}", true),
        ("X.java", "class X { static int f() { return 1; } }", false),
        ("X.java", "class X { public static void main(String[] a) {} }", true),
        ("Util.hs", "{-# LANGUAGE X #-}\nmodule Util where\nf = 1", false),
        ("a.hs", "module Main where\nmain = print 1", true),
        ("a.hs", "main = print 1", true),
        ("util.pas", "{ a } unit Util;", false),
        ("a.pas", "program a; begin end.", true),
        ("a.pas", "begin writeln(1) end.", true),
        ("util.nim", "proc f*(x: int): int =\n  echo x\n", false),
        ("util.nim", "proc f() =\n  echo 1\nf()\n", true),
        ("util.nim", "when isMainModule:\n  echo 1\n", true),
        ("input.mjs", "import fs from 'fs'\nexport const x = fs.readFileSync(0)\n", false),
        ("x.js", "module.exports = function (x) { console.log(x) }\n", false),
        ("x.js", "console.log(require('fs').readFileSync(0) + '')\nmodule.exports = 1\n", true),
        ("x.js", "process.stdin.on('end', () => { console.log(1) })\nmodule.exports = 1\n", true),
        ("x.lua", "local M = {}\nfunction M.show(x) print(x) end\nreturn M\n", false),
        ("x.lua", "print(io.read('n'))\n", true),
        ("X.pm", "package X; sub f { 1 } 1;", false),
        ("x.rb", "X = 1\n", false),
        ("x.rb", "puts gets.to_i\n", true),
        ("x.unknown", "", true),
        ("x.go", "package x", true),
    ];
    for (name, text, expected) in table {
        assert_eq!(is_program(Path::new(name), text.as_bytes()), expected, "{name}: {text}");
    }
}
