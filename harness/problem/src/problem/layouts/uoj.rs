//! UOJ: `problem.conf`, the tests that it names, and `chk.cpp`, `val.cpp`, `std.cpp` beside it; or a folder `data/` with all of
//! that.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::companion::mebibytes;
use super::fields::Fields;
use super::keys::Keys;
use super::scene::{Gatherer, Scene};
use super::uoj_tests::{UojTests, limits};
use super::{std_checkers, uoj_conf, uoj_interactor};
use crate::checker_spec::{CheckerSpec, LineRule};
use crate::notice::{Code, Notices};
use crate::problem::{Additions, Interactor, LocalIncludes, Problem, ProblemLimits};

pub(super) const FILE: &str = "problem.conf";

/// The folder of a problem that may contain the file.
const DATA: &str = "data";

/// The folder of the sources that are compiled with answers.
const REQUIRED: &str = "require";

/// The program that talks with solutions.
const INTERACTOR: &str = "interactor.cpp";

/// The keys that UOJ's `uoj_judger.h` and its built-in judger read.
const KEYS: Keys = Keys {
    known: &[
        "n_tests",
        "n_ex_tests",
        "n_sample_tests",
        "n_subtasks",
        "input_pre",
        "input_suf",
        "output_pre",
        "output_suf",
        "time_limit",
        "memory_limit",
        "output_limit",
        "point_score",
        "subtask_end",
        "subtask_score",
        "use_builtin_judger",
        "use_builtin_checker",
        "submit_answer",
        "interaction_mode",
        "with_implementer",
        "checker_time_limit",
        "checker_memory_limit",
        "interactor_time_limit",
        "interactor_memory_limit",
        // What UOJ's pages show, and how it checks hacks.
        "show_in",
        "show_out",
        "show_res",
        "validate_input_before_test",
    ],
    known_starts: &[
        "time_limit_",
        "memory_limit_",
        "output_limit_",
        "point_score_",
        "subtask_end_",
        "subtask_score_",
        "subtask_type_",
        "subtask_dependence_",
        "validator_",
        "standard_",
    ],
    unused: &["token", "real_time_limit", "stack_limit", "checker_output_limit"],
    ..Keys::of("UOJ")
};

/// Whether `dir` is a problem of UOJ.
pub(super) fn is_in(dir: &Path) -> bool {
    uoj_conf::is_at(&folder_in(dir).join(FILE))
}

/// The folder with the description.
fn folder_in(dir: &Path) -> PathBuf {
    let inner = dir.join(DATA);
    let is_inner = !dir.join(FILE).is_file() && inner.join(FILE).is_file();
    if is_inner { inner } else { dir.to_path_buf() }
}

/// Reads the problem.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    let root = folder_in(scene.root);
    let file = uoj_conf::read(&root.join(FILE), notices)?;
    let table = file.fields();
    KEYS.name_unused(&table, notices);
    let reader = UojReader { scene: Scene { root: &root, ..*scene }, table };
    let faults = notices.errors.len();
    reader.refuse_unsupported(notices);
    let tests = UojTests::read(&table, notices);
    let interactor = reader.interactor(notices);
    let checker = match &interactor {
        Some(_) => CheckerSpec::default(),
        None => reader.checker(notices),
    };
    let additions = reader.additions(interactor.as_ref(), notices);
    if notices.errors.len() > faults {
        return None;
    }
    let mut gatherer = Gatherer::new(reader.scene);
    let limits_of_cases = tests.gather(&table, &mut gatherer, notices);
    let cases = gatherer
        .finish("add the files, or correct `n_tests` and the names in problem.conf", notices);
    let partial = checker.is_program() || interactor.is_some();
    Some(Problem {
        limits: reader.limits(notices),
        limits_of_cases,
        checker,
        interactor,
        additions,
        is_package: true,
        scoring: tests.scoring(&cases, partial),
        cases,
        validators: reader.source("val.cpp").into_iter().collect(),
        ..Problem::foreign(scene.root)
    })
}

struct UojReader<'a> {
    /// The folder with the description.
    scene: Scene<'a>,
    table: Fields<'a>,
}

impl UojReader<'_> {
    /// Whether a key is `on`.
    fn is_on(&self, key: &str, notices: &mut Notices) -> bool {
        self.table.text(key, notices).as_deref() == Some("on")
    }

    /// A source in the folder.
    fn source(&self, name: &str) -> Option<PathBuf> {
        Some(self.scene.root.join(name)).filter(|path| path.is_file())
    }

    fn refuse_unsupported(&self, notices: &mut Notices) {
        if self.is_on("submit_answer", notices) {
            let what =
                "`submit_answer` is not supported: solutions would be files with the outputs";
            let at = self.table.place_at("submit_answer", notices);
            notices.error_help(
                Code::Unsupported.at(&at, what),
                "remove the key to judge programs that print the outputs",
            );
        }
        let own = ["judger.cpp", "judger"].into_iter().find_map(|name| self.source(name));
        if let Some(judger) = own.filter(|_| !self.is_on("use_builtin_judger", notices)) {
            let shown = notices.show(&judger);
            notices.error_help(
                Code::Unsupported
                    .of_file(&shown, "judges in the place of UOJ's judger; this is not supported"),
                "write `use_builtin_judger on` in problem.conf to judge with the tests and the checker only",
            );
        }
    }

    fn limits(&self, notices: &mut Notices) -> ProblemLimits {
        let mut checking = |limit: &str| {
            let names = ["checker", "interactor"].map(|program| format!("{program}_{limit}"));
            let mut stated = names.iter().filter_map(|key| self.table.number(key, notices));
            stated.find(|limit| *limit > 0.0)
        };
        let (time, memory) = (checking("time_limit"), checking("memory_limit"));
        ProblemLimits {
            validation_time: time.map(|limit| Duration::from_secs_f64(limit.min(86_400.0))),
            validation_memory: memory.map(mebibytes),
            ..limits(&self.table, None, notices)
        }
    }

    /// `interactor.cpp`, whose verdict is final.
    fn interactor(&self, notices: &mut Notices) -> Option<Interactor> {
        if !self.is_on("interaction_mode", notices) {
            return None;
        }
        let Some(source) = self.source(INTERACTOR) else {
            let what = "`interaction_mode` is on, but there is no `interactor.cpp`";
            self.table.fault_at("interaction_mode", what, "add `interactor.cpp`", notices);
            return None;
        };
        match uoj_interactor::with_stdin(&source) {
            Ok(source) => {
                Some(Interactor { source, then_check: false, call: Vec::new(), convention: None })
            }
            Err(error) => {
                notices.error(error.notice(&notices.show(&source)));
                None
            }
        }
    }

    fn checker(&self, notices: &mut Notices) -> CheckerSpec {
        const KEY: &str = "use_builtin_checker";
        let named = self.table.text(KEY, notices);
        let found = match &named {
            Some(name) => builtin(name),
            None => self.source("chk.cpp").map(|source| CheckerSpec::Testlib { source }),
        };
        if let Some(found) = found {
            return found;
        }
        self.scene.options.unless_checked(notices, |notices| {
            if let Some(name) = &named {
                let what = format!("UOJ has no checker `{}`", crate::notice::visible(name));
                self.table.fault_at(KEY, &what, &help_for(name), notices);
            } else {
                let shown = notices.show(self.table.path());
                notices.error_help(
                    Code::MissingFile.of_file(
                        &shown,
                        "names no `use_builtin_checker`, and there is no `chk.cpp`",
                    ),
                    "write `use_builtin_checker wcmp`, add `chk.cpp`, or choose one with `--checker`",
                );
            }
        });
        CheckerSpec::default()
    }

    /// `require/implementer.cpp` and `.c`, which are compiled with answers in their language.
    fn additions(&self, interactor: Option<&Interactor>, notices: &mut Notices) -> Additions {
        let mut local = LocalIncludes::within(self.scene.root);
        let required = self.scene.root.join(REQUIRED);
        if self.is_on("with_implementer", notices) {
            for end in ["cpp", "c"] {
                let path = required.join(format!("implementer.{end}"));
                let language = self.scene.language(&path).filter(|_| path.is_file());
                local.linked.extend(language.map(|language| (language, path)));
            }
            if local.linked.is_empty() {
                self.table.fault_at(
                    "with_implementer",
                    "`with_implementer` is on, but there is no `require/implementer.cpp` or `.c`",
                    "add the file, or remove the key to judge solutions that are whole programs",
                    notices,
                );
            }
            local.linked_only = true;
            local.folders.push(required);
        }
        let helpers = ["chk.cpp", INTERACTOR, "judger.cpp"];
        local.programs.extend(helpers.into_iter().filter_map(|name| self.source(name)));
        let mut additions = Additions { local: Some(local), ..Additions::default() };
        if let Some(interactor) = interactor {
            additions.compile_as(&interactor.source, &self.scene.root.join(INTERACTOR));
        }
        additions
    }
}

/// UOJ's built-in checkers: those of testlib.
const BUILTIN: [&str; 20] = [
    "acmp", "bcmp", "caseicmp", "casencmp", "casewcmp", "dcmp", "fcmp", "hcmp", "icmp", "lcmp",
    "ncmp", "nyesno", "rcmp", "rcmp4", "rcmp6", "rcmp9", "rncmp", "uncmp", "wcmp", "yesno",
];

/// The built-in checker with this name.
fn builtin(name: &str) -> Option<CheckerSpec> {
    match name {
        "bcmp" => Some(CheckerSpec::Exact),
        "fcmp" => Some(CheckerSpec::Lines(LineRule::Whole)),
        "lcmp" => Some(CheckerSpec::Lines(LineRule::Blanks)),
        // The order of the numbers does not matter.
        "uncmp" => Some(CheckerSpec::Lines(LineRule::SortedWords)),
        // They read `Case 1:` and what follows; the words of an answer are written in one way only.
        "caseicmp" | "casencmp" | "casewcmp" => std_checkers::find("wcmp"),
        _ => std_checkers::find(name).filter(|_| !name.contains(['.', ':'])),
    }
}

fn help_for(name: &str) -> String {
    match crate::notice::nearest(name, BUILTIN) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has {}", BUILTIN.map(|name| format!("`{name}`")).join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_checker_of_uoj_is_built_in() {
        for name in BUILTIN {
            assert!(builtin(name).is_some(), "{name}");
        }
        for name in ["ncmp.cpp", "std::ncmp", "none"] {
            assert_eq!(builtin(name), None, "{name}");
        }
        assert_eq!(help_for("nmcp"), "did you mean `ncmp`?");
    }
}
