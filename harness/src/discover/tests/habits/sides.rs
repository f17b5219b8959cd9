//! Habits of names: which files are a pair, and whose.

use super::Habit;

pub(super) const HABITS: [Habit; 37] = [
    Habit {
        name: "one folder, usual names",
        files: "sum.cpp 1.in 1.out 2.in 2.out notes.txt",
        judged: &["sum.cpp: 1.in=1.out 2.in=2.out"],
        told: &[],
    },
    Habit {
        name: "two inputs that differ in case alone",
        files: "sum.cpp CASE.INP CaSE.INP CASE.OUT",
        judged: &["sum.cpp: CASE.INP=CASE.OUT CaSE.INP"],
        told: &["CaSE.INP"],
    },
    Habit {
        name: "a source for each letter",
        files: "a.cpp b.py c.rs a.in a.out b.in b.out 100.in 100.out",
        judged: &["a.cpp: a.in=a.out", "b.py: b.in=b.out"],
        told: &["c.rs", "no solution uses 1"],
    },
    Habit {
        name: "a number after the letter",
        files: "a.cpp b.cpp a1.in a1.out a2.in a2.out b1.in b1.out",
        judged: &["a.cpp: a1.in=a1.out a2.in=a2.out", "b.cpp: b1.in=b1.out"],
        told: &[],
    },
    Habit {
        name: "a hyphen after the letter",
        files: "a.cpp b.cpp a-1.in a-1.out b-1.in b-1.out ab-1.in ab-1.out",
        judged: &["a.cpp: a-1.in=a-1.out", "b.cpp: b-1.in=b-1.out"],
        told: &["no solution uses 1"],
    },
    Habit {
        name: "an underscore after the letter",
        files: "a.cpp b.cpp a_1.in a_1.ans b_1.in b_1.ans",
        judged: &["a.cpp: a_1.in=a_1.ans", "b.cpp: b_1.in=b_1.ans"],
        told: &[],
    },
    Habit {
        name: "a dot after the letter",
        files: "a.cpp b.cpp a.1.in a.1.out b.1.in b.1.out",
        judged: &["a.cpp: a.1.in=a.1.out", "b.cpp: b.1.in=b.1.out"],
        told: &[],
    },
    Habit {
        name: "the longest name wins",
        files: "car.cpp carpet.cpp car_race.cpp car.in car.out carpet.in carpet.out car_race.in car_race.out",
        judged: &[
            "car.cpp: car.in=car.out",
            "carpet.cpp: carpet.in=carpet.out",
            "car_race.cpp: car_race.in=car_race.out",
        ],
        told: &[],
    },
    Habit {
        name: "numbers as names",
        files: "1.cpp 10.cpp 1.in 1.out 10.in 10.out",
        judged: &["1.cpp: 1.in=1.out", "10.cpp: 10.in=10.out"],
        told: &[],
    },
    Habit {
        name: "upper and lower case",
        files: "A.cpp B.cpp a1.in a1.out b1.in b1.out",
        judged: &["A.cpp: a1.in=a1.out", "B.cpp: b1.in=b1.out"],
        told: &[],
    },
    Habit {
        name: "three languages, one name",
        files: "main.c main.cpp main.py 1.in 1.out",
        judged: &["main.c: 1.in=1.out", "main.cpp: 1.in=1.out", "main.py: 1.in=1.out"],
        told: &[],
    },
    Habit {
        name: "a word before the letter",
        files: "prob_a.py prob_b.py a.in a.out b.in b.out",
        judged: &["prob_a.py: a.in=a.out", "prob_b.py: b.in=b.out"],
        told: &[],
    },
    Habit {
        name: "a number inside the name",
        files: "wine.py beer2-x.py wine.in wine.out beer.in beer.out",
        judged: &["wine.py: wine.in=wine.out"],
        told: &["beer2-x.py", "no solution uses 1"],
    },
    Habit {
        name: "numbered attempts",
        files: "1.cpp 2.cpp sample.in sample.out",
        judged: &["1.cpp: sample.in=sample.out", "2.cpp: sample.in=sample.out"],
        told: &[],
    },
    Habit {
        name: "attempts with versions",
        files: "sum/sol.cpp sum/sol2.cpp sum/v3.cpp sum/1.in sum/1.out sum/2.in sum/2.out",
        judged: &[
            "sum/sol.cpp: sum/1.in=sum/1.out sum/2.in=sum/2.out",
            "sum/sol2.cpp: sum/1.in=sum/1.out sum/2.in=sum/2.out",
            "sum/v3.cpp: sum/1.in=sum/1.out sum/2.in=sum/2.out",
        ],
        told: &[],
    },
    Habit {
        name: "letters without cases of their own",
        files: "day/s.py day/1.in day/1.out x/a.cpp x/b.cpp x/1.in x/1.out",
        judged: &["day/s.py: day/1.in=day/1.out"],
        told: &["x has sources of different problems"],
    },
    Habit {
        name: "contest ids without cases of their own",
        files: "s/s.py s/1.in s/1.out r/1850A.cpp r/1851B.cpp r/sample1.in r/sample1.out",
        judged: &["s/s.py: s/1.in=s/1.out"],
        told: &["r has sources of different problems"],
    },
    Habit {
        name: "four names without a common beginning",
        files: "s/s.py s/1.in s/1.out mixed/wine.cpp mixed/beer.cpp mixed/milk.cpp mixed/tea.py mixed/1.in mixed/1.out",
        judged: &["s/s.py: s/1.in=s/1.out"],
        told: &["mixed has sources of different problems"],
    },
    Habit {
        name: "bare words",
        files: "p/main.py p/in.txt p/out.txt q/main.py q/in q/out",
        judged: &["p/main.py: p/in.txt=p/out.txt", "q/main.py: q/in=q/out"],
        told: &[],
    },
    Habit {
        name: "input beside expected",
        files: "p/main.py p/input.txt p/expected.txt p/notes.md",
        judged: &["p/main.py: p/input.txt=p/expected.txt"],
        told: &[],
    },
    Habit {
        name: "input beside output",
        files: "p/main.py p/input.txt p/output.txt",
        judged: &["p/main.py: p/input.txt=p/output.txt"],
        told: &[],
    },
    Habit {
        name: "numbered words",
        files: "p/main.py p/input1.txt p/output1.txt p/input2.txt p/output2.txt p/input.txt",
        judged: &["p/main.py: p/input1.txt=p/output1.txt p/input2.txt=p/output2.txt"],
        told: &[],
    },
    Habit {
        name: "the number before the word",
        files: "p/main.py p/1_in.txt p/1_out.txt p/2_in.txt p/2_out.txt p/inner.txt",
        judged: &["p/main.py: p/1_in.txt=p/1_out.txt p/2_in.txt=p/2_out.txt"],
        told: &[],
    },
    Habit {
        name: "sample words",
        files: "p/main.py p/sample_input.txt p/sample_output.txt",
        judged: &["p/main.py: p/sample_input.txt=p/sample_output.txt"],
        told: &[],
    },
    Habit {
        name: "extensions of other judges",
        files: "p/a.cpp p/1.inp p/1.ok p/2.inp p/2.ok",
        judged: &["p/a.cpp: p/1.inp=p/1.ok p/2.inp=p/2.ok"],
        told: &[],
    },
    Habit {
        name: "answers called a",
        files: "p/a.cpp p/01 p/01.a p/02 p/02.a p/03.a",
        judged: &["p/a.cpp: p/01=p/01.a p/02=p/02.a"],
        told: &["p/03.a"],
    },
    Habit {
        name: "two extensions",
        files: "p/a.cpp p/1.in.txt p/1.out.txt",
        judged: &["p/a.cpp: p/1.in.txt=p/1.out.txt"],
        told: &[],
    },
    Habit {
        name: "the output of a program beside the answer",
        files: "p/a.cpp p/1.in p/1.out p/1.ans",
        judged: &["p/a.cpp: p/1.in=p/1.ans"],
        told: &[],
    },
    Habit {
        name: "a program called a.out",
        files: "p/sum.cpp p/1.in p/1.out p/a.out",
        judged: &["p/sum.cpp: p/1.in=p/1.out"],
        told: &[],
    },
    Habit {
        name: "a source next to the cases of the problems before it",
        files: "x/beer2-x.py x/beer.in x/beer.out y/b.py y/a.in y/a.out z/beer2.py z/beer.in z/beer.out",
        judged: &["z/beer2.py: z/beer.in=z/beer.out"],
        told: &["x/beer2-x.py", "y/b.py", "no solution uses 2"],
    },
    Habit {
        name: "the numbers of a judge's problems with one scratch file",
        files: "z/a147.c z/a038.c z/a004.c z/in y/p1001.cpp y/p1002.cpp y/in.txt y/out.txt s/s.py s/1.in s/1.out",
        judged: &["s/s.py: s/1.in=s/1.out"],
        told: &["z has sources of different problems", "y has sources of different problems"],
    },
    Habit {
        name: "the two parts of a day",
        files: "05/first.py 05/second.py 05/input.txt day6/part1.py day6/part2.py day6/input.txt",
        judged: &[
            "05/first.py: 05/input.txt",
            "05/second.py: 05/input.txt",
            "day6/part1.py: day6/input.txt",
            "day6/part2.py: day6/input.txt",
        ],
        told: &[],
    },
    Habit {
        name: "a contest's own tool and a script that makes cases",
        files: "p/sol.py p/testing_tool.py p/generate_tests.py p/generate_parentheses.py p/1.in p/1.out",
        judged: &["p/sol.py: p/1.in=p/1.out", "p/generate_parentheses.py: p/1.in=p/1.out"],
        told: &["p/testing_tool.py", "p/generate_tests.py"],
    },
    Habit {
        name: "samples beside the whole input of the same name",
        files: "p/solve.py p/xs_and_os_input.txt p/xs_and_os_output.txt p/xs_and_os_sample_input.txt p/xs_and_os_sample_output.txt",
        judged: &[
            "p/solve.py: p/xs_and_os_input.txt=p/xs_and_os_output.txt p/xs_and_os_sample_input.txt=p/xs_and_os_sample_output.txt",
        ],
        told: &[],
    },
    Habit {
        name: "samples beside numbered cases",
        files: "p/sol.py p/tests/in1.txt p/tests/out1.txt p/tests/in2.txt p/tests/out2.txt p/tests/sample_input.txt p/tests/sample_output.txt",
        judged: &[
            "p/sol.py: p/tests/in1.txt=p/tests/out1.txt p/tests/in2.txt=p/tests/out2.txt p/tests/sample_input.txt=p/tests/sample_output.txt",
        ],
        told: &[],
    },
    Habit {
        name: "one answer and one other text",
        files: "2SUM/main.py 2SUM/rosalind_2sum.txt 2SUM/output.txt cops/answer.py cops/input.txt cops/copsOUT.txt notes/main.py notes/readme.txt notes/output.txt",
        judged: &[
            "2SUM/main.py: 2SUM/rosalind_2sum.txt=2SUM/output.txt",
            "cops/answer.py: cops/input.txt=cops/copsOUT.txt",
        ],
        told: &["notes/main.py"],
    },
    Habit {
        name: "the words of Dutch and Lithuanian contests",
        files: "vb/a.py vb/vb.invoer vb/vb.uitvoer lt/a.py lt/1-duomenys.txt lt/1-rezultatai.txt",
        judged: &[
            "vb/a.py: vb/vb.invoer=vb/vb.uitvoer",
            "lt/a.py: lt/1-duomenys.txt=lt/1-rezultatai.txt",
        ],
        told: &[],
    },
];
