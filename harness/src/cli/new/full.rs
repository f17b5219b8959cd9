//! `rejudge new --full`: what else a problem needs: an input validator, a generator with its cases, and a submission that
//! is wrong.

use std::fmt::Write as _;
use std::io;

use crate::import::stage::StagingFolder;

/// The statement, in the language that juries typeset with `BAPCtools` and problemtools. The name is that of `problem.yaml`.
pub(super) const STATEMENT: &str = r"\problemname{}

Given two integers $a$ and $b$, print their sum.

\section*{Input}

One line with $a$ and $b$ ($-10^9 \le a, b \le 10^9$).

\section*{Output}

One line with the sum.
";

/// The programs of the example problem in one language.
struct FullPrograms {
    extension: &'static str,
    validator: &'static str,
    generator: &'static str,
}

const RUST: FullPrograms = FullPrograms {
    extension: "rs",
    validator: "// Accepts one line with two integers from -10^9 to 10^9.\n\
        use std::io::Read as _;\n\n\
        fn is_valid(word: &str) -> bool {\n    \
            let number = word.parse::<i64>();\n    \
            number.is_ok_and(|number| {\n        \
                number.to_string() == word && (-1_000_000_000..=1_000_000_000).contains(&number)\n    })\n}\n\n\
        fn main() {\n    let mut text = String::new();\n    \
            let read = std::io::stdin().read_to_string(&mut text);\n    \
            let words = text.strip_suffix('\\n').and_then(|line| line.split_once(' '));\n    \
            let valid = read.is_ok() && words.is_some_and(|(a, b)| is_valid(a) && is_valid(b));\n    \
            std::process::exit(if valid { 42 } else { 43 });\n}\n",
    generator: "// Prints two random integers. The arguments are a seed and the largest absolute value.\n\
        fn main() {\n    let words: Vec<String> = std::env::args().collect();\n    \
            let (mut state, bound): (u64, u64) = (words[1].parse().unwrap(), words[2].parse().unwrap());\n    \
            let mut random = || {\n        \
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);\n        \
                (state >> 33) as i64 % (2 * bound as i64 + 1) - bound as i64\n    };\n    \
            println!(\"{} {}\", random(), random());\n}\n",
};

const CPP: FullPrograms = FullPrograms {
    extension: "cpp",
    validator: "// Accepts one line with two integers from -10^9 to 10^9.\n\
        #include <cstdlib>\n#include <iostream>\n#include <iterator>\n#include <regex>\n#include <string>\n\n\
        int main() {\n    \
            std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};\n    \
            std::regex line(\"(0|-?[1-9][0-9]{0,9}) (0|-?[1-9][0-9]{0,9})\\n\");\n    \
            std::smatch found;\n    bool valid = std::regex_match(text, found, line);\n    \
            for (int i = 1; valid && i <= 2; i++) valid = std::llabs(std::stoll(found[i])) <= 1000000000;\n    \
            return valid ? 42 : 43;\n}\n",
    generator: "// Prints two random integers. The arguments are a seed and the largest absolute value.\n\
        #include <cstdint>\n#include <cstdlib>\n#include <iostream>\n\n\
        int main(int, char** args) {\n    \
            std::uint64_t state = std::strtoull(args[1], nullptr, 10);\n    \
            std::int64_t bound = std::atoll(args[2]);\n    auto random = [&] {\n        \
                state = state * 6364136223846793005u + 1442695040888963407u;\n        \
                return std::int64_t(state >> 33) % (2 * bound + 1) - bound;\n    };\n    \
            std::int64_t a = random(), b = random();\n    std::cout << a << ' ' << b << '\\n';\n}\n",
};

const PYTHON: FullPrograms = FullPrograms {
    extension: "py",
    validator: "# Accepts one line with two integers from -10^9 to 10^9.\nimport re\nimport sys\n\n\
        number = rb'(0|-?[1-9][0-9]{0,9})'\n\
        found = re.fullmatch(number + b' ' + number + b'\\n', sys.stdin.buffer.read())\n\
        valid = found and all(abs(int(word)) <= 10**9 for word in found.groups())\n\
        sys.exit(42 if valid else 43)\n",
    generator: "# Prints two random integers. The arguments are a seed and the largest absolute value.\nimport sys\n\n\
        state, bound = int(sys.argv[1]), int(sys.argv[2])\n\n\n\
        def random():\n    global state\n    \
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64\n    \
            return (state >> 33) % (2 * bound + 1) - bound\n\n\nprint(random(), random())\n",
};

/// The generated cases: the names, and the arguments of the generator.
const GENERATED: [(&str, u64, i64); 2] = [("small", 1, 10), ("large", 2, 1_000_000_000)];

/// The change that makes a starter solution wrong, by language.
const MISTAKES: [(&str, &str, &str); 7] = [
    ("rust", "unwrap()).sum()", "unwrap().abs()).sum()"),
    ("cpp", "a + b", "a - b"),
    ("c", "a + b", "a - b"),
    ("python3", "map(int,", "map(lambda word: abs(int(word)),"),
    ("java", " + in.nextLong()", " - in.nextLong()"),
    ("go", "a + b", "a - b"),
    ("javascript", "a + b", "a - b"),
];

/// The programs for a problem whose solution is in this language.
fn programs_for(language: &str) -> &'static FullPrograms {
    match language {
        "rust" => &RUST,
        "c" | "cpp" => &CPP,
        _ => &PYTHON,
    }
}

/// A wrong solution, made from the right one.
pub(super) fn wrong(language: &str, text: &[u8]) -> Option<Vec<u8>> {
    let (_, from, to) = MISTAKES.iter().find(|(known, ..)| *known == language)?;
    let text = std::str::from_utf8(text).ok()?;
    text.contains(from).then(|| text.replace(from, to).into_bytes())
}

/// Adds the programs and the generated cases to a package whose solution has this language and file name.
pub(super) fn write(stage: &StagingFolder, language: &str, solution: &str) -> io::Result<()> {
    let programs = programs_for(language);
    let end = programs.extension;
    stage.write(&format!("input_validators/validator.{end}"), programs.validator.as_bytes())?;
    stage.write(&format!("generators/numbers.{end}"), programs.generator.as_bytes())?;
    let mut yaml = format!(
        "# `rejudge generate` makes these cases again. The solution is solutions/PROBLEM/{solution}.\n\
         solution: /submissions/accepted/{solution}\n\ndata:\n  sample:\n    data:\n      '1': {{in: 1 2}}\n  \
         secret:\n    data:\n      '1': {{in: 1000000000 -7}}\n"
    );
    for (name, seed, bound) in GENERATED {
        let _ = writeln!(yaml, "      {name}: numbers.{end} {seed} {bound}");
        let (a, b) = numbers(seed, bound);
        stage.write(&format!("data/secret/{name}.in"), format!("{a} {b}\n").as_bytes())?;
        stage.write(&format!("data/secret/{name}.ans"), format!("{}\n", a + b).as_bytes())?;
    }
    stage.write("generators/generators.yaml", yaml.as_bytes())
}

/// The numbers that the generators print.
fn numbers(seed: u64, bound: i64) -> (i64, i64) {
    let mut state = seed;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let random = i64::try_from(state >> 33).unwrap_or_default();
        random % (2 * bound + 1) - bound
    };
    (random(), random())
}
