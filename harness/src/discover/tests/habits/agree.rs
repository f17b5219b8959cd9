//! Habits in which names agree in a part: of an input and its answer, or of a source and its cases.

use super::Habit;

pub(super) const HABITS: [Habit; 15] = [
    Habit {
        name: "a folder of answers beside one of a program's own runs, in the names of the streams",
        files: "p/soln/sum.py p/tests/t/Inputs/00-stdin.txt p/tests/t/Inputs/01-stdin.txt p/tests/t/Inputs/01-stderr.txt \
            p/tests/t/Expected/00-stdout.txt p/tests/t/Expected/00-stderr.txt p/tests/t/Expected/01-stdout.txt \
            p/tests/t/Outputs/00-stdout.txt p/tests/t/Outputs/00-stderr.txt p/tests/t/Outputs/01-stdout.txt",
        judged: &[
            "p/soln/sum.py: p/tests/t/Inputs/00-stdin.txt=p/tests/t/Expected/00-stdout.txt p/tests/t/Inputs/01-stdin.txt=p/tests/t/Expected/01-stdout.txt",
        ],
        told: &[],
    },
    Habit {
        name: "endings that continue those of the first pair",
        files: "cow/cow_ab.py cow/cow_mg.py cow/cow.in cow/cow.out cow/cow.inex cow/cow.outex",
        judged: &[
            "cow/cow_ab.py: cow/cow.in=cow/cow.out cow/cow.inex=cow/cow.outex",
            "cow/cow_mg.py: cow/cow.in=cow/cow.out cow/cow.inex=cow/cow.outex",
        ],
        told: &[],
    },
    Habit {
        name: "answers that share one word with their inputs",
        files: "p/a.py p/A-large-practice.in p/A-small-practice.in p/large_out.txt p/small_out.txt p/test.in",
        judged: &[
            "p/a.py: p/A-large-practice.in=p/large_out.txt p/A-small-practice.in=p/small_out.txt p/test.in",
        ],
        told: &[],
    },
    Habit {
        name: "the other answer of the other input",
        files: "q/sol.py q/A-large.in q/A-small.in q/result_big.out q/result_small.out",
        judged: &["q/sol.py: q/A-large.in=q/result_big.out q/A-small.in=q/result_small.out"],
        told: &[],
    },
    Habit {
        name: "a word before all names of a folder, another one in the next",
        files: "h/prob_ab.py h/prob_cd.py h/input/ros_ab.txt h/input/ros_cd.txt h/output/prob_ab.txt h/output/prob_cd.txt",
        judged: &[
            "h/prob_ab.py: h/input/ros_ab.txt=h/output/prob_ab.txt",
            "h/prob_cd.py: h/input/ros_cd.txt=h/output/prob_cd.txt",
        ],
        told: &[],
    },
    Habit {
        name: "cases of one letter, of which the source names the last",
        files: "k/Cake.py@D-large.in k/D-large.in k/D-large.out k/D-small.in k/D-small.out",
        judged: &["k/Cake.py: k/D-large.in=k/D-large.out k/D-small.in=k/D-small.out"],
        told: &[],
    },
    Habit {
        name: "numbered attempts in a longer form of the word of numbered cases",
        files: "r/mine.cpp r/ruler1.cpp r/ruler2.cpp r/tests/rul01.in r/tests/rul01.out r/tests/rul02.in r/tests/rul02.out \
            r/tests/rul03.in r/tests/rul03.out r/tests/rul04.in r/tests/rul04.out",
        judged: &[
            "r/mine.cpp: r/tests/rul01.in=r/tests/rul01.out r/tests/rul02.in=r/tests/rul02.out r/tests/rul03.in=r/tests/rul03.out r/tests/rul04.in=r/tests/rul04.out",
            "r/ruler1.cpp: r/tests/rul01.in=r/tests/rul01.out r/tests/rul02.in=r/tests/rul02.out r/tests/rul03.in=r/tests/rul03.out r/tests/rul04.in=r/tests/rul04.out",
            "r/ruler2.cpp: r/tests/rul01.in=r/tests/rul01.out r/tests/rul02.in=r/tests/rul02.out r/tests/rul03.in=r/tests/rul03.out r/tests/rul04.in=r/tests/rul04.out",
        ],
        told: &[],
    },
    Habit {
        name: "a word and a number for each problem, with sources and cases left over",
        files: "src/prob00.py src/prob01.py src/prob02.py src/problem03.py src/prob09.py \
            data/prob00-1-in.txt data/prob00-1-out.txt data/prob00-2-in.txt data/prob00-2-out.txt \
            data/prob01-1-in.txt data/prob01-1-out.txt data/prob02-1-in.txt data/prob02-1-out.txt \
            data/prob03-1-in.txt data/prob03-1-out.txt data/prob04-1-in.txt data/prob04-1-out.txt",
        judged: &[
            "src/prob00.py: data/prob00-1-in.txt=data/prob00-1-out.txt data/prob00-2-in.txt=data/prob00-2-out.txt",
            "src/prob01.py: data/prob01-1-in.txt=data/prob01-1-out.txt",
            "src/prob02.py: data/prob02-1-in.txt=data/prob02-1-out.txt",
            "src/problem03.py: data/prob03-1-in.txt=data/prob03-1-out.txt",
        ],
        told: &["src/prob09.py"],
    },
    Habit {
        name: "many programs, of which a few are called like cases",
        files: "bus_net.py 2048.py maze.py juggle.py ray.py x/part.py data/bus_net.in data/bus_net.out \
            data/juggle.in data/juggle.out data/ray.in data/ray.out data/wifi.in data/wifi.out",
        judged: &[
            "bus_net.py: data/bus_net.in=data/bus_net.out",
            "juggle.py: data/juggle.in=data/juggle.out",
            "ray.py: data/ray.in=data/ray.out",
        ],
        told: &["maze.py"],
    },
    Habit {
        name: "the same names in another week",
        files: "TP01/Q10.py TP01/Q11.py TP02/Q10/main.py TP02/Q10/pub.in TP02/Q10/pub.out \
            TP02/Q11/main.py TP02/Q11/pub.in TP02/Q11/pub.out",
        judged: &[
            "TP02/Q10/main.py: TP02/Q10/pub.in=TP02/Q10/pub.out",
            "TP02/Q11/main.py: TP02/Q11/pub.in=TP02/Q11/pub.out",
        ],
        told: &["TP01/Q10.py"],
    },
    Habit {
        name: "own runs beside some of the answers",
        files: "l/main.py l/1.in l/1.out l/1.res l/2.in l/2.out l/3.in l/3.out",
        judged: &["l/main.py: l/1.in=l/1.out l/2.in=l/2.out l/3.in=l/3.out"],
        told: &[],
    },
    Habit {
        name: "a scratch input without the ending of the answer",
        files: "z/sol.py z/input z/input.txt z/output.txt",
        judged: &["z/sol.py: z/input.txt=z/output.txt"],
        told: &[],
    },
    Habit {
        name: "a separator between the word and the number",
        files: "h/main.py h/sample_input_1 h/sample_output_1",
        judged: &["h/main.py: h/sample_input_1=h/sample_output_1"],
        told: &[],
    },
    Habit {
        name: "several folders of numbered cases, in one of which the author tried things",
        files: "P/ann/std.py P/bob/std.py P/data/1.in P/data/1.out P/data/2.in P/data/2.out \
            P/data/maker/walk.py P/data/maker/w.in P/data/maker/w.out P/down/1.in P/down/1.out P/pre/1.in P/pre/1.out",
        judged: &[
            "P/ann/std.py: P/data/1.in=P/data/1.out P/data/2.in=P/data/2.out P/down/1.in=P/down/1.out P/pre/1.in=P/pre/1.out",
            "P/bob/std.py: P/data/1.in=P/data/1.out P/data/2.in=P/data/2.out P/down/1.in=P/down/1.out P/pre/1.in=P/pre/1.out",
        ],
        told: &["walk.py"],
    },
    Habit {
        name: "several people's attempts with any names beside the only numbered cases",
        files: "knap/ei/fast.py knap/ei/faster.py knap/pink/ac.py knap/pink/min.py \
            knap/data/1.in knap/data/1.out knap/data/2.in knap/data/2.out",
        judged: &[
            "knap/ei/fast.py: knap/data/1.in=knap/data/1.out knap/data/2.in=knap/data/2.out",
            "knap/ei/faster.py: knap/data/1.in=knap/data/1.out knap/data/2.in=knap/data/2.out",
            "knap/pink/ac.py: knap/data/1.in=knap/data/1.out knap/data/2.in=knap/data/2.out",
            "knap/pink/min.py: knap/data/1.in=knap/data/1.out knap/data/2.in=knap/data/2.out",
        ],
        told: &[],
    },
];
