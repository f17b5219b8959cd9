//! Habits of places: where the cases lie, and where the sources.

use super::Habit;

pub(super) const HABITS: [Habit; 30] = [
    Habit {
        name: "what the contests of a series leave is no problem of its own",
        files: "q/06_07_kg_11/p1.py@alpha.in q/06_07_kg_11/p2.py@alpha.in q/06_07_kg_11/s1.py@gamma.in q/06_07_kg_11/s2.py@gamma.in q/06_07_kg_11/q1.py@test.in q/06_07_kg_11/q2.py@test.in q/06_07_kg_11/q3.py@test.in q/06_07_kg_11/alpha.in q/06_07_kg_11/alpha.out q/06_07_kg_11/gamma.in q/06_07_kg_11/gamma.out q/06_07_kg_11/test.in q/06_07_kg_11/test.out q/09_10_kg_11/p1.py@betas.in q/09_10_kg_11/p2.py@betas.in q/09_10_kg_11/s1.py@atm.in q/09_10_kg_11/s2.py@atm.in q/09_10_kg_11/betas.in q/09_10_kg_11/betas.out q/09_10_kg_11/atm.in q/09_10_kg_11/atm.out q/09_10_kg_11/atm2.in",
        judged: &[
            "q/06_07_kg_11/p1.py: q/06_07_kg_11/alpha.in=q/06_07_kg_11/alpha.out",
            "q/06_07_kg_11/p2.py: q/06_07_kg_11/alpha.in=q/06_07_kg_11/alpha.out",
            "q/06_07_kg_11/s1.py: q/06_07_kg_11/gamma.in=q/06_07_kg_11/gamma.out",
            "q/06_07_kg_11/s2.py: q/06_07_kg_11/gamma.in=q/06_07_kg_11/gamma.out",
            "q/09_10_kg_11/p1.py: q/09_10_kg_11/betas.in=q/09_10_kg_11/betas.out",
            "q/09_10_kg_11/p2.py: q/09_10_kg_11/betas.in=q/09_10_kg_11/betas.out",
            "q/09_10_kg_11/s1.py: q/09_10_kg_11/atm.in=q/09_10_kg_11/atm.out",
            "q/09_10_kg_11/s2.py: q/09_10_kg_11/atm.in=q/09_10_kg_11/atm.out",
        ],
        told: &["q/06_07_kg_11/q1.py", "no solution uses 2"],
    },
    Habit {
        name: "a contest of folders",
        files: "abc300/a/main.cpp abc300/a/tests/1.in abc300/a/tests/1.out abc301/a/main.cpp abc301/a/tests/1.in abc301/a/tests/1.out",
        judged: &[
            "abc300/a/main.cpp: abc300/a/tests/1.in=abc300/a/tests/1.out",
            "abc301/a/main.cpp: abc301/a/tests/1.in=abc301/a/tests/1.out",
        ],
        told: &[],
    },
    Habit {
        name: "problems at several depths",
        files: "p.cpp 1.in 1.out x/y/z/q.py x/y/z/1.in x/y/z/1.out",
        judged: &["p.cpp: 1.in=1.out", "x/y/z/q.py: x/y/z/1.in=x/y/z/1.out"],
        told: &[],
    },
    Habit {
        name: "problems beside a source",
        files: "p.py p/sol.py p/1.in p/1.out q/sol.py q/1.in q/1.out",
        judged: &["p/sol.py: p/1.in=p/1.out", "q/sol.py: q/1.in=q/1.out"],
        told: &["p.py"],
    },
    Habit {
        name: "samples and tests",
        files: "p/a.py p/sample/1.in p/sample/1.out p/tests/1.in p/tests/1.out p/0.in p/0.out",
        judged: &["p/a.py: p/sample/1.in=p/sample/1.out p/tests/1.in=p/tests/1.out p/0.in=p/0.out"],
        told: &[],
    },
    Habit {
        name: "folders of inputs and answers",
        files: "p/a.py p/in/1.txt p/in/2.txt p/out/1.txt p/out/2.txt",
        judged: &["p/a.py: p/in/1.txt=p/out/1.txt p/in/2.txt=p/out/2.txt"],
        told: &[],
    },
    Habit {
        name: "folders below tests",
        files: "p/a.py p/tests/input/1.in p/tests/output/1.out p/tests/readme.txt",
        judged: &["p/a.py: p/tests/input/1.in=p/tests/output/1.out"],
        told: &[],
    },
    Habit {
        name: "a folder for each case",
        files: "p/a.py p/tests/1/input.txt p/tests/1/output.txt p/tests/2/input.txt p/tests/2/output.txt",
        judged: &[
            "p/a.py: p/tests/1/input.txt=p/tests/1/output.txt p/tests/2/input.txt=p/tests/2/output.txt",
        ],
        told: &[],
    },
    Habit {
        name: "data with sample and secret",
        files: "p/a.py p/data/sample/1.in p/data/sample/1.ans p/data/secret/1.in p/data/secret/1.ans",
        judged: &[
            "p/a.py: p/data/sample/1.in=p/data/sample/1.ans p/data/secret/1.in=p/data/secret/1.ans",
        ],
        told: &[],
    },
    Habit {
        name: "a folder of tests for each source",
        files: "a.py b.py tests/a/1.in tests/a/1.out tests/b/1.in tests/b/1.out tests/c/1.in tests/c/1.out",
        judged: &["a.py: tests/a/1.in=tests/a/1.out", "b.py: tests/b/1.in=tests/b/1.out"],
        told: &["no solution uses 1"],
    },
    Habit {
        name: "one folder of tests for many sources",
        files: "a.py b.py tests/a1.in tests/a1.out tests/b1.in tests/b1.out tests/1.in tests/1.out",
        judged: &["a.py: tests/a1.in=tests/a1.out", "b.py: tests/b1.in=tests/b1.out"],
        told: &["no solution uses 1"],
    },
    Habit {
        name: "solutions below the cases",
        files: "p/1.in p/1.out p/solutions/alice.py p/solutions/bob.py p/solutions/carol.py p/solutions/dave.py",
        judged: &[
            "p/solutions/alice.py: p/1.in=p/1.out",
            "p/solutions/bob.py: p/1.in=p/1.out",
            "p/solutions/carol.py: p/1.in=p/1.out",
            "p/solutions/dave.py: p/1.in=p/1.out",
        ],
        told: &[],
    },
    Habit {
        name: "folders of verdicts",
        files: "p/tests/1.in p/tests/1.out p/ac/x.py p/wa/y.py p/tle/gen.py",
        judged: &[
            "p/ac/x.py: p/tests/1.in=p/tests/1.out",
            "p/wa/y.py: p/tests/1.in=p/tests/1.out",
            "p/tle/gen.py: p/tests/1.in=p/tests/1.out",
        ],
        told: &[],
    },
    Habit {
        name: "folders of languages",
        files: "p/cpp/sum.cpp p/python/sum.py p/tests/1.in p/tests/1.out",
        judged: &[
            "p/cpp/sum.cpp: p/tests/1.in=p/tests/1.out",
            "p/python/sum.py: p/tests/1.in=p/tests/1.out",
        ],
        told: &[],
    },
    Habit {
        name: "trees of two languages and one of cases",
        files: "java/b/x/Main.java rust/b/x/main.rs cases/b/x/1.in cases/b/x/1.out cases/b/y/1.in cases/b/y/1.out",
        judged: &[
            "java/b/x/Main.java: cases/b/x/1.in=cases/b/x/1.out",
            "rust/b/x/main.rs: cases/b/x/1.in=cases/b/x/1.out",
        ],
        told: &["cases/b/y"],
    },
    Habit {
        name: "a tree of cases apart",
        files: "src/abc300/a.py src/abc300/b.py tests/abc300/a/1.in tests/abc300/a/1.out tests/abc300/b/1.in tests/abc300/b/1.out util.py",
        judged: &[
            "src/abc300/a.py: tests/abc300/a/1.in=tests/abc300/a/1.out",
            "src/abc300/b.py: tests/abc300/b/1.in=tests/abc300/b/1.out",
        ],
        told: &["util.py"],
    },
    Habit {
        name: "the trees of Maven and Gradle",
        files: "build.gradle src/main/java/Sum.java src/main/java/kattis/Erase.java src/test/java/SumTest.java \
            src/test/resources/sum/1.in src/test/resources/sum/1.ans src/test/resources/erase/a.in src/test/resources/erase/a.ans \
            src/main/java/Other.java src/main/resources/notes.txt",
        judged: &[
            "src/main/java/Sum.java: src/test/resources/sum/1.in=src/test/resources/sum/1.ans",
            "src/main/java/kattis/Erase.java: src/test/resources/erase/a.in=src/test/resources/erase/a.ans",
        ],
        told: &["src/main/java/Other.java", "SumTest.java"],
    },
    Habit {
        name: "a tree of cases apart, by one letter",
        files: "p/s.py p/1.in p/1.out src/x/a.py tests/a/1.in tests/a/1.out",
        judged: &["p/s.py: p/1.in=p/1.out"],
        told: &["src/x/a.py", "tests/a"],
    },
    Habit {
        name: "helpers beside a solution",
        files: "sum/sum.py sum/brute.py sum/gen_small.py sum/1.in sum/1.out",
        judged: &["sum/sum.py: sum/1.in=sum/1.out"],
        told: &["sum/brute.py, sum/gen_small.py"],
    },
    Habit {
        name: "names like helpers",
        files: "genome.py checkers.py genome.in genome.out checkers.in checkers.out",
        judged: &["genome.py: genome.in=genome.out", "checkers.py: checkers.in=checkers.out"],
        told: &[],
    },
    Habit {
        name: "a generator among the cases",
        files: "p/sum.py p/tests/gen.py p/tests/1.in p/tests/1.out",
        judged: &["p/sum.py: p/tests/1.in=p/tests/1.out"],
        told: &["p/tests/gen.py"],
    },
    Habit {
        name: "a folder of cases with a solution",
        files: "a.py tests/sol.py tests/1.in tests/1.out",
        judged: &["a.py: tests/1.in=tests/1.out", "tests/sol.py: tests/1.in=tests/1.out"],
        told: &[],
    },
    Habit {
        name: "a package among folders",
        files: "k/problem.yaml k/data/secret/1.in k/data/secret/1.ans k/submissions/accepted/a.py z/s.py z/1.in z/1.out",
        judged: &[
            "k/submissions/accepted/a.py: k/data/secret/1.in=k/data/secret/1.ans",
            "z/s.py: z/1.in=z/1.out",
        ],
        told: &[],
    },
    Habit {
        name: "a repository among folders",
        files: "r/solutions/a/a.py r/cases/a/1.in r/cases/a/1.out z/s.py z/1.in z/1.out",
        judged: &["r/solutions/a/a.py: r/cases/a/1.in=r/cases/a/1.out", "z/s.py: z/1.in=z/1.out"],
        told: &[],
    },
    Habit {
        name: "the folder's name and that of the source",
        files: "milk/milk.py milk/other.py milk/milk.1.in milk/milk.1.out milk/I.1 milk/O.1",
        judged: &[
            "milk/milk.py: milk/milk.1.in=milk/milk.1.out milk/I.1=milk/O.1",
            "milk/other.py: milk/milk.1.in=milk/milk.1.out milk/I.1=milk/O.1",
        ],
        told: &[],
    },
    Habit {
        name: "folders of tools",
        files: "p/a.py p/1.in p/1.out p/node_modules/x/a.py p/node_modules/x/1.in p/node_modules/x/1.out p/.git/a.py cache/CACHEDIR.TAG cache/x/a.py cache/x/1.in cache/x/1.out",
        judged: &["p/a.py: p/1.in=p/1.out"],
        told: &[],
    },
    Habit {
        name: "flat solutions and flat cases",
        files: "solutions/sum.py solutions/max.py cases/sum1.in cases/sum1.out cases/max1.in cases/max1.out",
        judged: &[
            "solutions/sum.py: cases/sum1.in=cases/sum1.out",
            "solutions/max.py: cases/max1.in=cases/max1.out",
        ],
        told: &[],
    },
    Habit {
        name: "folders of cases for several problems, of which one has a solution",
        files: "a.py tests/a/1.in tests/a/1.out tests/b/1.in tests/b/1.out",
        judged: &["a.py: tests/a/1.in=tests/a/1.out"],
        told: &["no solution uses 1"],
    },
    Habit {
        name: "a folder with the cases of several problems, of which one has a solution",
        files: "a.py tests/a_1.in tests/a_1.out tests/b_1.in tests/b_1.out",
        judged: &["a.py: tests/a_1.in=tests/a_1.out"],
        told: &["no solution uses 1"],
    },
    Habit {
        name: "the sample at the project, and the official cases in a folder of their own",
        files: "HayFeast/src/HayFeast.java HayFeast/hayfeast.in HayFeast/hayfeast.out HayFeast/testData/1.in HayFeast/testData/1.out",
        judged: &[
            "HayFeast/src/HayFeast.java: HayFeast/hayfeast.in=HayFeast/hayfeast.out HayFeast/testData/1.in=HayFeast/testData/1.out",
        ],
        told: &[],
    },
];
