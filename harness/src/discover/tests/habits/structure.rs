//! Habits that are seen by what lies where, not by words.

use super::Habit;

pub(super) const HABITS: [Habit; 24] = [
    Habit {
        name: "numbered attempts at numbered cases",
        files: "solution_1.py solution_2.py test_1.in test_1.out test_2.in test_2.out test_3.in test_3.out",
        judged: &[
            "solution_1.py: test_1.in=test_1.out test_2.in=test_2.out test_3.in=test_3.out",
            "solution_2.py: test_1.in=test_1.out test_2.in=test_2.out test_3.in=test_3.out",
        ],
        told: &[],
    },
    Habit {
        name: "numbered attempts with the word of the cases",
        files: "e/hall.py e/hall1.py e/hall2.py e/data/hall0.in e/data/hall0.out e/data/hall1.in e/data/hall1.out",
        judged: &[
            "e/hall.py: e/data/hall0.in=e/data/hall0.out e/data/hall1.in=e/data/hall1.out",
            "e/hall1.py: e/data/hall0.in=e/data/hall0.out e/data/hall1.in=e/data/hall1.out",
            "e/hall2.py: e/data/hall0.in=e/data/hall0.out e/data/hall1.in=e/data/hall1.out",
        ],
        told: &[],
    },
    Habit {
        name: "a generator with a number beside numbered cases",
        files: "solution.py generate-1.py@- test_1.in test_1.out test_2.in test_2.out",
        judged: &["solution.py: test_1.in=test_1.out test_2.in=test_2.out"],
        told: &["generate-1.py"],
    },
    Habit {
        name: "a contest whose third problem has the name of a language",
        files: "A/sol.py B/sol.py C/sol.py tests/A/1.in tests/A/1.out tests/B/1.in tests/B/1.out tests/C/1.in tests/C/1.out",
        judged: &[
            "A/sol.py: tests/A/1.in=tests/A/1.out",
            "B/sol.py: tests/B/1.in=tests/B/1.out",
            "C/sol.py: tests/C/1.in=tests/C/1.out",
        ],
        told: &[],
    },
    Habit {
        name: "letters with several attempts, and two folders of flat cases",
        files: "solutions/A/jan.py solutions/A/maks.py solutions/C/jan.py data/A.in data/A.out data/C.in data/C.out samples/A.in samples/A.out samples/C.in samples/C.out",
        judged: &[
            "solutions/A/jan.py: data/A.in=data/A.out samples/A.in=samples/A.out",
            "solutions/A/maks.py: data/A.in=data/A.out samples/A.in=samples/A.out",
            "solutions/C/jan.py: data/C.in=data/C.out samples/C.in=samples/C.out",
        ],
        told: &[],
    },
    Habit {
        name: "the author's solution among the cases",
        files: "1001/1001.py 1001/data/std.cpp 1001/data/a1.in 1001/data/a1.out",
        judged: &[
            "1001/1001.py: 1001/data/a1.in=1001/data/a1.out",
            "1001/data/std.cpp: 1001/data/a1.in=1001/data/a1.out",
        ],
        told: &[],
    },
    Habit {
        name: "solutions with the names of groups of cases",
        files: "p/solutions/solution.py p/solutions/sub1.py p/solutions/brute.py p/cases/sub1.0.in p/cases/sub1.0.out p/cases/sub2.0.in p/cases/sub2.0.out p/tests/invalid-cases/neg.in",
        judged: &[
            "p/solutions/solution.py: p/cases/sub1.0.in=p/cases/sub1.0.out p/cases/sub2.0.in=p/cases/sub2.0.out",
            "p/solutions/sub1.py: p/cases/sub1.0.in=p/cases/sub1.0.out p/cases/sub2.0.in=p/cases/sub2.0.out",
            "p/solutions/brute.py: p/cases/sub1.0.in=p/cases/sub1.0.out p/cases/sub2.0.in=p/cases/sub2.0.out",
        ],
        told: &[],
    },
    Habit {
        name: "solutions that are called after their points",
        files: "p/solutions/100.py p/solutions/20.py p/cases/1.in p/cases/1.out p/cases/2.in p/cases/2.out",
        judged: &[
            "p/solutions/100.py: p/cases/1.in=p/cases/1.out p/cases/2.in=p/cases/2.out",
            "p/solutions/20.py: p/cases/1.in=p/cases/1.out p/cases/2.in=p/cases/2.out",
        ],
        told: &[],
    },
    Habit {
        name: "several people, and one tree of cases",
        files: "ann/alpha.py ann/beta.py bob/alpha.py tests/alpha/1.in tests/alpha/1.out tests/beta/1.in tests/beta/1.out",
        judged: &[
            "ann/alpha.py: tests/alpha/1.in=tests/alpha/1.out",
            "ann/beta.py: tests/beta/1.in=tests/beta/1.out",
            "bob/alpha.py: tests/alpha/1.in=tests/alpha/1.out",
        ],
        told: &[],
    },
    Habit {
        name: "contestants beside cases with the author's solutions",
        files: "Sources/AB/candies.cpp Sources/AB/fence.cpp Sources/CD/candies.cpp Tests/candies/author/candies.cpp Tests/candies/tests/1.in Tests/candies/tests/1.sol Tests/fence/author/fence.cpp Tests/fence/tests/1.in Tests/fence/tests/1.sol Tests/lift/tests/1.in Tests/lift/tests/1.sol Sources/AB/lift.cpp",
        judged: &[
            "Sources/AB/candies.cpp: Tests/candies/tests/1.in=Tests/candies/tests/1.sol",
            "Sources/CD/candies.cpp: Tests/candies/tests/1.in=Tests/candies/tests/1.sol",
            "Tests/candies/author/candies.cpp: Tests/candies/tests/1.in=Tests/candies/tests/1.sol",
            "Tests/fence/author/fence.cpp: Tests/fence/tests/1.in=Tests/fence/tests/1.sol",
            "Sources/AB/fence.cpp: Tests/fence/tests/1.in=Tests/fence/tests/1.sol",
            "Sources/AB/lift.cpp: Tests/lift/tests/1.in=Tests/lift/tests/1.sol",
        ],
        told: &[],
    },
    Habit {
        name: "a round without cases beside one with them",
        files: "2019/r1/a.py 2019/r1/b.py 2019/r2/a.py 2019/r2/a.in 2019/r2/a.out 2019/r2/b.py 2019/r2/b.in 2019/r2/b.out",
        judged: &[
            "2019/r2/a.py: 2019/r2/a.in=2019/r2/a.out",
            "2019/r2/b.py: 2019/r2/b.in=2019/r2/b.out",
        ],
        told: &["2019/r1/a.py"],
    },
    Habit {
        name: "one scratch case of a contest",
        files: "100/A/main.py 100/B/main.py 100/C/main.py 100/in1.txt 100/ans1.txt s/s.py s/1.in s/1.out",
        judged: &["s/s.py: s/1.in=s/1.out"],
        told: &["100 has sources of different problems"],
    },
    Habit {
        name: "folders of cases with any name",
        files: "p/prog/x.py p/daten/1.in p/daten/1.out",
        judged: &["p/prog/x.py: p/daten/1.in=p/daten/1.out"],
        told: &[],
    },
    Habit {
        name: "other languages",
        files: "A/x.py A/entrada.txt A/saida.txt B/x.py B/вход.txt B/выход.txt C1/x.py C1/样例输入1.txt C1/样例输出1.txt",
        judged: &[
            "A/x.py: A/entrada.txt=A/saida.txt",
            "B/x.py: B/вход.txt=B/выход.txt",
            "C1/x.py: C1/样例输入1.txt=C1/样例输出1.txt",
        ],
        told: &[],
    },
    Habit {
        name: "one known side",
        files: "p/x.py p/1.in p/1.cor p/2.in p/2.cor q/x.py q/1.in q/1.zzz q/2.in q/2.zzz r/x.py r/1.txt r/1.ans r/2.txt r/2.ans",
        judged: &[
            "p/x.py: p/1.in=p/1.cor p/2.in=p/2.cor",
            "q/x.py: q/1.in=q/1.zzz q/2.in=q/2.zzz",
            "r/x.py: r/1.txt=r/1.ans r/2.txt=r/2.ans",
        ],
        told: &[],
    },
    Habit {
        name: "words that are joined to other letters",
        files: "p/a.py p/b.py p/ina1 p/outa1 p/inb1 p/outb1 q/x.py q/diet.sin q/diet.sout r/x.py r/level1_1.in r/outputLevel1_1.txt",
        judged: &[
            "p/a.py: p/ina1=p/outa1",
            "p/b.py: p/inb1=p/outb1",
            "q/x.py: q/diet.sin=q/diet.sout",
            "r/x.py: r/level1_1.in=r/outputLevel1_1.txt",
        ],
        told: &[],
    },
    Habit {
        name: "folders of which one has a known side",
        files: "p/x.py p/tests/1.txt p/tests/2.txt p/sols/1.txt p/sols/2.txt",
        judged: &["p/x.py: p/tests/1.txt=p/sols/1.txt p/tests/2.txt=p/sols/2.txt"],
        told: &[],
    },
    Habit {
        name: "the stems of Advent of Code",
        files: "2022/01.py 2022/01.txt 2022/02.py 2022/02.txt",
        judged: &["2022/01.py: 2022/01.txt", "2022/02.py: 2022/02.txt"],
        told: &[],
    },
    Habit {
        name: "the inputs of a contest without answers",
        files: "ahc001/src/main.rs ahc001/tools/in/0000.txt",
        judged: &["ahc001/src/main.rs: ahc001/tools/in/0000.txt"],
        told: &[],
    },
    Habit {
        name: "packages that hold no solutions",
        files: "questions/A/problem.yaml questions/A/data/secret/1.in questions/A/data/secret/1.ans questions/B/problem.yaml questions/B/data/secret/1.in questions/B/data/secret/1.ans solutions/A.py solutions/B.py",
        judged: &[
            "solutions/A.py: questions/A/data/secret/1.in=questions/A/data/secret/1.ans",
            "solutions/B.py: questions/B/data/secret/1.in=questions/B/data/secret/1.ans",
        ],
        told: &[],
    },
    Habit {
        name: "folders of helpers",
        files: "p/x.py p/generator/make.py p/checker/c.py p/tests/1.in p/tests/1.out",
        judged: &["p/x.py: p/tests/1.in=p/tests/1.out"],
        told: &["p/generator/make.py"],
    },
    Habit {
        name: "several people's folders beside cases with the names of problems",
        files: "IO/p0-1-in.txt IO/p0-1-out.txt IO/p1-1-in.txt IO/p1-1-out.txt IO/p2-1-in.txt IO/p2-1-out.txt Ann/p0.py Ann/p1.py Ann/p2.py Bob/p0.py Bob/p2.py Solutions/p0.py Solutions/p1.py",
        judged: &[
            "Ann/p0.py: IO/p0-1-in.txt=IO/p0-1-out.txt",
            "Ann/p1.py: IO/p1-1-in.txt=IO/p1-1-out.txt",
            "Ann/p2.py: IO/p2-1-in.txt=IO/p2-1-out.txt",
            "Bob/p0.py: IO/p0-1-in.txt=IO/p0-1-out.txt",
            "Bob/p2.py: IO/p2-1-in.txt=IO/p2-1-out.txt",
            "Solutions/p0.py: IO/p0-1-in.txt=IO/p0-1-out.txt",
            "Solutions/p1.py: IO/p1-1-in.txt=IO/p1-1-out.txt",
        ],
        told: &[],
    },
    Habit {
        name: "modules below the folder of the solution",
        files: "p/Quellcode/Main.java p/Quellcode/util/Sieve.java@- p/Quellcode/bits/Bits.java@- p/Ergebnisse/a-eingabe.txt p/Ergebnisse/a-ausgabe.txt p/Ergebnisse/b-eingabe.txt p/Ergebnisse/b-ausgabe.txt",
        judged: &[
            "p/Quellcode/Main.java: p/Ergebnisse/a-eingabe.txt=p/Ergebnisse/a-ausgabe.txt p/Ergebnisse/b-eingabe.txt=p/Ergebnisse/b-ausgabe.txt",
        ],
        told: &["Sieve.java"],
    },
    Habit {
        name: "attempts with a word after a dot",
        files: "aoj/0010.py aoj/0010.1.py aoj/2008.py aoj/2008.dp.py aoj/0010.0.in.txt aoj/0010.0.out.txt aoj/2008.0.in.txt aoj/2008.0.out.txt",
        judged: &[
            "aoj/0010.py: aoj/0010.0.in.txt=aoj/0010.0.out.txt",
            "aoj/0010.1.py: aoj/0010.0.in.txt=aoj/0010.0.out.txt",
            "aoj/2008.py: aoj/2008.0.in.txt=aoj/2008.0.out.txt",
            "aoj/2008.dp.py: aoj/2008.0.in.txt=aoj/2008.0.out.txt",
        ],
        told: &[],
    },
];
