//! The parts of a problem that a compilation depends on: its limits, and the files that its package
//! adds to the sources.

use std::io;
use std::path::Path;

use super::joined_sources::{BesideRule, JoinedSources, SourceCompany};
use super::source_file::SourceFile;
use super::sources;
use super::{CompileOptions, local_includes};
use crate::language::{Language, Profile, Template};
use crate::problem::{Additions, LocalIncludes, Problem, ProblemLimits};

/// The problem's settings for a compilation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Terms<'a> {
    pub(super) limits: ProblemLimits,
    additions: Option<&'a Additions>,
    is_submission: bool,
    /// Packages state how their submissions are compiled, and do not mention the flags of online judges.
    in_package: bool,
    /// CMS compiles solutions with flags of its own.
    is_cms_task: bool,
    home: SourceHome<'a>,
}

/// What a source belongs to.
#[derive(Debug, Clone, Copy, Default)]
enum SourceHome<'a> {
    /// Nobody knows: the folders around it show whether it is in a package.
    #[default]
    Unknown,
    /// A package, whose sources are compiled alone.
    Package,
    /// The problem in this folder, which is no package.
    Plain(&'a Path),
}

impl<'a> SourceHome<'a> {
    fn in_folder(dir: &'a Path) -> Self {
        if Problem::is_described_in(dir) { Self::Package } else { Self::Plain(dir) }
    }
}

impl<'a> Terms<'a> {
    /// The settings for a submission to `problem`.
    pub fn of_submission(problem: &'a Problem) -> Self {
        Self {
            is_submission: true,
            in_package: Problem::is_package_in(&problem.dir),
            is_cms_task: Problem::is_cms_task_in(&problem.dir),
            ..Self::of_program(problem)
        }
    }

    /// Whether a source may be empty. A package has its submissions on purpose, and an empty checker accepts everything.
    pub(super) fn permit_empty(&self) -> bool {
        self.is_submission && self.in_package
    }

    /// The settings for a program of the problem, such as a validator.
    pub fn of_program(problem: &'a Problem) -> Self {
        Self {
            limits: problem.limits,
            home: SourceHome::in_folder(&problem.dir),
            ..Self::with_constants(&problem.additions)
        }
    }

    /// The settings for a program of a package of which only the constants are known.
    pub(crate) fn with_constants(additions: &'a Additions) -> Self {
        Self { additions: Some(additions), home: SourceHome::Package, ..Self::default() }
    }

    /// The settings for a solution of the package in `dir` of which only the additions are known.
    pub(crate) fn of_solution(dir: &'a Path, additions: &'a Additions) -> Self {
        Self {
            is_submission: true,
            in_package: Problem::is_package_in(dir),
            is_cms_task: Problem::is_cms_task_in(dir),
            home: SourceHome::in_folder(dir),
            ..Self::with_constants(additions)
        }
    }

    /// The arguments of the compiler for a submission on an online judge, such as `-DONLINE_JUDGE`.
    pub(super) fn judge_flags(
        &self,
        language: &Language,
        options: &CompileOptions,
    ) -> Vec<Template> {
        let mut flags = Vec::new();
        if !self.is_submission || options.profile != Profile::Judge {
            return flags;
        }
        if options.online_judge || !self.in_package {
            flags.extend_from_slice(&language.judge_flags);
        }
        if self.is_cms_task {
            flags.extend_from_slice(&language.cms_flags);
        }
        flags
    }

    /// The arguments of the compiler for a program of the problem that is one whole source.
    pub(super) fn whole_program_flags(
        &self,
        is_whole: bool,
        language: &Language,
        options: &CompileOptions,
    ) -> Vec<Template> {
        let counts = is_whole && !self.is_submission && options.profile == Profile::Judge;
        if counts { language.whole_program_flags.clone() } else { Vec::new() }
    }

    /// Whether the package has files for submissions in `language`, which they may open in their working folder, too.
    pub(super) fn has_include(&self, language: &Language) -> bool {
        let additions = self.additions.filter(|_| self.is_submission);
        additions.is_some_and(|additions| additions.include_for(&language.id).is_some())
    }

    /// The files that the package adds to a source in `language`.
    pub(super) fn included(&self, language: &Language) -> io::Result<Vec<SourceFile>> {
        let Some(additions) = self.additions.filter(|_| self.is_submission) else {
            return Ok(Vec::new());
        };
        let mut files = match additions.include_for(&language.id) {
            Some(folder) => sources::read_folder(folder)?,
            None => Vec::new(),
        };
        let imported = additions.with_solutions.iter();
        for (_, path) in imported.filter(|(end, _)| language.extensions.contains(end)) {
            let name = path.file_name().unwrap_or_default();
            files.push(SourceFile {
                name: name.to_string_lossy().into_owned(),
                text: std::fs::read(path)?,
                executable: false,
                is_included: true,
            });
        }
        Ok(files)
    }

    /// Where a source in `language` finds the files that it includes by their paths, if the layout allows that.
    pub(super) fn local_includes(&self, language: &Language) -> Option<&'a LocalIncludes> {
        let local = self.additions?.local.as_ref()?;
        local_includes::are_in(&language.id).then_some(local)
    }

    /// What is compiled with `source`, which is in `language`.
    pub(super) fn company<'b>(&self, source: &'b Path, language: &Language) -> SourceCompany<'b>
    where
        'a: 'b,
    {
        if let Some(joined) = self.joined(source, language) {
            return SourceCompany::Joined(joined);
        }
        let rule = self.beside_rule(source);
        rule.map_or(SourceCompany::Alone, SourceCompany::Beside)
    }

    /// What `source` finds next to it. `None`: it is compiled alone.
    pub(super) fn beside_rule<'b>(&self, source: &'b Path) -> Option<BesideRule<'b>>
    where
        'a: 'b,
    {
        let problem = match self.home {
            SourceHome::Package => return None,
            SourceHome::Unknown if is_in_package(source) => return None,
            SourceHome::Unknown => None,
            SourceHome::Plain(dir) => Some(dir),
        };
        let place = self.place_of(source);
        Some(BesideRule { place, problem })
    }

    fn place_of<'b>(&self, source: &'b Path) -> &'b Path
    where
        'a: 'b,
    {
        self.additions.map_or(source, |one| one.place_of(source))
    }

    fn joined<'b>(&self, source: &'b Path, language: &Language) -> Option<JoinedSources<'b>>
    where
        'a: 'b,
    {
        let local = self.local_includes(language)?;
        let linked =
            local.linked.iter().filter(|_| self.is_submission).filter(|(id, _)| *id == language.id);
        Some(JoinedSources {
            local,
            place: self.place_of(source),
            linked: linked.map(|(_, path)| path.clone()).collect(),
            is_unbuffered: self.is_unbuffered(source),
        })
    }

    /// Whether the package asks for a standard output of the program at `source` that is not buffered.
    pub(super) fn is_unbuffered(&self, source: &Path) -> bool {
        let local = self.additions.and_then(|one| one.local.as_ref());
        local.is_some_and(|local| {
            if self.is_submission {
                local.unbuffered_submissions
            } else {
                local.unbuffered.iter().any(|path| path == source)
            }
        })
    }

    /// The arguments of the compiler that the package states for `source`.
    pub(super) fn own_flags(&self, source: &Path, language: &Language) -> Vec<Template> {
        let local = self.local_includes(language);
        let flags = local.and_then(|local| local.flags.get(source));
        let flags = flags.filter(|_| !self.is_submission).into_iter().flatten();
        flags.map(|flag| Template::literal(flag)).collect()
    }

    /// Whether a submission in `language` lacks the source with which it must be compiled.
    pub(super) fn lacks_its_entry(&self, language: &Language) -> bool {
        let local = self.additions.and_then(|one| one.local.as_ref());
        let local = local.filter(|local| self.is_submission && local.linked_only);
        local.is_some_and(|local| local.linked.iter().all(|(id, _)| *id != language.id))
    }

    /// Replaces the problem's constants in the files.
    pub(super) fn fill_in(&self, files: &mut [SourceFile]) {
        let Some(additions) = self.additions else {
            return;
        };
        for file in files {
            file.text = additions.filled_in(std::mem::take(&mut file.text));
        }
    }
}

/// Whether a source is in a folder that describes a problem, or in one of the folders in it.
fn is_in_package(source: &Path) -> bool {
    const DEPTH: usize = 6;
    let source = std::path::absolute(source).unwrap_or_else(|_| source.to_owned());
    let mut above = source.ancestors().skip(1).take(DEPTH);
    above.any(Problem::is_described_in)
}

/// The settings for a solution without a problem.
impl<'a> From<&'a ProblemLimits> for Terms<'a> {
    fn from(limits: &'a ProblemLimits) -> Self {
        Self { limits: *limits, is_submission: true, ..Self::default() }
    }
}
