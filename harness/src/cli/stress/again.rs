//! The command line that searches again.

use super::StressArgs;
use crate::shell::shell_word;
use crate::stress::{Again, StressSources};

/// The command that searches with this seed again. In a folder without a problem, all programs are named.
pub(super) fn again(args: &StressArgs, lone: Option<&StressSources>, seed: u32) -> Again {
    let mut words = vec!["rejudge".to_owned(), "stress".to_owned()];
    let mut named = |option: Option<&str>, value: &str| {
        words.extend(option.map(str::to_owned));
        words.push(shell_word(value));
    };
    if let Some(sources) = lone {
        for one in sources.contestants.iter().filter(|one| !one.is_reference) {
            named(None, &one.name);
        }
        for one in sources.contestants.iter().filter(|one| one.is_reference) {
            named(Some("--against"), &one.name);
        }
    } else {
        for path in &args.solutions {
            named(None, &path.to_string_lossy());
        }
        for path in &args.against {
            named(Some("--against"), &path.to_string_lossy());
        }
    }
    for command in &args.generator {
        named(Some("--generator"), command);
    }
    for path in &args.validator {
        named(Some("--validator"), &path.to_string_lossy());
    }
    if let Some(want) = &args.want {
        named(Some("--want"), want);
    }
    if let Some(checker) = &args.checker {
        named(Some("--checker"), checker);
    }
    words.extend(args.limits.words());
    words.extend(args.build.words());
    words.extend(args.sandbox.words());
    words.extend(["--seed".to_owned(), seed.to_string()]);
    Again::of(words)
}
