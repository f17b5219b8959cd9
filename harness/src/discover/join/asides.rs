//! What is taken out of a cluster before its cases are given to its sources.

use std::collections::BTreeSet;

use super::cluster::Cluster;
use super::places::waits;
use super::sets::PooledCase;
use super::{JoinResult, Left, Source};

impl Cluster<'_> {
    /// Takes out sources that do what only helpers do, if others remain.
    pub(super) fn leave_helpers(&mut self, outcome: &mut JoinResult) {
        let state = self.state;
        if self.sources.len() < 2 {
            return;
        }
        let is_helper = |one: &Source| {
            let conduct = (state.conduct)(&one.file);
            // In a folder of cases, the author's generators read nothing.
            let is_author = waits(state, one.file.folder);
            conduct.is_some_and(|one| one.is_of_helper() || is_author && !one.reads_input)
                && !state.is_named(&one.file)
                && !state.tree.is_below_solutions(one.file.folder, self.folder)
        };
        let sources = std::mem::take(&mut self.sources);
        let (helpers, others): (Vec<Source>, Vec<Source>) =
            sources.into_iter().partition(is_helper);
        if others.is_empty() {
            self.sources = helpers;
            return;
        }
        self.sources = others;
        outcome.left.extend(helpers.into_iter().map(|one| Left::Helper(one.file)));
    }

    /// Takes out the pair that all sources read and write by name, if there are other cases: its answer is what one of them
    /// wrote.
    pub(super) fn leave_written(&mut self, outcome: &mut JoinResult) {
        const ENOUGH: usize = 2;
        let others =
            self.cases.iter().filter(|case| case.is_answered() && !case.between.is_empty());
        let is_any_direct = self.cases.iter().any(|case| case.between.is_empty());
        if !is_any_direct || others.count() < ENOUGH {
            return;
        }
        let state = self.state;
        let named: Vec<BTreeSet<String>> = self
            .sources
            .iter()
            .map(|one| (state.opened)(&one.file).iter().map(|name| name.to_lowercase()).collect())
            .collect();
        let is_written = |case: &PooledCase| {
            let answer = case.pair.answer.as_ref().map(|name| name.to_lowercase());
            let input = case.pair.input.to_lowercase();
            case.between.is_empty()
                && named.iter().all(|names| {
                    names.contains(&input)
                        && answer.as_ref().is_some_and(|name| names.contains(name))
                })
        };
        let (written, cases): (Vec<PooledCase>, Vec<PooledCase>) =
            std::mem::take(&mut self.cases).into_iter().partition(is_written);
        self.cases = cases;
        if let Some(first) = written.first() {
            outcome.left.push(Left::Cases {
                folder: first.folder,
                first: first.pair.input.clone(),
                cases: written.len(),
            });
        }
    }
}
