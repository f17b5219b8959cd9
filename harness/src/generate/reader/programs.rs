//! The programs of `generators.yaml`: generators, alone or joined from several files, and solutions.

use std::path::{Component, Path, PathBuf};

use super::super::recipe::GeneratorCommand;
use super::super::source;
use super::{RecipeReader, Table, UsualSolution};
use crate::notice::{Code, Place};
use crate::problem::yaml::Value;

impl RecipeReader<'_> {
    /// `generators`: programs that consist of several files.
    pub(super) fn joined_programs(&mut self, table: &Table<'_>) {
        let Some(node) = table.get("generators") else {
            return;
        };
        let Value::Map(entries) = &node.value else {
            if node.value != Value::Null {
                let message = format!("`generators` must be a table, not {}", node.value.kind());
                self.fault(node.place, &message, "");
            }
            return;
        };
        for (key, node) in entries {
            let items = match &node.value {
                Value::List(items) if !items.is_empty() => items.as_slice(),
                _ => {
                    let message = format!("`{}` must be a list of its files", key.name);
                    self.fault(node.place, &message, "write `name: [main.py, lib.py]`");
                    continue;
                }
            };
            let mut files = Vec::new();
            for item in items {
                let Some(name) = self.text(item, "generators") else {
                    continue;
                };
                let path = self.dir.join("generators").join(&name);
                if self.inside(item.place, &name).is_some() && path.is_file() {
                    files.push(path);
                } else if self.inside(item.place, &name).is_some() {
                    let shown = self.notices.show(&path);
                    self.fault(item.place, &format!("{shown} does not exist"), "");
                }
            }
            if files.len() == items.len() {
                self.joined.insert(key.name.clone(), files);
            }
        }
    }

    /// The generator with this name, and its files if it consists of several.
    pub(super) fn program(&mut self, place: Place, name: &str) -> Option<(PathBuf, Vec<PathBuf>)> {
        let path = self.dir.join("generators").join(name);
        if let Some(files) = self.joined.get(name) {
            return Some((path, files.clone()));
        }
        self.inside(place, name)?;
        if path.exists() {
            return Some((path, Vec::new()));
        }
        let shown = self.notices.show(&path);
        self.fault(place, &format!("{shown} does not exist"), "");
        None
    }

    /// A path that is named relative to `generators/` and must stay in it.
    pub(super) fn inside(&mut self, place: Place, name: &str) -> Option<()> {
        let mut parts = Path::new(name).components();
        if parts.all(|part| matches!(part, Component::Normal(_))) {
            return Some(());
        }
        let shown = self.notices.show(&self.dir.join("generators").join(name));
        self.fault(place, &format!("{shown} must lie in `generators/`"), "");
        None
    }

    pub(super) fn solution(&mut self, place: Place, text: &str) -> Option<GeneratorCommand> {
        let mut words = text.split_whitespace().map(str::to_owned);
        let path = words.next().unwrap_or_default();
        match source::of_solution(self.dir, &path) {
            Ok(source) => Some(GeneratorCommand {
                source,
                files: Vec::new(),
                args: words.collect(),
                shown: text.trim().to_owned(),
            }),
            Err(tried) => {
                let tried: Vec<String> = tried.iter().map(|path| self.notices.show(path)).collect();
                let message = format!("no such file: `solution: {path}`");
                let help = match tried.as_slice() {
                    [] => "start the path with `/`, the package's folder, as in \
                        `/submissions/accepted/NAME.rs`"
                        .to_owned(),
                    tried => format!("expected at {}", tried.join(" or ")),
                };
                self.fault(place, &message, &help);
                None
            }
        }
    }

    /// The solution that computes answers if no rule names one: the first accepted submission of the package.
    pub(super) fn usual_solution(&mut self) -> Option<GeneratorCommand> {
        match &self.usual {
            UsualSolution::Unsought => {}
            UsualSolution::Missing => return None,
            UsualSolution::Found(command) => return Some(command.clone()),
        }
        let files = source::files_in(&self.dir.join("submissions/accepted"));
        let found = files.unwrap_or_default().into_iter().next();
        let command = found.map(|source| {
            let shown = source.strip_prefix(self.dir).unwrap_or(&source).display();
            GeneratorCommand {
                shown: format!("/{shown}"),
                source: source.clone(),
                files: Vec::new(),
                args: Vec::new(),
            }
        });
        if let Some(command) = &command {
            let shown = &command.shown;
            let message = format!("no `solution` is given: the answers come from `{shown}`");
            let help = format!("state it: `solution: {shown}`");
            let place = self.notices.show_at(&self.dir.join(super::FILE), Place::default());
            let notice = Code::MissingSettings.at(&place, message);
            self.notices.warn_help(notice, help);
        }
        self.usual = command.clone().map_or(UsualSolution::Missing, UsualSolution::Found);
        command
    }
}
