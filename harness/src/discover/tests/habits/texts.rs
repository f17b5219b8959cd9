//! Habits of texts: sources that open their case by its name. Others of contests that leave several files in a folder.

use super::Habit;

pub(super) const HABITS: [Habit; 24] = [
    Habit {
        name: "a project that was copied with its old files",
        files: "p/main.cpp@xor.in p/xor.in p/xor.out p/sum.in p/sum.out",
        judged: &["p/main.cpp: p/xor.in=p/xor.out"],
        told: &["no solution uses 1"],
    },
    Habit {
        name: "a project that was copied, with a number",
        files: "p/main.cpp@xor2.in p/xor.in p/xor.out p/xor2.in p/xor2.out",
        judged: &["p/main.cpp: p/xor2.in=p/xor2.out"],
        told: &["no solution uses 1"],
    },
    Habit {
        name: "several names of cases for one problem",
        files: "p/main.cpp@xor.in p/xor.in p/xor.out p/0-xor.in p/0-xor.ok p/1-xor.in p/1-xor.ok",
        judged: &["p/main.cpp: p/xor.in=p/xor.out p/0-xor.in=p/0-xor.ok p/1-xor.in=p/1-xor.ok"],
        told: &[],
    },
    Habit {
        name: "sources with other names in the folder of a contest",
        files: "DEC_BR_milk.java@mixmilk.in DEC_SI_back.java@back.in other.py mixmilk.in mixmilk.out back.in back.out",
        judged: &["DEC_BR_milk.java: mixmilk.in=mixmilk.out", "DEC_SI_back.java: back.in=back.out"],
        told: &["other.py"],
    },
    Habit {
        name: "a second attempt with a free name",
        files: "x/LostCow.java x/pure_simulation.py@lostcow.in x/other.py@fence.in x/lostcow.in x/lostcow.out",
        judged: &[
            "x/LostCow.java: x/lostcow.in=x/lostcow.out",
            "x/pure_simulation.py: x/lostcow.in=x/lostcow.out",
        ],
        told: &["x/other.py"],
    },
    Habit {
        name: "numbered sources that open numbered cases",
        files: "1.py@BAI1.INP 2.py@BAI2.INP BAI1.INP BAI1.OUT BAI2.INP BAI2.OUT",
        judged: &["1.py: BAI1.INP=BAI1.OUT", "2.py: BAI2.INP=BAI2.OUT"],
        told: &[],
    },
    Habit {
        name: "a class of four, each of whom solved every problem of a contest",
        files: "an1.py@atm.in bo1.py@atm.in cu1.py@atm.in di1.py@atm.in an2.py@bridge.in bo2.py@bridge.in cu2.py@bridge.in di2.py@bridge.in atm.in atm.out bridge.in bridge.out",
        judged: &[
            "an1.py: atm.in=atm.out",
            "bo1.py: atm.in=atm.out",
            "cu1.py: atm.in=atm.out",
            "di1.py: atm.in=atm.out",
            "an2.py: bridge.in=bridge.out",
            "bo2.py: bridge.in=bridge.out",
            "cu2.py: bridge.in=bridge.out",
            "di2.py: bridge.in=bridge.out",
        ],
        told: &[],
    },
    Habit {
        name: "one scratch file for everything",
        files: "s/s.py s/1.in s/1.out all/ant.py@a.in all/bee.py@a.in all/cow.py@a.in all/dog.py all/a.in all/a.out",
        judged: &["s/s.py: s/1.in=s/1.out"],
        told: &["all has sources of different problems"],
    },
    Habit {
        name: "Code Jam with the letter of the problem",
        files: "r/A-osmos.py r/B-dust.py r/C-mail.py r/A-small-attempt0.in r/A-large.in r/B-small-attempt1.in",
        judged: &[
            "r/A-osmos.py: r/A-small-attempt0.in r/A-large.in",
            "r/B-dust.py: r/B-small-attempt1.in",
        ],
        told: &["r/C-mail.py"],
    },
    Habit {
        name: "Code Jam with the name of the problem",
        files: "r/A-osmos.py r/B-dust.py r/A-osmos-small-attempt0.in r/A-osmos-large.in r/B-dust-small.in",
        judged: &[
            "r/A-osmos.py: r/A-osmos-small-attempt0.in r/A-osmos-large.in",
            "r/B-dust.py: r/B-dust-small.in",
        ],
        told: &[],
    },
    Habit {
        name: "the official cases in a folder with the name of the sample",
        files: "u/01_cow/01_cow.py u/01_cow/TheCow.java u/01_cow/lost.in u/01_cow/lost.out u/01_cow/lost_open17/1.in \
            u/01_cow/lost_open17/1.out u/01_cow/misc_open17/1.in u/01_cow/misc_open17/1.out",
        judged: &[
            "u/01_cow/01_cow.py: u/01_cow/lost.in=u/01_cow/lost.out u/01_cow/lost_open17/1.in=u/01_cow/lost_open17/1.out",
            "u/01_cow/TheCow.java: u/01_cow/lost.in=u/01_cow/lost.out u/01_cow/lost_open17/1.in=u/01_cow/lost_open17/1.out",
        ],
        told: &["u/01_cow/misc_open17"],
    },
    Habit {
        name: "the official cases in a folder with the name of a source",
        files: "02_ball/02_ball.py 02_ball/Ball.java 02_ball/x.py 02_ball/ball_bronze/1.in 02_ball/ball_bronze/1.out",
        judged: &[
            "02_ball/02_ball.py: 02_ball/ball_bronze/1.in=02_ball/ball_bronze/1.out",
            "02_ball/Ball.java: 02_ball/ball_bronze/1.in=02_ball/ball_bronze/1.out",
        ],
        told: &["02_ball/x.py"],
    },
    Habit {
        name: "the cases of the folder in a folder with its name",
        files: "SafePassage/solution.py SafePassage/safepassage/1.in SafePassage/safepassage/1.ans",
        judged: &[
            "SafePassage/solution.py: SafePassage/safepassage/1.in=SafePassage/safepassage/1.ans",
        ],
        told: &[],
    },
    Habit {
        name: "main among other experiments",
        files: "11/main.c 11/Queue.c 11/dq.c 11/old.c 11/0.in 11/0.out 12/main.c 12/a.c 12/b.c 12/c.c 12/0.in 12/0.out",
        judged: &[
            "11/main.c: 11/0.in=11/0.out",
            "11/Queue.c: 11/0.in=11/0.out",
            "11/dq.c: 11/0.in=11/0.out",
            "11/old.c: 11/0.in=11/0.out",
        ],
        told: &["12 has sources of different problems"],
    },
    Habit {
        name: "a program of several files",
        files: "src/main.cpp src/stop.cpp@- tests/1.in tests/1.out",
        judged: &["src/main.cpp: tests/1.in=tests/1.out"],
        told: &["sources without a `main` function are not judged: src/stop.cpp"],
    },
    Habit {
        name: "a fragment for a judge that has the rest",
        files: "p/function.c@- p/1.in p/1.out",
        judged: &["p/function.c: p/1.in=p/1.out"],
        told: &[],
    },
    Habit {
        name: "solutions of many people",
        files: "1/1.in 1/1.out 1/soln/ann.c 1/soln/bob.c 1/soln/cai.c 1/soln/dan.c",
        judged: &[
            "1/soln/ann.c: 1/1.in=1/1.out",
            "1/soln/bob.c: 1/1.in=1/1.out",
            "1/soln/cai.c: 1/1.in=1/1.out",
            "1/soln/dan.c: 1/1.in=1/1.out",
        ],
        told: &[],
    },
    Habit {
        name: "copies of a file manager",
        files: "p/main.cpp p/sum.in p/sum.out p/sum~(copy).in p/sum~-~Copy.in",
        judged: &["p/main.cpp: p/sum.in=p/sum.out"],
        told: &["p/sum (copy).in", "p/sum - Copy.in"],
    },
    Habit {
        name: "the files of the next problem in the folder of the first",
        files: "p/main.cpp@sum.in p/sum.in p/sum.out p/sum2.in p/sum2.out",
        judged: &["p/main.cpp: p/sum.in=p/sum.out"],
        told: &["no solution uses 1 of the cases in p"],
    },
    Habit {
        name: "numbered cases of a problem with files",
        files: "p/main.cpp@sum.in p/sum.in p/sum.out p/sum2.in p/sum2.out p/sum3.in p/sum3.out",
        judged: &["p/main.cpp: p/sum.in=p/sum.out p/sum2.in=p/sum2.out p/sum3.in=p/sum3.out"],
        told: &[],
    },
    Habit {
        name: "an input that was put aside",
        files: "p/main.cpp@sum.in p/sum.in p/sum.out p/sum_good.in p/sum_big.in p/sum_big.out",
        judged: &["p/main.cpp: p/sum.in=p/sum.out p/sum_big.in=p/sum_big.out"],
        told: &["no solution uses 1 of the cases in p"],
    },
    Habit {
        name: "the usual file name next to the case of another problem",
        files: "p/main.cpp@input.txt p/input.txt p/output.txt p/sum.in p/sum.out q/main.cpp@input.txt q/input.txt \
            q/output.txt q/1.in q/1.out",
        judged: &["p/main.cpp: p/input.txt=p/output.txt", "q/main.cpp: q/1.in=q/1.out"],
        told: &["no solution uses 1 of the cases in p"],
    },
    Habit {
        name: "the usual file name without an answer",
        files: "p/main.cpp@input.txt p/input.txt p/a.in p/a.out q/main.cpp@input.txt q/input.txt q/mine.in q/mine.out",
        judged: &["p/main.cpp: p/input.txt", "q/main.cpp: q/mine.in=q/mine.out"],
        told: &["no solution uses 1 of the cases in p"],
    },
    Habit {
        name: "an input without an answer under the name that a source opens",
        files: "p/main.cpp@a.in p/a.in p/input.txt p/output.txt",
        judged: &["p/main.cpp: p/input.txt=p/output.txt"],
        told: &["p/a.in"],
    },
];
