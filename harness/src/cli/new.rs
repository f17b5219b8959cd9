//! `rejudge new`: creates a package and a starter solution that can be judged immediately.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::build_args;
use super::exit::CommandExit;
use super::{settings, stream};
use crate::import::stage::StagingFolder;
use crate::import::{draft, names, quoted};
use crate::language::Languages;
use crate::left_behind::write_beneath;
use crate::notice::{Code, Notice, shown, visible};
use crate::plain_file;

mod full;
mod generator;

/// Create a problem: a package in `cases/` and a solution in `solutions/`
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// Name of the problem: letters, digits, `_` and `-`
    #[arg(value_name = "PROBLEM", required_unless_present = "generator")]
    problem: Option<String>,
    /// Write a first generator for `rejudge stress`: for the problem, or into the current folder
    #[arg(long)]
    generator: bool,
    /// Also write an input validator, a generator with its cases, and a wrong solution
    #[arg(long, conflicts_with = "generator")]
    full: bool,
    /// Title of the problem [default: `New problem`]
    #[arg(long, value_name = "TITLE", conflicts_with = "generator")]
    title: Option<String>,
    /// Language of the solution or the generator: an id or an extension [default: rust; of a solution, the template's]
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
}

/// A solution of the example problem in a new package: to add two numbers.
struct Starter {
    language: &'static str,
    text: &'static str,
}

const STARTERS: [Starter; 7] = [
    Starter {
        language: "rust",
        text: "fn main() {\n    let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
               let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();\n    \
               println!(\"{sum}\");\n}\n",
    },
    Starter {
        language: "cpp",
        text: "#include <iostream>\n\nint main() {\n    long long a, b;\n    std::cin >> a >> b;\n    \
               std::cout << a + b << '\\n';\n}\n",
    },
    Starter {
        language: "c",
        text: "#include <stdio.h>\n\nint main(void) {\n    long long a, b;\n    \
               if (scanf(\"%lld %lld\", &a, &b) != 2) return 1;\n    printf(\"%lld\\n\", a + b);\n}\n",
    },
    Starter {
        language: "python3",
        text: "import sys\n\nprint(sum(map(int, sys.stdin.read().split())))\n",
    },
    Starter {
        language: "java",
        text: "import java.util.Scanner;\n\npublic class Main {\n    \
               public static void main(String[] args) {\n        Scanner in = new Scanner(System.in);\n        \
               System.out.println(in.nextLong() + in.nextLong());\n    }\n}\n",
    },
    Starter {
        language: "go",
        text: "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tvar a, b int64\n\t\
               fmt.Scan(&a, &b)\n\tfmt.Println(a + b)\n}\n",
    },
    Starter {
        language: "javascript",
        text: "const words = require('fs').readFileSync(0, 'utf8').trim().split(/\\s+/);\n\
               console.log(words.map(Number).reduce((a, b) => a + b, 0));\n",
    },
];

/// The title, unless one is given.
const TITLE: &str = "New problem";

const STATEMENT: &str = "Given two integers *a* and *b*, print their sum.\n\n\
    ## Input\n\nOne line with *a* and *b* (-10^9 to 10^9).\n\n\
    ## Output\n\nOne line with the sum.\n";

/// Creates the package and the solution. Existing ones are kept.
pub(crate) fn new(args: &NewArgs) -> Result<CommandExit> {
    if args.generator {
        return generator::write(args);
    }
    let id = args.problem.as_deref().unwrap_or_default();
    check_name(id)?;
    check_title(args.title.as_deref())?;
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let repository = settings::locate(&current)?;
    let config = repository.as_ref().map(|found| &found.config);
    let languages = build_args::languages(repository.as_ref())?;
    // A template does not solve the example problem.
    let template = config.and_then(|config| config.template.clone()).filter(|_| !args.full);
    let root = repository.map_or_else(|| current.clone(), |found| found.root);
    let named = |path: &Path| from_here(path, &root, &current);
    let package = root.join("cases").join(id);
    let templates =
        Templates { languages: &languages, template: template.map(|path| root.join(path)) };
    let language = templates.language(args.language.as_deref())?;
    let (name, text) = templates.solution(&language, id)?;
    let solutions = root.join("solutions");
    let below = Path::new(id).join(&name);
    let solution = solutions.join(&below);
    let (made, missing) = (!package.exists(), solution.symlink_metadata().is_err());
    if made {
        let extras = args.full.then_some((language.as_str(), name.as_str()));
        write_package(&package, id, args.title.as_deref().unwrap_or(TITLE), extras)
            .with_context(|| format!("cannot write {}", named(&package)))?;
    } else {
        let any = args.language.is_none().then(|| any_source(&solutions.join(id))).flatten();
        if let Some(other) = any.or_else(|| (!missing).then(|| solution.clone())) {
            return Err(already_solved(id, &named(&package), &named(&other)).into());
        }
        warn_of_ignored(args, &named(&package));
    }
    let write = |below: &Path, text: &[u8]| {
        write_beneath(&solutions, below, &mut &*text)
            .with_context(|| format!("cannot write {}", named(&solutions.join(below))))
    };
    if missing {
        write(&below, &text)?;
    }
    let wrong = Path::new(id).join("wrong_answer").join(&name);
    let wrong_text = full::wrong(&language, &text).filter(|_| args.full && made);
    if let Some(text) = &wrong_text {
        write(&wrong, text)?;
    }
    let wrong = wrong_text.map(|_| named(&solutions.join(&wrong)));
    let written = Written {
        package: made.then(|| named(&package)),
        solution: missing.then(|| named(&solution)),
        secret: named(&package.join("data/secret")),
        wrong,
    };
    written.tell(args, id)?;
    Ok(CommandExit::Expected)
}

/// What was written, as messages show it.
struct Written {
    package: Option<String>,
    solution: Option<String>,
    /// The folder of the cases that nobody sees.
    secret: String,
    wrong: Option<String>,
}

impl Written {
    /// Prints what was written, and what to do next.
    fn tell(&self, args: &NewArgs, id: &str) -> Result<()> {
        if let Some(folder) = &self.package {
            let more = if args.full { ", input_validators/, generators/" } else { "" };
            stream::print_line(format_args!(
                "{folder}: problem.yaml, statement/, data/sample/{more} of an example problem"
            ))?;
        }
        if let Some(solution) = &self.solution {
            stream::print_line(format_args!("{solution}: its solution"))?;
        }
        let Some(wrong) = &self.wrong else {
            stream::print_line(format_args!(
                "next: rejudge run {id}; then make the problem your own: write its cases to \
                 {}/, answers with `rejudge answer {id} --from SOLUTION`",
                self.secret
            ))?;
            return Ok(());
        };
        stream::print_line(format_args!("{wrong}: a wrong solution"))?;
        stream::print_line(format_args!(
            "next: rejudge verify --strict {id}; then make the problem your own: change the programs, then \
             `rejudge generate {id}`"
        ))?;
        Ok(())
    }
}

/// The error for a problem that has a solution: a starter solves the example problem only.
fn already_solved(id: &str, package: &str, solution: &str) -> Notice {
    Code::AlreadyExists.says(format!("{package} and its solution already exist")).help(format!(
        "judge it: `rejudge run {id}`; for a starter in another language next to `{solution}`, add \
         `--language LANGUAGE`"
    ))
}

/// A source in the folder of the solutions of a problem, the first by name.
fn any_source(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    files.filter(|path| path.is_file()).min()
}

/// A path as users type it in the current folder, which is the root or lies below it.
fn from_here(path: &Path, root: &Path, current: &Path) -> String {
    let name = shown(path, Some(root));
    let depth = current.strip_prefix(root).map_or(0, |below| below.components().count());
    "../".repeat(depth) + &name
}

/// Rejects a name that cannot be that of a problem.
fn check_name(id: &str) -> Result<(), Notice> {
    if names::is_id(id) {
        return Ok(());
    }
    Err(Code::InvalidName
        .says(format!("invalid problem name `{}`: use letters, digits, `_` and `-`", visible(id)))
        .help(format!("`rejudge new {}`", names::id(id))))
}

/// Warns of options that change nothing, because the package exists.
fn warn_of_ignored(args: &NewArgs, package: &str) {
    for (option, is_given) in [("--full", args.full), ("--title", args.title.is_some())] {
        if is_given {
            stream::warn(
                Code::AlreadyExists
                    .says(format!("{package} already exists: `{option}` changes nothing in it"))
                    .help("choose another name, or remove the folder first"),
            );
        }
    }
}

/// Rejects a title without text.
fn check_title(title: Option<&str>) -> Result<(), Notice> {
    match title {
        Some(title) if title.trim().is_empty() => Err(Code::InvalidName
            .says("the title of `--title` is empty")
            .help(format!("write one, or omit `--title` for `{TITLE}`"))),
        _ => Ok(()),
    }
}

/// Writes the package. `extras`: also what a whole problem has, for a solution in this language and file.
fn write_package(
    folder: &Path,
    id: &str,
    title: &str,
    extras: Option<(&str, &str)>,
) -> std::io::Result<()> {
    let stage = StagingFolder::begin(folder)?;
    let yaml = format!(
        "problem_format_version: 2025-09\ntype: pass-fail\nname: {}\nuuid: {}\n\
         limits:\n  time_limit: 2\n  memory: 256\n",
        quoted(title),
        draft::uuid(&[id, &folder.to_string_lossy()])
    );
    stage.write("problem.yaml", yaml.as_bytes())?;
    if extras.is_some() {
        stage.write("statement/problem.en.tex", full::STATEMENT.as_bytes())?;
    } else {
        let heading = crate::printable::one_line(title.as_bytes(), 300);
        let statement = format!("# {heading}\n\n{STATEMENT}");
        stage.write("statement/problem.en.md", statement.as_bytes())?;
    }
    stage.write("data/sample/1.in", b"1 2\n")?;
    stage.write("data/sample/1.ans", b"3\n")?;
    stage.write("data/secret/1.in", b"1000000000 -7\n")?;
    stage.write("data/secret/1.ans", b"999999993\n")?;
    if let Some((language, solution)) = extras {
        full::write(&stage, language, solution)?;
    }
    stage.finish()
}

/// The templates for a new solution.
struct Templates<'a> {
    languages: &'a Languages,
    /// The template that `rejudge.toml` names.
    template: Option<PathBuf>,
}

impl Templates<'_> {
    fn language_of_template(&self) -> Option<&str> {
        let template = self.template.as_deref()?;
        Some(self.languages.of_file(template)?.id.as_str())
    }

    /// The id of the requested language, given as an id or extension.
    fn language(&self, word: Option<&str>) -> Result<String> {
        let Some(word) = word else {
            return Ok(self.language_of_template().unwrap_or("rust").to_owned());
        };
        let extension = word.trim_start_matches('.');
        let by_extension = self.languages.by_extension(extension);
        let found = self.languages.get(word).or(by_extension);
        found.map(|language| language.id.clone()).ok_or_else(|| {
            Code::UnknownLanguage
                .says(format!("no such language: `{}`", visible(word)))
                .help(self.languages.help_for(word))
                .into()
        })
    }

    /// The starter solution in a language: the name of its file, and its text.
    fn solution(&self, language: &str, id: &str) -> Result<(String, Vec<u8>)> {
        if let Some(template) = &self.template
            && self.language_of_template() == Some(language)
        {
            let text = plain_file::read(template)
                .with_context(|| format!("cannot read the template {}", template.display()))?;
            let extension = template.extension().unwrap_or_default().to_string_lossy();
            return Ok((format!("{id}.{extension}"), text));
        }
        let Some(starter) = STARTERS.iter().find(|one| one.language == language) else {
            let known: Vec<&str> = STARTERS.iter().map(|one| one.language).collect();
            bail!(
                Code::UnknownLanguage
                    .says(format!("there is no starter solution in `{language}`"))
                    .help(format!(
                        "use one of `{}`, or set `template` in rejudge.toml to a file of your own",
                        known.join("`, `")
                    ))
            );
        };
        let language = self.languages.get(language).context("a built-in language")?;
        let extension = language.extensions.first().context("a language has extensions")?;
        // In Java, the file must have the name of its public class.
        let stem = if language.id == "java" { "Main" } else { id };
        let text = starter.text.as_bytes().to_vec();
        Ok((format!("{stem}.{extension}"), text))
    }
}
