//! BOCA: `description/`, `input/`, `output/`, and the scripts `limits/`, `compile/`, `run/`, `compare/` and `tests/` for
//! each language.

use std::fmt::Write as _;
use std::path::Path;

use super::bundle::Bundle;
use super::programs::{self, Calling};
use super::sources::shown_name;
use super::{ExportRequest, submissions};
use crate::checker_spec::{CheckerSpec, Convention};
use crate::compile::{BroughtHeader, TestlibPlace};
use crate::import::DraftText;
use crate::notice::Notice;
use crate::problem::layouts::boca::{CHECK, END};

const COMPILE: &str = include_str!("boca_compile.sh");
const RUN: &str = include_str!("boca_run.sh");
/// What both scripts find out about the jail.
const JAIL: &str = include_str!("boca_jail.sh");

/// A language: its name in the archive, and the commands that compile a source and run a program.
const LANGUAGES: [(&str, &str, &str); 5] = [
    ("c", "gcc -static -O2 -std=gnu11 -o \"$program\" \"$source\" -lm", "\"$here/$program\""),
    ("cc", "g++ -static -O2 -std=c++17 -o \"$program\" \"$source\"", "\"$here/$program\""),
    ("cpp", "g++ -static -O2 -std=c++17 -o \"$program\" \"$source\"", "\"$here/$program\""),
    (
        "java",
        "mkdir -p classes && javac -d classes \"$source\" && jar cfe \"$program\" \"${source%.java}\" -C classes .",
        "-- /usr/bin/java -Xss64m -jar \"$here/$program\"",
    ),
    (
        "py3",
        "python3 -m py_compile \"$source\" && cp \"$source\" \"$program\"",
        "-- /usr/bin/python3 \"$here/$program\"",
    ),
];

pub(super) fn fill(request: &ExportRequest<'_>, bundle: &mut Bundle) -> Result<(), Notice> {
    let problem = request.problem;
    let width = problem.cases.len().to_string().len().max(3);
    for (case, number) in request.cases(bundle)?.into_iter().zip(1..) {
        let name = format!("{number:0width$}");
        bundle.put_text(&format!("input/{name}"), DraftText::In(case.input));
        bundle.put_text(&format!("output/{name}"), case.answer);
        bundle.cases += 1;
    }
    if problem.scoring.is_some() {
        bundle.lose("the points: the first case that is not accepted decides");
    }
    if problem.is_interactive() {
        bundle.lose_decisive("the interactor: the archive judges the outputs only");
    }
    request.lose_further_passes(bundle);
    request.lose_input_validators(bundle);
    request.lose_streams(bundle);
    request.lose_settings_of_cases(bundle);
    request.lose_included(bundle);
    request.lose_attachments(bundle);
    description(request, bundle);
    let limits = limits(request, bundle);
    let compare = compare(request, bundle);
    for (language, compile, run) in LANGUAGES {
        // Interpreters reserve more addresses than they use.
        let addresses = if run.starts_with("--") { "\"16000000\"" } else { "\"${5:-512}000\"" };
        let run = RUN
            .replace("@JAIL@", JAIL.trim_end())
            .replace("@COMMAND@", run)
            .replace("@ADDRESSES@", addresses);
        let compile = COMPILE.replace("@JAIL@", JAIL.trim_end()).replace("@COMMAND@", compile);
        bundle.put_script(&format!("limits/{language}"), limits.as_str());
        bundle.put_script(&format!("compile/{language}"), compile);
        bundle.put_script(&format!("run/{language}"), run);
        bundle.put_script(&format!("compare/{language}"), compare.as_str());
        bundle.put_script(&format!("tests/{language}"), "#!/bin/bash\nexit 0\n");
    }
    for submission in submissions::single_files(request, bundle) {
        let folder = submissions::folder_of(submission, bundle);
        let name = format!("solutions/{folder}/{}", submissions::file_name(&submission.path));
        let name = bundle.free(&name);
        bundle.put_submission(&name, &submission.path);
        bundle.submissions += 1;
    }
    Ok(())
}

fn description(request: &ExportRequest<'_>, bundle: &mut Bundle) {
    let (id, dir) = (request.id(), &request.problem.dir);
    let title: String = request.title().chars().filter(|c| !c.is_control()).collect();
    let mut info = format!("basename={id}\nfullname={title}\n");
    let places = [
        "statement/problem.pdf",
        "statement/problem.en.pdf",
        "problem_statement/problem.pdf",
        "problem.pdf",
    ];
    match places.iter().map(|place| dir.join(place)).find(|path| path.is_file()) {
        Some(path) => {
            bundle.copy(&format!("description/{id}.pdf"), &path);
            let _ = writeln!(info, "descfile={id}.pdf");
        }
        None => bundle.lose("a statement: the system shows PDF, and the problem has none"),
    }
    bundle.put("description/problem.info", info);
}

/// The script that prints the limits. The system counts whole seconds, for all runs of a case together.
fn limits(request: &ExportRequest<'_>, bundle: &mut Bundle) -> String {
    let seconds = request.seconds(bundle);
    let whole = seconds.ceil().max(1.0);
    if (whole - seconds).abs() > 1e-9 {
        bundle.lose(format!(
            "the time limit of {seconds} s: the system counts whole seconds, so it is {whole} s"
        ));
    }
    let output = request.problem.limits.output.unwrap_or(request.problem.default_output());
    let kilobytes = output.get().div_ceil(1024).max(1);
    format!(
        "#!/bin/bash\n# Seconds, number of runs, memory in MB, output in KB.\necho {whole}\necho 1\necho {}\necho {kilobytes}\n",
        request.mebibytes()
    )
}

/// The script that compares: output, answer, input; 4 accepts, 6 rejects. It compiles the checker.
fn compare(request: &ExportRequest<'_>, bundle: &mut Bundle) -> String {
    let mut text = "#!/bin/bash\n# $1 output, $2 answer, $3 input; 4: accepted, 6: wrong answer.\n\
                    folder=$(mktemp -d) || exit 43\ntrap 'rm -rf \"$folder\"' EXIT\n"
        .to_owned();
    let spec = request.checker(bundle);
    let own = match spec {
        CheckerSpec::Testlib { source }
        | CheckerSpec::Foreign { source, convention: Convention::DmojTestlib, .. }
            if programs::is_cpp(source) =>
        {
            files_of(source, bundle)
        }
        _ => None,
    };
    if let Some(files) = own {
        for (name, content) in files {
            embed(&mut text, &name, &content);
        }
    } else {
        let source = programs::comparison_or_fallback(spec, Calling::Testlib, bundle);
        embed(&mut text, CHECK, &source.unwrap_or_default());
    }
    text.push_str(
        "g++ -O2 -std=c++17 -o \"$folder/check\" \"$folder/check.cpp\" || exit 43\n\
         \"$folder/check\" \"$3\" \"$1\" \"$2\"\n\
         case $? in\n0) exit 4 ;;\n1 | 2 | 4 | 8) exit 6 ;;\n*) exit 43 ;;\nesac\n",
    );
    text
}

/// The names and the texts of a checker and the header that it needs. `None`: a script cannot contain them.
fn files_of(source: &Path, bundle: &mut Bundle) -> Option<Vec<(String, String)>> {
    let one = bundle.program_text(source)?;
    let mut files = vec![(CHECK.to_owned(), one.text)];
    match one.testlib {
        Some(TestlibPlace(Some(header))) => {
            files.push(("testlib.h".to_owned(), bundle.program_text(&header)?.text));
        }
        Some(TestlibPlace(None)) => {
            files.push(("testlib.h".to_owned(), BroughtHeader::testlib().text.to_vec()));
        }
        None => {}
    }
    let texts = files.into_iter().map(|(name, text)| {
        let text = String::from_utf8(text).ok()?;
        (!text.contains(END)).then_some((name, text))
    });
    let texts: Option<Vec<(String, String)>> = texts.collect();
    if texts.is_none() {
        bundle.lose(format!("`{}`, whose text a script cannot contain", shown_name(source)));
    }
    texts
}

/// Adds the lines that write a file.
fn embed(text: &mut String, name: &str, content: &str) {
    let _ = writeln!(text, "cat > \"$folder/{name}\" <<'{END}'\n{}\n{END}", content.trim_end());
}
