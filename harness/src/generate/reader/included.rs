//! `include`: cases of other folders that a folder has too.

use super::{Includable, RecipeReader, Table};
use crate::notice::Place;
use crate::problem::yaml::{Node, Value};

impl RecipeReader<'_> {
    /// Remembers what a key stands for, so that later folders can include it.
    pub(super) fn know(&mut self, key: &str, found: Includable) {
        self.keys.entry(key.to_owned()).or_default().push(found);
    }

    /// The cases that a folder includes, as indices of the cases before it.
    pub(super) fn included(&mut self, table: &Table<'_>) -> Vec<usize> {
        let Some(node) = table.get("include") else {
            return Vec::new();
        };
        let items = match &node.value {
            Value::Null => &[][..],
            Value::List(items) => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let mut found = Vec::new();
        for item in items {
            found.extend(self.one_included(item));
        }
        found
    }

    fn one_included(&mut self, item: &Node) -> Vec<usize> {
        let Value::Text(key) = &item.value else {
            let message = format!("`include` must be a list of names, not {}", item.value.kind());
            self.fault(item.place, &message, "put each name in quotes");
            return Vec::new();
        };
        let found = match self.keys.get(key).map(Vec::as_slice) {
            Some([one]) => one.clone(),
            Some(_) => {
                let message =
                    format!("several cases or folders before this one are called `{key}`");
                self.fault(item.place, &message, "give the included one a name of its own");
                return Vec::new();
            }
            None => {
                let message = format!("no case or folder before this one is called `{key}`");
                let help = "name a case or a folder as it is written above, without its path";
                self.fault(item.place, &message, help);
                return Vec::new();
            }
        };
        match found {
            Includable::Case(index) => vec![index],
            Includable::Folder(folder) => {
                let cases = self.rules.cases.iter().zip(&self.origins);
                let inside = cases.filter(|(case, _)| {
                    let below = case.name.strip_prefix(&folder);
                    below.is_some_and(|below| below.starts_with('/'))
                });
                inside.map(|(_, origin)| *origin).collect()
            }
        }
    }

    /// Adds the included cases to the folder `name`.
    pub(super) fn include(&mut self, name: &str, place: Place, included: &[usize]) {
        for &origin in included {
            let case = &self.rules.cases[origin];
            let last = case.name.rsplit('/').next().unwrap_or(&case.name);
            let new = format!("{name}/{last}");
            match self.names.get(&new) {
                Some(known) if *known == origin => {}
                Some(_) => {
                    let message =
                        format!("`{}` is included, but `{new}` exists already", case.name);
                    self.fault(place, &message, "rename one of them");
                }
                None => {
                    let mut case = case.clone();
                    case.name.clone_from(&new);
                    self.names.insert(new, origin);
                    self.origins.push(origin);
                    self.rules.cases.push(case);
                }
            }
        }
    }
}
