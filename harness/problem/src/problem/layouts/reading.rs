//! The possible readings of a folder or a source: which there are, their names, and the one to use.
//!
//! This module only checks which files exist, and reads no more of them than that needs.

use std::path::Path;

use super::described::{Described, LayoutRecipes};
use super::{
    boca, cms, cms_recipes, dmoj, hydro, is_icpc, library_checker, library_checker_recipes,
    omegaup, pairs, polygon, polygon_recipes, polygon_solutions, qduoj, rbx, rbx_recipes,
    rbx_solutions, sinol, sinol_recipes, sinol_solutions, source_cases, uoj,
};
use crate::notice::{Code, Notices};
use crate::problem::{ReadOptions, default_output, plain};

const ICPC: &str = "icpc";
const PLAIN: &str = "plain";

/// The layouts with a file that describes the problem; the order is that of their names in messages.
pub(super) static DESCRIBED: [Described; 11] = [
    Described {
        name: "polygon",
        file: "`problem.xml`",
        signs: &["problem.xml"],
        output: default_output::ELSEWHERE,
        is_in: |dir| dir.join("problem.xml").is_file(),
        load: polygon::load,
        submissions: Some(polygon_solutions::submissions),
        recipes: Some(LayoutRecipes {
            needs: &[""],
            read: |scene, _, notices| polygon_recipes::read(scene, notices),
        }),
    },
    Described {
        name: "dmoj",
        file: "`init.yml`",
        signs: &["init.yml"],
        output: default_output::OF_DMOJ,
        is_in: |dir| dir.join("init.yml").is_file(),
        load: dmoj::load,
        submissions: None,
        recipes: None,
    },
    Described {
        name: "library-checker",
        file: "`info.toml`",
        signs: &["info.toml"],
        output: default_output::ELSEWHERE,
        is_in: library_checker::is_in,
        load: library_checker::load,
        submissions: Some(library_checker::submissions),
        recipes: Some(LayoutRecipes {
            needs: &["gen"],
            read: |scene, _, notices| library_checker_recipes::read(scene, notices),
        }),
    },
    Described {
        name: "cms",
        file: "`task.yaml`",
        signs: &["task.yaml"],
        output: default_output::ELSEWHERE,
        is_in: cms::is_in,
        load: cms::load,
        submissions: Some(cms::submissions),
        recipes: Some(LayoutRecipes {
            needs: &["gen/GEN", "gen/cases.gen"],
            read: |scene, _, notices| cms_recipes::read(scene, notices),
        }),
    },
    Described {
        name: "rbx",
        file: "`problem.rbx.yml`",
        signs: &[rbx::FILE],
        output: default_output::ELSEWHERE,
        is_in: rbx::is_in,
        load: rbx::load,
        submissions: Some(rbx_solutions::submissions),
        recipes: Some(LayoutRecipes { needs: &[""], read: rbx_recipes::read }),
    },
    Described {
        name: "sinol",
        file: "`config.yml` and `prog/`",
        signs: &["config.yml"],
        output: default_output::ELSEWHERE,
        is_in: sinol::is_in,
        load: sinol::load,
        submissions: Some(sinol_solutions::submissions),
        recipes: Some(LayoutRecipes {
            needs: &["prog"],
            read: |scene, _, notices| sinol_recipes::read(scene, notices),
        }),
    },
    Described {
        name: "boca",
        file: "`description/problem.info`",
        signs: &["description"],
        output: default_output::ELSEWHERE,
        is_in: boca::is_in,
        load: boca::load,
        submissions: Some(boca::submissions),
        recipes: None,
    },
    Described {
        name: "hydro",
        file: "`testdata/` or `config.yaml`",
        signs: &["config.yaml", "config.yml", "Config.yaml", "testdata"],
        output: default_output::OF_HYDRO,
        is_in: hydro::is_in,
        load: hydro::load,
        submissions: None,
        recipes: None,
    },
    Described {
        name: "omegaup",
        file: "`settings.json` or `testplan`, and `cases/`",
        signs: &[omegaup::SETTINGS, "testplan"],
        output: default_output::ELSEWHERE,
        is_in: omegaup::is_in,
        load: omegaup::load,
        submissions: Some(omegaup::submissions),
        recipes: None,
    },
    Described {
        name: "qduoj",
        file: "`problem.json` and `testcase/`",
        signs: &["problem.json"],
        output: default_output::OF_QDUOJ,
        is_in: qduoj::is_in,
        load: qduoj::load,
        submissions: Some(qduoj::submissions),
        recipes: None,
    },
    Described {
        name: "uoj",
        file: "`problem.conf`",
        signs: &[uoj::FILE],
        output: default_output::ELSEWHERE,
        is_in: uoj::is_in,
        load: uoj::load,
        submissions: None,
        recipes: None,
    },
];

/// One way to read a folder, or the cases of a source.
pub(super) enum Reading {
    Icpc,
    Described(&'static Described),
    Plain,
    Pairs(pairs::FoundPairs),
    SourceCases(source_cases::SourceCases),
}

impl Reading {
    /// The name for `--layout`, and a human-readable description.
    pub(super) fn name(&self) -> (&'static str, &'static str) {
        match self {
            Self::Icpc => (ICPC, "`problem.yaml` or `data/`"),
            Self::Described(layout) => (layout.name, layout.file),
            Self::Plain => (PLAIN, "`NAME.in` + `NAME.ans` or `NAME.out`"),
            Self::Pairs(found) => (found.row.name, found.row.what),
            Self::SourceCases(cases) => cases.name(),
        }
    }
}

/// The names that `--layout` accepts.
pub fn names() -> Vec<&'static str> {
    let mut names = vec![ICPC, PLAIN];
    names.extend(DESCRIBED.iter().map(|layout| layout.name));
    // BOCA's problems may have no description.
    names.extend(pairs::names().filter(|name| DESCRIBED.iter().all(|layout| layout.name != *name)));
    names.extend(source_cases::names());
    names
}

/// The possible readings of a folder: by the files that describe it, otherwise by the names of its
/// cases.
pub(super) fn readings(dir: &Path) -> Vec<Reading> {
    let mut found: Vec<Reading> =
        DESCRIBED.iter().filter(|layout| (layout.is_in)(dir)).map(Reading::Described).collect();
    if is_icpc(dir) {
        found.insert(0, Reading::Icpc);
    }
    if !found.is_empty() {
        return found;
    }
    let others = pairs::find(dir);
    let answered = others.iter().any(pairs::FoundPairs::has_answers);
    if let Some(folder) = plain::folder_of_cases(dir)
        && (!answered || plain::has_answers(&folder))
    {
        found.push(Reading::Plain);
    }
    let counts = |other: &pairs::FoundPairs| found.is_empty() || other.has_answers();
    let others: Vec<Reading> = others.into_iter().filter(counts).map(Reading::Pairs).collect();
    found.extend(others);
    found
}

/// The reading to use. `None`: there is none, or there are several, and an error reports that.
pub(super) fn choose(
    path: &Path,
    mut readings: Vec<Reading>,
    read_options: ReadOptions<'_>,
    notices: &mut Notices,
) -> Option<Reading> {
    if let Some(wanted) = read_options.layout {
        let place = readings.iter().position(|one| one.name().0 == wanted);
        if place.is_none() {
            let known: Vec<String> = readings.iter().map(describe).collect();
            let help = if known.is_empty() {
                "omit `--layout` to detect the layout".to_owned()
            } else {
                format!("it can be read as {}", known.join(" or "))
            };
            let shown = notices.show(path);
            notices.error_help(
                Code::UnclearLayout.of_file(&shown, format!("does not have the layout `{wanted}`")),
                help,
            );
        }
        return place.map(|place| readings.swap_remove(place));
    }
    if readings.len() < 2 {
        return readings.pop();
    }
    let all: Vec<String> = readings.iter().map(describe).collect();
    let shown = notices.show(path);
    notices.error_help(
        Code::UnclearLayout
            .of_file(&shown, format!("can be read in {} ways: {}", all.len(), all.join(", "))),
        format!("choose one: `--layout {}`", readings[0].name().0),
    );
    None
}

fn describe(reading: &Reading) -> String {
    let (name, what) = reading.name();
    format!("`{name}` ({what})")
}
