//! Habits in which a source could be judged on cases of another problem, and trees that look different from their folders.

use super::Habit;

pub(super) const HABITS: [Habit; 13] = [
    Habit {
        name: "attempts at the problem with one letter, below a folder that holds all contests",
        files: "Solutions/241/A/A.cpp Solutions/241/A/A_fail.cpp Solutions/241/A/A~copy.cpp Solutions/241/A/A.in \
            Solutions/241/A/A2.in Solutions/241/A/custom.in Solutions/241/B/B.cpp Solutions/241/B/B1.in",
        judged: &[
            "Solutions/241/A/A.cpp: Solutions/241/A/A.in Solutions/241/A/A2.in Solutions/241/A/custom.in",
            "Solutions/241/A/A_fail.cpp: Solutions/241/A/A.in Solutions/241/A/A2.in Solutions/241/A/custom.in",
            "Solutions/241/A/A copy.cpp: Solutions/241/A/A.in Solutions/241/A/A2.in Solutions/241/A/custom.in",
            "Solutions/241/B/B.cpp: Solutions/241/B/B1.in",
        ],
        told: &[],
    },
    Habit {
        name: "any names beside cases with the letter of the folder",
        files: "Solutions/B/B_short.cpp Solutions/B/Recovery.cpp Solutions/B/B-large.in Solutions/B/B-large.out \
            Solutions/B/B-small.in Solutions/B/B-small.out",
        judged: &[
            "Solutions/B/B_short.cpp: Solutions/B/B-large.in=Solutions/B/B-large.out Solutions/B/B-small.in=Solutions/B/B-small.out",
            "Solutions/B/Recovery.cpp: Solutions/B/B-large.in=Solutions/B/B-large.out Solutions/B/B-small.in=Solutions/B/B-small.out",
        ],
        told: &[],
    },
    Habit {
        name: "cases of two letters beside sources without any",
        files: "jam/pancake.py jam/tidy.py jam/A-large.in jam/A-large.out jam/A-small.in jam/A-small.out jam/B-large.in \
            jam/B-large.out jam/flip.in",
        judged: &[],
        told: &["different problems"],
    },
    Habit {
        name: "the first letter of each source",
        files: "p26/arabic.py p26/between.py p26/circleland.py p26/a.in p26/a.out p26/b.in p26/b.out p26/c.in p26/c.out",
        judged: &[
            "p26/arabic.py: p26/a.in=p26/a.out",
            "p26/between.py: p26/b.in=p26/b.out",
            "p26/circleland.py: p26/c.in=p26/c.out",
        ],
        told: &[],
    },
    Habit {
        name: "the first letters of most sources",
        files: "p30/camper.py p30/chemistry.py p30/nine.py p30/offside.py p30/camp.in p30/camp.out p30/chem.in p30/chem.out \
            p30/nine.in p30/nine.out",
        judged: &[
            "p30/camper.py: p30/camp.in=p30/camp.out",
            "p30/chemistry.py: p30/chem.in=p30/chem.out",
            "p30/nine.py: p30/nine.in=p30/nine.out",
        ],
        told: &["offside.py"],
    },
    Habit {
        name: "a generator beside cases that the solutions leave over",
        files: "p17/bonus.py p17/average.py p17/gen.py p17/bonus.in p17/bonus.out p17/big.in p17/big.out",
        judged: &["p17/bonus.py: p17/bonus.in=p17/bonus.out"],
        told: &["gen.py"],
    },
    Habit {
        name: "numbered problems that open numbered inputs",
        files: "q/problem1.py@input1.txt q/problem2.py@input2.txt q/input1.txt q/input2.txt",
        judged: &["q/problem1.py: q/input1.txt", "q/problem2.py: q/input2.txt"],
        told: &[],
    },
    Habit {
        name: "a scratch input in the folder of the sources, below cases that they open",
        files: "lab/brackets.in lab/brackets.out lab/queue.in lab/queue.out lab/src/Lab1.py@brackets.in lab/src/Lab2.py@queue.in \
            lab/src/Lab3.py@none.in lab/src/stack.in",
        judged: &[
            "lab/src/Lab1.py: lab/brackets.in=lab/brackets.out",
            "lab/src/Lab2.py: lab/queue.in=lab/queue.out",
        ],
        told: &["Lab3.py"],
    },
    Habit {
        name: "a scratch input of one of several people, beside the folder of the cases",
        files: "K/ann/std.py K/ann/pattern.in K/bob/std.py K/data/1.in K/data/1.out K/data/2.in K/data/2.out",
        judged: &[
            "K/ann/std.py: K/data/1.in=K/data/1.out K/data/2.in=K/data/2.out",
            "K/bob/std.py: K/data/1.in=K/data/1.out K/data/2.in=K/data/2.out",
        ],
        told: &["K/ann"],
    },
    Habit {
        name: "the author's solution among the cases, and other people's with any names",
        files: "H/ann/std.py H/ann/fast.py H/bob/one.py H/data/std.py H/data/1.in H/data/1.out H/data/2.in H/data/2.out \
            H/data/std~or~maker/gen.py H/data/std~or~maker/a.in H/data/std~or~maker/a.out",
        judged: &[
            "H/ann/fast.py: H/data/1.in=H/data/1.out H/data/2.in=H/data/2.out",
            "H/ann/std.py: H/data/1.in=H/data/1.out H/data/2.in=H/data/2.out",
            "H/bob/one.py: H/data/1.in=H/data/1.out H/data/2.in=H/data/2.out",
            "H/data/std.py: H/data/1.in=H/data/1.out H/data/2.in=H/data/2.out",
        ],
        told: &[],
    },
    Habit {
        name: "some people's folders for each problem, beside other programs",
        files: "solutions/prob00/prob00.py solutions/prob01/prob01.py solutions/prob02/prob02.py src/prob00.py src/prob01.py \
            src/prob02.py lib/one.py lib/two.py lib/three.py lib/more/four.py data/prob00-1.in data/prob00-1.out \
            data/prob01-1.in data/prob01-1.out data/prob02-1.in data/prob02-1.out",
        judged: &[
            "solutions/prob00/prob00.py: data/prob00-1.in=data/prob00-1.out",
            "solutions/prob01/prob01.py: data/prob01-1.in=data/prob01-1.out",
            "solutions/prob02/prob02.py: data/prob02-1.in=data/prob02-1.out",
            "src/prob00.py: data/prob00-1.in=data/prob00-1.out",
            "src/prob01.py: data/prob01-1.in=data/prob01-1.out",
            "src/prob02.py: data/prob02-1.in=data/prob02-1.out",
        ],
        told: &["lib"],
    },
    Habit {
        name: "two files that the source only reads",
        files: "lab00/main.py@matrizA.txt,matrizB.txt lab00/matrizA.txt lab00/matrizB.txt lab00/x.py lab01/main.py lab01/1.in \
            lab01/1.out",
        judged: &["lab01/main.py: lab01/1.in=lab01/1.out"],
        told: &["lab00"],
    },
    Habit {
        name: "the folders of a package without its description",
        files: "P/solutions/ann.py P/solutions/bob.py P/data/sample/1.in P/data/sample/1.ans P/data/secret/2.in P/data/secret/2.ans",
        judged: &[
            "P/solutions/ann.py: P/data/sample/1.in=P/data/sample/1.ans P/data/secret/2.in=P/data/secret/2.ans",
            "P/solutions/bob.py: P/data/sample/1.in=P/data/sample/1.ans P/data/secret/2.in=P/data/secret/2.ans",
        ],
        told: &[],
    },
];
