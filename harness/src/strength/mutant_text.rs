//! The human-readable report about mutants.

use std::fmt::Write as _;

use super::difference;
use super::mutant_review::{MutantReview, SurvivorSearch};
use super::mutants::{Mutant, MutantParent, MutantSet};
use crate::printable;
use crate::shell::{relative_path, shell_word};
use crate::show::columns::columns;
use crate::show::style::BOLD;
use crate::show::words::{Count, Seconds};

/// The number of survivors that are shown.
const SHOWN: usize = 10;

/// The number of bytes of an input that are shown.
const LONGEST: usize = 1000;

/// Writes what became of the mutants.
pub(super) fn write(text: &mut String, review: &MutantReview) {
    let set = &review.set;
    if set.mutants.is_empty() {
        let _ = writeln!(text, "  no mutants: {}", why_none(set));
        return;
    }
    let survivors = review.survivors().count();
    let survive = if survivors == 1 { "survives" } else { "survive" };
    let _ = writeln!(
        text,
        "  {} of {}: {} killed, {survivors} {survive} (compiled in {}, judged in {})",
        Count(set.mutants.len(), "mutant"),
        Count(set.parents.len(), "solution"),
        review.killed(),
        Seconds(review.compiled_in),
        Seconds(review.judged_in)
    );
    left_out(text, review);
    let rows = review.by_kind().into_iter().map(|(kind, (killed, all))| {
        [format!("  {}", kind.words()), format!("{killed} of {all} killed")]
    });
    columns(text, &rows.collect::<Vec<_>>());
    let mut shown: Vec<_> = review.survivors().collect();
    shown.sort_by_key(|(mutant, _)| rank(review.searches.get(&mutant.number)));
    for (mutant, parent) in shown.into_iter().take(SHOWN) {
        survivor(text, review, mutant, parent);
    }
    if survivors > SHOWN {
        let _ = writeln!(text, "  … and {} more survive; `--json` lists them", survivors - SHOWN);
    }
    if !review.searches.is_empty() {
        let killed = review.killed_by_search();
        let _ = writeln!(
            text,
            "  `--stress` found inputs that kill {killed} of {}; probably equivalent: {}",
            Count(review.searches.len(), "survivor"),
            review.equivalent()
        );
    } else if survivors > 0 && review.kept.is_empty() {
        let _ = writeln!(
            text,
            "  a survivor is a wrong program that the cases miss, or it does the same as its solution; `--stress` looks \
             for inputs that kill the survivors, and `--keep DIR` stores them"
        );
    }
}

/// Why there are no mutants.
fn why_none(set: &MutantSet) -> &'static str {
    if set.parents.is_empty() {
        "no accepted solution is a single file in a language with rules for changes"
    } else if set.not_compiled > 0 {
        "no change of the solutions compiles to a different program"
    } else {
        "no change of the solutions makes a different program"
    }
}

/// Writes the change of a survivor, and what was found about it.
fn survivor(text: &mut String, review: &MutantReview, mutant: &Mutant, parent: &MutantParent) {
    let (name, line) = (&parent.submission.name, mutant.change.line(&parent.text));
    let kind = mutant.change.kind.words();
    let number = mutant.number;
    let _ = writeln!(text, "  {BOLD}mutant {number}{BOLD:#} survives: {kind}, {name}, line {line}");
    for line in difference::coloured(parent, mutant) {
        let _ = writeln!(text, "    {line}");
    }
    if let Some(search) = review.searches.get(&number) {
        searched(text, search);
    } else if let Some(kept) = review.kept.get(&number) {
        let kept = kept.to_string_lossy();
        let against = relative_path(&review.current, &parent.submission.path);
        let words = [&parent.submission.problem, &*kept, "--against", &*against.to_string_lossy()];
        let words = words.map(shell_word).join(" ");
        let _ = writeln!(text, "    look for an input that kills it: rejudge stress {words}");
    }
}

/// The order of survivors: those that prove something come first.
fn rank(search: Option<&SurvivorSearch>) -> u8 {
    match search {
        Some(SurvivorSearch::Killed { .. }) => 0,
        Some(SurvivorSearch::SolutionFails { .. }) => 1,
        Some(SurvivorSearch::Fault) | None => 2,
        Some(SurvivorSearch::NothingFound { .. }) => 3,
    }
}

/// Writes the result of a search for an input that kills a survivor.
fn searched(text: &mut String, search: &SurvivorSearch) {
    match search {
        SurvivorSearch::Killed { verdict, input } => {
            let _ = writeln!(text, "    the cases are weak: it gets {verdict} on this input");
            write_input(text, input);
        }
        SurvivorSearch::SolutionFails { verdict, input } => {
            let _ = writeln!(text, "    unknown: its solution itself gets {verdict} on this input");
            write_input(text, input);
        }
        SurvivorSearch::Fault => text.push_str("    unknown: the search failed\n"),
        SurvivorSearch::NothingFound { rounds } => {
            let rounds = usize::try_from(*rounds).unwrap_or(usize::MAX);
            let rounds = Count(rounds, "round");
            let _ = writeln!(text, "    probably equivalent: no input of {rounds} kills it");
        }
    }
}

fn write_input(text: &mut String, input: &[u8]) {
    let input = printable::paragraph(input, LONGEST);
    for line in input.lines() {
        let _ = writeln!(text, "      {line}");
    }
}

fn left_out(text: &mut String, review: &MutantReview) {
    let set = &review.set;
    let counts = [
        (set.not_compiled, "not compiling"),
        (set.same, "the same program as another"),
        (review.not_judged(), "not judged"),
    ];
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = some.map(|(count, what)| format!("{count} {what}")).collect();
    if !words.is_empty() {
        let _ = writeln!(text, "    left out: {}", words.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survivors_that_an_input_kills_are_shown_first() {
        let input = Vec::new;
        let verdict = crate::verdict::Verdict::WrongAnswer;
        let in_order = [
            Some(SurvivorSearch::Killed { verdict, input: input() }),
            Some(SurvivorSearch::SolutionFails { verdict, input: input() }),
            None,
            Some(SurvivorSearch::NothingFound { rounds: 1 }),
        ];
        assert!(in_order.is_sorted_by_key(|search| rank(search.as_ref())));
        assert!(rank(in_order[0].as_ref()) < rank(None));
        assert!(rank(None) < rank(in_order[3].as_ref()));
    }
}
