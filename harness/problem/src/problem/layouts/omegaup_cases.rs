//! The cases of a problem of omegaUp, their groups and weights: as `settings.json` or `testplan` lists them, otherwise as their
//! names tell.

use std::path::Path;

use super::fields::Fields;
use super::omegaup_settings::spelled;
use super::points::Share;
use super::scene::{CaseFileNames, EMPTY, Gatherer, names_in};
use crate::notice::{Code, Notice, Notices, Place, visible};
use crate::plain_file;
use crate::problem::natural_order;
use crate::problem::scoring::Aggregation;

/// The file with the weights of cases.
pub(super) const PLAN: &str = "testplan";

/// A case and its weight.
#[derive(Debug, Clone, PartialEq)]
struct WeightedCase {
    group: String,
    name: String,
    weight: f64,
}

/// The cases of a problem.
#[derive(Debug, Default, PartialEq)]
pub(super) struct OmegaUpCases(Vec<WeightedCase>);

impl OmegaUpCases {
    /// Reads the cases of the problem in `root`.
    pub(super) fn read(root: &Path, settings: &Fields<'_>, notices: &mut Notices) -> Self {
        let listed = Self::listed(settings, notices);
        let plan = root.join(PLAN);
        let found = if !listed.0.is_empty() {
            listed
        } else if plan.is_file() {
            Self::planned(&plan, notices)
        } else {
            Self::named(root)
        };
        found.by_group()
    }

    /// `Cases` of `settings.json`.
    fn listed(settings: &Fields<'_>, notices: &mut Notices) -> Self {
        let mut found = Self::default();
        for node in settings.list("Cases", notices) {
            let Some(group) = Fields::of(settings.path(), node, notices) else {
                continue;
            };
            let name = group.text(spelled(&group, "Name"), notices).unwrap_or_default();
            for node in group.list(spelled(&group, "Cases"), notices) {
                let Some(case) = Fields::of(settings.path(), node, notices) else {
                    continue;
                };
                let weight = case.number(spelled(&case, "Weight"), notices);
                if let Some(case) = case.text(spelled(&case, "Name"), notices) {
                    found.add(Some(&name), case, weight.unwrap_or(1.0));
                }
            }
        }
        found
    }

    /// The lines of `testplan`: a case and its weight.
    fn planned(path: &Path, notices: &mut Notices) -> Self {
        let text = match plain_file::read_text(path) {
            Ok(text) => text,
            Err(error) => {
                notices.error(Notice::unreadable(&notices.show(path), &error));
                return Self::default();
            }
        };
        let mut found = Self::default();
        for (line, number) in text.lines().zip(1..) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let weight = words.get(1).and_then(|word| word.parse().ok());
            let weight = weight.filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
            match (words.as_slice(), weight) {
                ([], _) => {}
                ([first, ..], _) if first.starts_with('#') => {}
                ([name, _], Some(weight)) => found.add(None, (*name).to_owned(), weight),
                _ => {
                    let at = notices.show_at(path, Place { line: number, column: 1 });
                    let what = format!("not a case and its weight: `{}`", visible(line.trim()));
                    notices.error_help(
                        Code::InvalidSyntax.at(&at, what),
                        "write the name of a case, a blank, and a number: `1.a 10`",
                    );
                }
            }
        }
        found
    }

    /// All inputs, with the same weight.
    fn named(root: &Path) -> Self {
        let mut found = Self::default();
        for name in names_in(&root.join("cases")) {
            if let Some(stem) = name.strip_suffix(".in") {
                found.add(None, stem.to_owned(), 1.0);
            }
        }
        found.0.sort_by(|a, b| natural_order(&a.name, &b.name));
        found
    }

    /// Adds a case. Without the name of a group, it is what comes before the first dot.
    fn add(&mut self, group: Option<&str>, name: String, weight: f64) {
        let group = group.filter(|group| !group.is_empty());
        let group = group.or_else(|| name.split('.').next()).unwrap_or(&name).replace('/', "-");
        // Of a case that is listed twice, the last weight counts.
        self.0.retain(|known| known.name != name);
        self.0.push(WeightedCase { group, name, weight });
    }

    /// The same cases, those of a group one after another.
    fn by_group(self) -> Self {
        let mut groups: Vec<(String, Vec<WeightedCase>)> = Vec::new();
        for case in self.0 {
            match groups.iter_mut().find(|(name, _)| *name == case.group) {
                Some((_, cases)) => cases.push(case),
                None => groups.push((case.group.clone(), vec![case])),
            }
        }
        Self(groups.into_iter().flat_map(|(_, cases)| cases).collect())
    }

    /// Adds the cases, after the examples that have an answer. `without`: a validator decides, which may need no answers.
    pub(super) fn gather(
        &self,
        root: &Path,
        without: bool,
        gatherer: &mut Gatherer<'_>,
        notices: &Notices,
    ) {
        for name in names_in(&root.join("examples")) {
            let Some(stem) = name.strip_suffix(".in") else {
                continue;
            };
            let answer = format!("examples/{stem}.out");
            if root.join(&answer).is_file() {
                let name = &format!("sample/{stem}");
                let input = &format!("examples/{stem}.in");
                gatherer.add(&CaseFileNames { name, input, answer: Some(&answer) }, notices);
            }
        }
        for WeightedCase { group, name, .. } in &self.0 {
            let answer = format!("cases/{name}.out");
            let is_empty = without && !root.join(&answer).is_file();
            let case = CaseFileNames {
                name: &format!("secret/{group}/{name}"),
                input: &format!("cases/{name}.in"),
                answer: Some(if is_empty { EMPTY } else { &answer }),
            };
            gatherer.add(&case, notices);
        }
    }

    /// The points of the groups, 100 in all.
    pub(super) fn shares(&self, aggregation: Aggregation) -> Vec<Share> {
        let total: f64 = self.0.iter().map(|case| case.weight).sum();
        let mut shares: Vec<Share> = Vec::new();
        for case in &self.0 {
            let points = if total > 0.0 { case.weight / total * 100.0 } else { 0.0 };
            if let Some(share) = shares.last_mut().filter(|share| share.name == case.group) {
                share.points += points;
            } else {
                let share = Share::whole(case.group.clone(), points);
                shares.push(Share { aggregation, ..share });
            }
        }
        for share in &mut shares {
            // Sums of rounded quotients.
            let whole = share.points.round();
            if (share.points - whole).abs() < 1e-9 {
                share.points = whole;
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::super::fields::TableFile;
    use super::*;

    fn shown(cases: &OmegaUpCases) -> Vec<String> {
        let shares = cases.shares(Aggregation::PassFail);
        shares.iter().map(|share| format!("{} {}", share.name, share.points)).collect()
    }

    #[test]
    fn the_plan_or_the_settings_or_the_names_tell_groups_and_weights() {
        let dir = tempfile::tempdir().unwrap();
        let none = TableFile::empty(dir.path());
        let mut notices = Notices::default();
        std::fs::create_dir(dir.path().join("cases")).unwrap();
        for name in ["1.a.in", "1.b.in", "10.in", "2.in", "2.out"] {
            std::fs::write(dir.path().join("cases").join(name), "").unwrap();
        }
        let cases = OmegaUpCases::read(dir.path(), &none.fields(), &mut notices);
        assert_eq!(shown(&cases), ["1 50", "2 25", "10 25"]);
        let plan = "# weights\n2.sample 0\n2.0  35\n\n1.0 65\n2.1 0\n";
        std::fs::write(dir.path().join(PLAN), plan).unwrap();
        let cases = OmegaUpCases::read(dir.path(), &none.fields(), &mut notices);
        assert_eq!(shown(&cases), ["2 35", "1 65"]);
        let settings = dir.path().join("settings.json");
        let text = "{\"Cases\": [{\"Name\": \"x\", \"Cases\": [{\"Name\": \"a\", \"Weight\": 1}, {\"Name\": \"b\", \
                    \"Weight\": 2}]}, {\"Name\": \"y\", \"Cases\": [{\"Name\": \"c\", \"Weight\": 1}]}]}";
        std::fs::write(&settings, text).unwrap();
        let file = TableFile::read(&settings, &mut notices).unwrap();
        let cases = OmegaUpCases::read(dir.path(), &file.fields(), &mut notices);
        assert_eq!(shown(&cases), ["x 75", "y 25"]);
        assert!(notices.errors.is_empty(), "{:?}", notices.errors);
        std::fs::write(dir.path().join(PLAN), "1.0 much\n").unwrap();
        OmegaUpCases::read(dir.path(), &none.fields(), &mut notices);
        let error = &notices.errors[0].message;
        assert!(error.ends_with(":1:1: not a case and its weight: `1.0 much`"), "{error}");
    }
}
