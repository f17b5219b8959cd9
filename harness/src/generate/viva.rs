//! Grammars of Viva. The program that reads them is not part of rejudge: it is where the variable `VIVA` points, or in
//! `PATH`.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::programs::{MakeError, build as build_program, file_name, limits};
use crate::compile::{Artifact, Compiler, Terms};
use crate::judge::Launch;
use crate::language::{LanguageEntry, Languages, Template};
use crate::notice::Code;
use crate::outside::look_up;
use crate::sandbox::{Execution, Exit, Input, RunJob};

/// The variable with the path of the program: a JAR archive, or a command.
const VARIABLE: &str = "VIVA";
/// The names of the command.
const COMMANDS: [&str; 2] = ["viva", "viva.sh"];
/// The extension of its files.
const EXTENSION: &str = "viva";
/// How the lines begin that frame its messages.
const FRAME: &str = "<<<";
/// The longest message that is shown.
const WORDS: u64 = 4096;

/// Whether a validator is a grammar of Viva.
pub(crate) fn is_viva(validator: &Path) -> bool {
    validator.extension().is_some_and(|end| end == EXTENSION)
}

/// Whether a validator is a grammar of Viva, and nothing is installed that reads it.
pub(crate) fn lacks_viva(validator: &Path) -> bool {
    is_viva(validator) && program().is_none()
}

/// What to do about that.
pub(crate) const HELP: &str = "set the variable `VIVA` to the path of `viva.jar`, or write the grammar in Checktestdata, as a `.ctd` file";

/// The program, and how it is started.
fn program() -> Option<(PathBuf, Vec<Template>)> {
    let named = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let path = match named {
        Some(path) => PathBuf::from(path),
        None => COMMANDS.into_iter().find_map(look_up)?,
    };
    let path = path.canonicalize().ok()?;
    let program = Template::literal(path.to_str()?);
    let is_archive = path.extension().is_some_and(|end| end == "jar");
    let mut argv = if is_archive {
        ["java", "-XX:+UseSerialGC", "-jar"].map(Template::literal).to_vec()
    } else {
        Vec::new()
    };
    argv.extend([program, Template::try_from("{source}".to_owned()).ok()?]);
    Some((path, argv))
}

/// The grammar as a program that reads the file that it is given.
pub(super) fn build(
    compiler: &Compiler,
    source: &Path,
    terms: Terms<'_>,
    run: &mut RunJob<'_>,
) -> Result<Artifact, MakeError> {
    let missing = || {
        let notice = Code::MissingTool.says("Viva is not installed: `viva` was not found");
        MakeError::Language(notice.help(HELP))
    };
    let (program, argv) = program().ok_or_else(missing)?;
    let entry = LanguageEntry {
        name: Some("Viva".to_owned()),
        extensions: Some(vec![EXTENSION.to_owned()]),
        run: Some(argv),
        processes: Some(128),
        ..LanguageEntry::default()
    };
    let table = BTreeMap::from([("viva".to_owned(), entry)]);
    let languages = Languages::load(&table).expect("the entry has what a language needs");
    let mut artifact = build_program(&languages, compiler, source, terms, run)?;
    artifact.readable.extend(program.parent().map(Path::to_owned));
    // Without a text, it reads only the grammar.
    let launch = Launch::with_args(&artifact, &[], None, &limits())?;
    let execution = launch.run(Input::Empty, run)?;
    if execution.exit == Exit::Code(0) {
        return Ok(artifact);
    }
    let (name, words) = (file_name(source), words(&execution));
    Err(MakeError::Viva(name, words.trim().to_owned()))
}

/// Its messages, which it prints on standard output.
pub(super) fn words(execution: &Execution) -> String {
    let mut printed = String::new();
    if let Ok(reader) = execution.stdout.reader() {
        // If the output cannot be read back, only the message is incomplete.
        let _ = reader.take(WORDS).read_to_string(&mut printed);
    }
    let lines: Vec<&str> = printed.lines().filter(|line| !line.starts_with(FRAME)).collect();
    super::words(lines.join("\n").as_bytes()) + &super::words(&execution.stderr_tail)
}
