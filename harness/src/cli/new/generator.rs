//! `rejudge new --generator`: a first generator for `rejudge stress`.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::NewArgs;
use crate::cli::exit::CommandExit;
use crate::cli::{build_args, settings, stream};
use crate::left_behind::write_beneath;
use crate::notice::{Code, shown, visible};

/// Generators of a count and a line of numbers, by language. The arguments are a seed and the largest count.
const GENERATORS: [(&str, &str, &str); 3] = [
    (
        "python3",
        "gen.py",
        "import random\nimport sys\n\nseed, size = int(sys.argv[1]), int(sys.argv[2])\nrandom.seed(seed)\n\
         count = random.randint(1, size)\nprint(count)\n\
         print(*[random.randint(-10, 10) for _ in range(count)])\n",
    ),
    (
        "cpp",
        "gen.cpp",
        "#include <cstdlib>\n#include <iostream>\n#include <random>\n\nint main(int argc, char** argv) {\n    \
         std::mt19937 random(std::strtoul(argv[1], nullptr, 10));\n    int size = std::atoi(argv[2]);\n    \
         int count = random() % size + 1;\n    std::cout << count << '\\n';\n    \
         for (int i = 0; i < count; i++)\n        \
         std::cout << int(random() % 21) - 10 << (i + 1 < count ? ' ' : '\\n');\n}\n",
    ),
    (
        "rust",
        "gen.rs",
        "fn main() {\n    let args: Vec<u64> = std::env::args().skip(1).map(|word| word.parse().unwrap()).collect();\n    \
         let mut state = args[0] + 1;\n    let mut random = |bound: u64| {\n        \
         state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);\n        \
         (state >> 33) % bound\n    };\n    let count = 1 + random(args[1]);\n    \
         let numbers: Vec<String> = (0..count).map(|_| (random(21) as i64 - 10).to_string()).collect();\n    \
         println!(\"{count}\\n{}\", numbers.join(\" \"));\n}\n",
    ),
];

/// Writes the generator into the current folder, or into that of the problem.
pub(super) fn write(args: &NewArgs) -> Result<CommandExit> {
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let repository = settings::locate(&current)?;
    let languages = build_args::languages(repository.as_ref())?;
    let word = args.language.as_deref().unwrap_or("rust");
    let by_extension = languages.by_extension(word.trim_start_matches('.'));
    let id = languages.get(word).or(by_extension).map_or(word, |language| language.id.as_str());
    let Some((_, name, text)) = GENERATORS.iter().find(|(language, ..)| *language == id) else {
        let known = GENERATORS.map(|(language, ..)| language);
        return Err(Code::UnknownLanguage
            .says(format!("there is no first generator in `{}`", visible(word)))
            .help(format!("use one of `{}`", known.join("`, `")))
            .into());
    };
    let root = repository.map_or_else(|| current.clone(), |found| found.root);
    let folder = match &args.problem {
        Some(problem) => {
            super::check_name(problem)?;
            let package = root.join("cases").join(problem);
            if !package.is_dir() {
                return Err(Code::UnknownProblem
                    .says(format!("no such problem: `{problem}`"))
                    .help(format!("create it first: `rejudge new {problem}`"))
                    .into());
            }
            package.join("generators")
        }
        None => current.clone(),
    };
    let file = folder.join(name);
    let place = match &args.problem {
        Some(_) => super::from_here(&file, &root, &current),
        None => shown(&file, Some(&current)),
    };
    if file.symlink_metadata().is_ok() {
        return Err(Code::AlreadyExists
            .says(format!("{place} exists already"))
            .help("remove it, or change it")
            .into());
    }
    write_beneath(&folder, Path::new(name), &mut text.as_bytes())
        .with_context(|| format!("cannot write {place}"))?;
    let gap = if args.problem.is_some() { " " } else { "" };
    let problem = args.problem.as_deref().unwrap_or_default();
    stream::print_line(format_args!(
        "{place}: a generator of a count and a line of numbers\n\
         next: change it to the format of the problem; then `rejudge stress{gap}{problem}`"
    ))?;
    Ok(CommandExit::Expected)
}
