//! Cases that give way to others by their names, although a source opens them by their whole name: `input.txt` next to the
//! `a.in` of another problem.

use std::collections::BTreeSet;

use super::attempts::is_contest_id;
use super::case_names::named;
use super::cluster::{Cluster, distinct, stem_of};
use super::facts::{assign, bears, is_generic, is_number};
use super::sets::PooledCase;
use super::{File, JoinResult, Joined, Source, Why, vocabulary, words};

impl Cluster<'_> {
    /// Gives cases that yielded to those of other problems to the only sources that open them. Returns the files of these
    /// cases.
    pub(super) fn give_opened(
        &mut self,
        yielded: Vec<PooledCase>,
        outcome: &mut JoinResult,
    ) -> BTreeSet<File> {
        let mut used = BTreeSet::new();
        if yielded.is_empty() {
            return used;
        }
        let stems: Vec<String> = self.sources.iter().map(|one| stem_of(&one.file.name)).collect();
        let stems = distinct(&stems);
        let opened: Vec<BTreeSet<String>> = stems.iter().map(|stem| self.opened_by(stem)).collect();
        let files: Vec<String> =
            yielded.iter().map(|case| case.pair.input.to_lowercase()).collect();
        for (case, file) in yielded.into_iter().zip(&files) {
            let mut openers = (0..stems.len()).filter(|at| opened[*at].contains(file));
            let (Some(at), None) = (openers.next(), openers.next()) else {
                continue;
            };
            // A source that opens several says nothing.
            let is_only = files.iter().filter(|name| opened[at].contains(*name)).count() == 1;
            if !is_only || !self.are_of_another(&stems[at], &opened[at], &case) {
                continue;
            }
            used.insert(case.input());
            used.extend(case.answer());
            let is_own = |one: &Source| stem_of(&one.file.name) == stems[at];
            let (own, rest) = std::mem::take(&mut self.sources).into_iter().partition(is_own);
            self.sources = rest;
            outcome.problems.push(self.of_opened(own, &case));
        }
        used
    }

    fn of_opened(&self, mut sources: Vec<Source>, case: &PooledCase) -> Joined {
        for source in &mut sources {
            source.opens = true;
        }
        Joined {
            folder: self.folder,
            stem: Some(vocabulary::stem(&sources[0].file.name).to_owned()),
            cases: named(self.state, &[case], None),
            sources,
            why: Why::Stem,
        }
    }

    /// The names of inputs, in lower case, that the sources with this stem open.
    fn opened_by(&self, stem: &str) -> BTreeSet<String> {
        let own = self.sources.iter().filter(|one| stem_of(&one.file.name) == stem);
        let names = own.flat_map(|one| (self.state.opened)(&one.file));
        names.map(|name| name.to_lowercase()).collect()
    }

    /// Whether the cases to which `case` gave way belong to another problem than the sources with this stem, which open
    /// `case`. An input without an answer gives way to everything but the cases of a contest's other problems.
    fn are_of_another(&self, stem: &str, opened: &BTreeSet<String>, case: &PooledCase) -> bool {
        let state = self.state;
        let folder = state.tree.folders[self.folder].name.to_lowercase();
        let stems = [stem.to_owned()];
        self.cases.iter().all(|other| {
            let key = other.pair.lower_key();
            let is_of_any = key.is_empty()
                || is_number(key)
                || is_generic(key)
                || vocabulary::says_nothing(key)
                || bears(&folder, key);
            let is_opened = opened.contains(&other.pair.input.to_lowercase())
                || opened.iter().any(|name| words::input_key(name).as_deref() == Some(key));
            let is_borne = assign(&stems, &[other.names(state)]) != [None];
            !is_of_any && !is_opened && !is_borne && (case.is_answered() || is_contest_id(key))
        })
    }
}
