//! The words for verdicts: one table of all vocabularies. A word counts only in the vocabularies that list it, and may mean
//! something else in another one.

use super::VerdictFolder::{
    self, Accepted, CompileError, MemoryLimit, OutputLimit, PartiallyAccepted, Rejected,
    RunTimeError, TimeLimit, WrongAnswer,
};
use crate::verdict::Verdict;
use Vocabulary::{
    LibraryChecker, MixedFolder, OtherFolder, Polygon, Rbx, Settings, ShortFolder, Sinol, Tag,
};

/// Whose words they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vocabulary {
    /// Short names of verdict folders, as judges print the verdicts.
    ShortFolder,
    /// Names of verdict folders in packages for `DOMjudge` and Kattis.
    OtherFolder,
    /// Folders of such packages whose sources state their verdicts themselves.
    MixedFolder,
    /// `@EXPECTED_RESULTS@` in a source: rejudge's words, those of ICPC folders, `DOMjudge`'s.
    Tag,
    /// `submissions.yaml`.
    Settings,
    /// The tags of solutions in `problem.xml`.
    Polygon,
    /// `expect` in `info.toml`.
    LibraryChecker,
    /// `outcome` in `problem.rbx.yml`.
    Rbx,
    /// The statuses in `sinol_expected_scores`.
    Sinol,
}

/// What a word means: one of these folders states the verdicts, and those of the folders in `also` are permitted too.
/// Without folders, any verdict is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// The folders of which one must hold.
    pub any_of: &'static [VerdictFolder],
    /// The folders whose verdicts are permitted too.
    pub also: &'static [VerdictFolder],
}

impl Meaning {
    /// Any verdict.
    pub const ANY: Self = Self::of(&[]);

    const fn of(any_of: &'static [VerdictFolder]) -> Self {
        Self { any_of, also: &[] }
    }

    /// The folder that it is, if it is one.
    #[must_use]
    pub fn folder(self) -> Option<VerdictFolder> {
        match self.any_of {
            [folder] => Some(*folder),
            _ => None,
        }
    }

    /// The verdict of that folder.
    #[must_use]
    pub fn verdict(self) -> Option<Verdict> {
        self.folder()?.required().first().copied()
    }
}

/// The words of some vocabularies with the same meaning.
type WordRow = (Meaning, &'static [(Vocabulary, &'static [&'static str])]);

/// The words. Those of [`Tag`] and [`Rbx`] are in lower case, with blanks between them.
const TABLE: [WordRow; 14] = [
    (
        Meaning::ANY,
        &[
            (MixedFolder, &["mixed", "multiple", "mixed-verdicts", "check_manually"]),
            (Tag, &["check manually"]),
            (Rbx, &["any"]),
        ],
    ),
    (
        Meaning::of(&[Accepted]),
        &[
            (ShortFolder, &["ac"]),
            (Tag, &["ac", "accepted", "correct", "ok"]),
            (Settings, &["AC"]),
            (Polygon, &["main", "accepted"]),
            (Rbx, &["accepted", "ac", "correct"]),
            (Sinol, &["OK"]),
        ],
    ),
    (
        Meaning::of(&[WrongAnswer]),
        &[
            (ShortFolder, &["wa"]),
            (OtherFolder, &["no_output", "presentation_error"]),
            (Tag, &["wa", "wrong answer", "wrong", "no output", "pe", "presentation error"]),
            (Settings, &["WA"]),
            (Polygon, &["wrong-answer", "presentation-error"]),
            (LibraryChecker, &["WA"]),
            (Rbx, &["wrong answer", "wa"]),
            (Sinol, &["WA"]),
        ],
    ),
    (
        Meaning::of(&[TimeLimit]),
        &[
            (ShortFolder, &["tle"]),
            (OtherFolder, &["timelimit"]),
            (Tag, &["tle", "timelimit", "time limit", "timelimit exceeded", "time limit exceeded"]),
            (Settings, &["TLE"]),
            (Polygon, &["time-limit-exceeded"]),
            (Sinol, &["TL"]),
        ],
    ),
    (
        // A solution that is too slow may also be wrong.
        Meaning { any_of: &[TimeLimit], also: &[WrongAnswer] },
        &[(Rbx, &["time limit exceeded", "timeout", "tle", "tl"])],
    ),
    (
        // This judge has no memory limit, so that such a program runs until its time is over.
        Meaning::of(&[TimeLimit, MemoryLimit]),
        &[(LibraryChecker, &["TLE"])],
    ),
    (
        Meaning::of(&[RunTimeError]),
        &[
            (ShortFolder, &["rte", "re"]),
            (OtherFolder, &["run_time_exception", "runtime_error", "run_error"]),
            (Tag, &["rte", "re", "run error", "runtime", "runtime error", "run time error"]),
            (Settings, &["RTE"]),
            (Polygon, &["runtime-error", "memory-limit-exceeded"]),
            (LibraryChecker, &["RE"]),
            (Rbx, &["runtime error", "rte", "re"]),
            (Sinol, &["RE"]),
        ],
    ),
    (
        Meaning::of(&[MemoryLimit]),
        &[
            (ShortFolder, &["mle"]),
            (Tag, &["mle", "memorylimit", "memory limit", "memory limit exceeded"]),
            (Settings, &["MLE"]),
            (Rbx, &["memory limit exceeded", "mle", "ml"]),
            (Sinol, &["ML"]),
        ],
    ),
    (
        Meaning::of(&[OutputLimit]),
        &[
            (ShortFolder, &["ole"]),
            (OtherFolder, &["output_limit"]),
            (Tag, &["ole", "outputlimit", "output limit", "output limit exceeded"]),
            (Settings, &["OLE"]),
            (Rbx, &["output limit exceeded", "ole", "ol"]),
        ],
    ),
    (
        Meaning::of(&[CompileError]),
        &[
            (ShortFolder, &["ce"]),
            (OtherFolder, &["compiler_error"]),
            (
                Tag,
                &[
                    "ce",
                    "compiler error",
                    "compile error",
                    "compilation error",
                    "compile time error",
                ],
            ),
            (Settings, &["CE"]),
            (Rbx, &["compilation error", "ce"]),
        ],
    ),
    (
        Meaning::of(&[Accepted, TimeLimit]),
        &[
            (Polygon, &["time-limit-exceeded-or-accepted"]),
            (
                Rbx,
                &[
                    "accepted or time limit exceeded",
                    "accepted or tle",
                    "ac or tle",
                    "ac/tle",
                    "ac+tle",
                ],
            ),
        ],
    ),
    (
        Meaning::of(&[TimeLimit, RunTimeError]),
        &[
            (Polygon, &["time-limit-exceeded-or-memory-limit-exceeded"]),
            (Rbx, &["tle or rte", "tle/rte", "tle+rte", "tle or re", "tle+re"]),
        ],
    ),
    (
        Meaning::of(&[Rejected]),
        &[(Polygon, &["rejected", "failed"]), (Rbx, &["fail", "incorrect"])],
    ),
    (Meaning::of(&[PartiallyAccepted]), &[(OtherFolder, &["partial"])]),
];

impl Vocabulary {
    /// The meanings and words of this vocabulary.
    fn entries(self) -> impl Iterator<Item = (Meaning, &'static [&'static str])> {
        let all = TABLE.iter().flat_map(|(meaning, row)| row.iter().map(move |one| (meaning, one)));
        all.filter(move |(_, (whose, _))| *whose == self)
            .map(|(meaning, (_, words))| (*meaning, *words))
    }

    /// What the word means; `None`: it is not in the vocabulary.
    #[must_use]
    pub fn meaning(self, word: &str) -> Option<Meaning> {
        let plain = match self {
            Tag | Rbx => &word.to_ascii_lowercase().replace(['_', '-'], " "),
            _ => word,
        };
        let mut entries = self.entries();
        entries.find(|(_, words)| words.contains(&plain)).map(|(meaning, _)| meaning)
    }
}

impl VerdictFolder {
    /// The folder with this name, whether that of the package format, a short one, or one of other judges.
    #[must_use]
    pub fn of_any_name(name: &str) -> Option<Self> {
        let other = || {
            let words = [ShortFolder, OtherFolder];
            words.iter().find_map(|words| words.meaning(name)).and_then(Meaning::folder)
        };
        Self::of_name(name).or_else(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Vocabulary; 9] =
        [ShortFolder, OtherFolder, MixedFolder, Tag, Settings, Polygon, LibraryChecker, Rbx, Sinol];

    #[test]
    fn every_word_is_found_and_means_one_thing() {
        for vocabulary in ALL {
            let mut known = Vec::new();
            for (meaning, words) in vocabulary.entries() {
                for word in words {
                    assert_eq!(vocabulary.meaning(word), Some(meaning), "{vocabulary:?} {word}");
                    // People write these words as in folders and as in tables.
                    for written in [word.to_uppercase().replace(' ', "-"), word.replace(' ', "_")] {
                        let found = vocabulary.meaning(&written);
                        let known = matches!(vocabulary, Tag | Rbx).then_some(meaning);
                        assert!(known.is_none() || found == known, "{vocabulary:?} {written}");
                    }
                    assert!(!known.contains(word), "{vocabulary:?} {word}");
                    known.push(word);
                }
            }
            assert!(!known.is_empty(), "{vocabulary:?}");
        }
    }

    #[test]
    fn a_word_of_one_vocabulary_is_unknown_in_others() {
        let table: [(&str, &[Vocabulary]); 8] = [
            ("WA", &[Tag, Settings, LibraryChecker, Rbx, Sinol]),
            ("wa", &[ShortFolder, Tag, Rbx]),
            ("TL", &[Rbx, Sinol]),
            ("OK", &[Tag, Sinol]),
            ("failed", &[Polygon]),
            ("wrong_answer", &[Tag, Rbx]),
            ("partial", &[OtherFolder]),
            ("", &[]),
        ];
        for (word, expected) in table {
            let found = ALL.into_iter().filter(|one| one.meaning(word).is_some());
            assert_eq!(found.collect::<Vec<_>>(), expected, "{word}");
        }
    }

    #[test]
    fn the_same_word_may_mean_something_else() {
        let table: [(Vocabulary, &str, &[VerdictFolder], &[VerdictFolder]); 6] = [
            (Tag, "TLE", &[TimeLimit], &[]),
            (Rbx, "TLE", &[TimeLimit], &[WrongAnswer]),
            (LibraryChecker, "TLE", &[TimeLimit, MemoryLimit], &[]),
            (Polygon, "memory-limit-exceeded", &[RunTimeError], &[]),
            (Rbx, "memory-limit-exceeded", &[MemoryLimit], &[]),
            (Tag, "Memory_Limit Exceeded", &[MemoryLimit], &[]),
        ];
        for (vocabulary, word, any_of, also) in table {
            assert_eq!(vocabulary.meaning(word), Some(Meaning { any_of, also }), "{word}");
        }
    }

    #[test]
    fn words_for_single_verdicts_have_that_verdict() {
        for vocabulary in [Tag, Settings] {
            for (meaning, words) in vocabulary.entries() {
                let verdict = meaning.verdict();
                assert_eq!(verdict.is_none(), meaning == Meaning::ANY, "{words:?}");
                assert!(verdict.is_none_or(|one| {
                    words.iter().any(|word| word.eq_ignore_ascii_case(one.code()))
                }));
            }
        }
    }
}
