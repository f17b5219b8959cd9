//! Packages with a file that describes them, of ICPC, rbx, Hydro, DMOJ, CMS, sinol, UOJ, QDUOJ, omegaUp, Polygon and Library Checker.

use crate::layouts::{LayoutFixture, fixture};
use crate::support::{Repo, lacks};

/// Packages with a file that describes them.
pub(crate) const PACKAGES: [LayoutFixture; 15] = [
    fixture(
        "icpc",
        &[
            ("problem.yaml", "problem_format_version: 2025-09\nname: Sum\n"),
            ("data/sample/1.in", "1 2\n"),
            ("data/sample/1.ans", "3\n"),
            ("data/secret/1.in", "5 7\n"),
            ("data/secret/1.ans", "12\n"),
        ],
        &["sample/1", "secret/1"],
    ),
    fixture(
        "rbx",
        &[
            (
                "problem.rbx.yml",
                "name: sum\ntimeLimit: 10000\nmemoryLimit: 256\ntestcases: [{name: samples}, {name: main}]\n\
                 solutions: [{path: sum.rs, outcome: ac}]\n",
            ),
            ("build/tests/samples/000.in", "1 2\n"),
            ("build/tests/samples/000.out", "3\n"),
            ("build/tests/main/000.in", "5 7\n"),
            ("build/tests/main/000.out", "12\n"),
        ],
        &["sample/000", "secret/main/000"],
    ),
    fixture(
        "hydro",
        &[
            ("problem.yaml", "pid: P1\nowner: 1\ntitle: Sum\ntag: []\n"),
            ("testdata/sum1.in", "1 2\n"),
            ("testdata/sum1.out", "3\n"),
            ("testdata/sum2.in", "5 7\n"),
            ("testdata/sum2.ans", "12\n"),
        ],
        &["secret/1", "secret/2"],
    ),
    fixture(
        "hydro",
        &[
            (
                "config.yaml",
                "type: default\ntime: 1s\nmemory: 128m\nsubtasks:\n\
                 - {id: 1, score: 40, cases: [{input: a.in, output: a.out}]}\n\
                 - {id: 2, score: 60, if: [1], cases: [{input: b.in, output: b.out}]}\n",
            ),
            ("a.in", "1 2\n"),
            ("a.out", "3 \n\n"),
            ("b.in", "5 7\n"),
            ("b.out", "12"),
        ],
        &["secret/1/1", "secret/2/1"],
    ),
    fixture(
        "hydro",
        &[
            ("testdata/config.yaml", "checker_type: testlib\nchecker: ncmp\n"),
            ("testdata/a1-1.in", "1 2\n"),
            ("testdata/a1-1.out", "3\n"),
            ("testdata/a2-1.in", "5 7\n"),
            ("testdata/a2-1.out", "12\n"),
        ],
        &["secret/1/1", "secret/2/1"],
    ),
    fixture(
        "dmoj",
        &[
            (
                "init.yml",
                "test_cases:\n- {in: a.in, out: a.out, points: 30}\n- points: 70\n  batched:\n  \
                 - {in: b.in, out: b.out}\n  dependencies: []\n",
            ),
            ("a.in", "1 2\n"),
            ("a.out", "3\n"),
            ("b.in", "5 7\n"),
            ("b.out", "12\n"),
        ],
        &["secret/1", "secret/2/1"],
    ),
    fixture(
        "dmoj",
        &[
            (
                "init.yml",
                "checker: {name: floats, args: {precision: 3}}\ntest_cases:\n\
                 - {in: a.in, out: a.out, points: 30}\n- {in: b.in, out: b.out, points: 70}\n",
            ),
            ("a.in", "1 2\n"),
            ("a.out", "3.0001\n"),
            ("b.in", "5 7\n"),
            ("b.out", "11.9999\n"),
        ],
        &["secret/1", "secret/2"],
    ),
    fixture(
        "cms",
        &[
            (
                "task.yaml",
                "name: sum\ntitle: Sum\ntime_limit: 1.5\nmemory_limit: 64\nn_input: 2\n\
                 infile: ''\noutfile: ''\n",
            ),
            ("gen/GEN", "#ST: 0\n#COPY: sample\n#ST: 100\n1 2\n"),
            ("input/input0.txt", "1 2\n"),
            ("input/input1.txt", "5 7\n"),
            ("output/output0.txt", "3\n"),
            ("output/output1.txt", "12\n"),
        ],
        &["secret/1/000", "secret/2/001"],
    ),
    fixture(
        "sinol",
        &[
            (
                "config.yml",
                "title: Sum\nsinol_task_id: there\ntime_limit: 1500\nmemory_limit: 65536\nscores: {1: 100}\n",
            ),
            ("prog/there.sh", "cat\n"),
            ("in/there0.in", "1 2\n"),
            ("in/there1a.in", "5 7\n"),
            ("out/there0.out", "3\n"),
            ("out/there1a.out", "12\n"),
        ],
        &["sample/there0", "secret/1/there1a"],
    ),
    fixture(
        "uoj",
        &[
            (
                "problem.conf",
                "use_builtin_judger on\nuse_builtin_checker ncmp\nn_tests 1\nn_ex_tests 1\nn_sample_tests 1\n\
                 input_pre sum\ninput_suf in\noutput_pre sum\noutput_suf out\ntime_limit 1.5\nmemory_limit 64\n",
            ),
            ("ex_sum1.in", "1 2\n"),
            ("ex_sum1.out", "3\n"),
            ("sum1.in", "5 7\n"),
            ("sum1.out", "12\n"),
        ],
        &["sample/1", "secret/1"],
    ),
    fixture(
        "uoj",
        &[
            ("data/problem.conf", "n_tests 2\nuse_builtin_checker wcmp\n"),
            ("data/input1.txt", "1 2\n"),
            ("data/output1.txt", "3\n"),
            ("data/input2.txt", "5 7\n"),
            ("data/output2.txt", "12\n"),
        ],
        &["secret/1", "secret/2"],
    ),
    fixture(
        "omegaup",
        &[
            (
                "settings.json",
                "{\"title\": \"Sum\", \"limits\": {\"TimeLimit\": 1500, \"MemoryLimit\": 67108864},\n\
                 \t\"validator\": {\"name\": \"token\"}}\n",
            ),
            ("testplan", "1.a 40\n2.a 60\n"),
            ("cases/1.a.in", "1 2\n"),
            ("cases/1.a.out", "3\n"),
            ("cases/2.a.in", "5 7\n"),
            ("cases/2.a.out", "12\n"),
            ("solutions/none.txt", ""),
        ],
        &["secret/1/1.a", "secret/2/2.a"],
    ),
    fixture(
        "qduoj",
        &[
            (
                "problem.json",
                "{\"title\": \"Sum\", \"time_limit\": 1500, \"memory_limit\": 64, \"rule_type\": \"ACM\",\n\
                 \"samples\": [{\"input\": \"1 2\", \"output\": \"3\"}], \"spj\": null, \"answers\": []}\n",
            ),
            ("testcase/1.in", "5 7\n"),
            ("testcase/1.out", "12\n"),
        ],
        &["sample/1", "secret/1"],
    ),
    fixture(
        "polygon",
        &[
            ("problem.xml", include_str!("../fixtures/layouts/problem.xml")),
            ("tests/01", "1 2\n"),
            ("tests/01.a", "3\n"),
            ("tests/02", "5 7\n"),
            ("tests/02.a", "12\n"),
            ("solutions/none.txt", ""),
        ],
        &["sample/01", "secret/02"],
    ),
    fixture(
        "library-checker",
        &[
            (
                "info.toml",
                "title = 'Sum'\ntimelimit = 2.0\n[[tests]]\nname = \"example.in\"\nnumber = 1\n",
            ),
            ("gen/x.cpp", ""),
            ("in/example_00.in", "1 2\n"),
            ("out/example_00.out", "3\n"),
            ("in/random_00.in", "5 7\n"),
            ("out/random_00.out", "12\n"),
        ],
        &["sample/example_00", "secret/random_00"],
    ),
];

/// The headers that several packages share lie next to them, and links lead there.
#[test]
fn a_header_of_a_package_may_be_a_link_to_one_next_to_the_package() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::new();
    repo.file("c/util/one.hpp", "const int ONE = 1;\n")
        .file("c/p/input/input0.txt", "1\n")
        .file("c/p/output/output0.txt", "1\n")
        .file("c/p/task.yaml", "name: p\ntitle: p\ntime_limit: 1\nmemory_limit: 64\nn_input: 1\ninfile: \"\"\noutfile: \"\"\n")
        .file(
            "c/p/sol/solution.cpp",
            "#include <cstdio>\n#include \"one.hpp\"\nint main() { int x; scanf(\"%d\", &x); printf(\"%d\\n\", x * ONE); }\n",
        );
    std::os::unix::fs::symlink("../../util/one.hpp", repo.path("c/p/sol/one.hpp")).unwrap();
    let ran = repo.run(&["run", "c/p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
}
