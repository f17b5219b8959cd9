//! The limits: in `problem.yaml`, `.timelimit` and `domjudge-problem.ini`.

use std::path::Path;

use super::UpgradePlan;
use super::settings::FILE;
use super::tree::TIME_LIMIT;
use super::yaml_entries::YamlEntries;
use crate::import::resolution_of;
use crate::problem::Format;
use crate::problem::Margins;
use crate::problem::yaml::{Node, Value};

const INI: &str = "domjudge-problem.ini";

/// Keys of the legacy format, and those that take their place below `time_multipliers`.
const MULTIPLIERS: [(&str, &str); 2] =
    [("time_multiplier", "ac_to_time_limit"), ("time_safety_margin", "time_limit_to_tle")];

pub(super) fn change(plan: &mut UpgradePlan<'_>, yaml: &mut YamlEntries) {
    let mut lines = LimitLines::of(yaml);
    let stated = lines.number("time_limit");
    let from_file = from_files(plan, stated.is_some());
    multipliers(plan, &mut lines, stated.or(from_file).is_some());
    if let Some(seconds) = from_file {
        lines.set("time_limit", format!("time_limit: {seconds}"));
    }
    if let Some(seconds) = stated.or(from_file)
        && lines.number("time_resolution").is_none()
        && let Some(resolution) = resolution_of(seconds)
    {
        lines.set("time_resolution", format!("time_resolution: {resolution}"));
        let what =
            format!("`limits.time_resolution: {resolution}`: a time limit is a multiple of it");
        plan.changed(FILE, what);
    }
    lines.write(yaml);
}

/// The time limit of the files next to `problem.yaml`, which rejudge reads like `DOMjudge` and Kattis.
fn from_files(plan: &mut UpgradePlan<'_>, is_stated: bool) -> Option<f64> {
    let limit = plan.problem.limits.cpu_time.map(|limit| limit.as_secs_f64());
    let mut found = None;
    for file in [INI, TIME_LIMIT] {
        let path = Path::new(file);
        let Some(text) = plan.tree.text(path) else { continue };
        let mut has_limit = file == TIME_LIMIT;
        let mut others = 0;
        for (line, text) in (1..).zip(text.lines()) {
            let Some((key, value)) = text.split_once('=') else { continue };
            if file == TIME_LIMIT || text.trim().starts_with([';', '#']) {
                continue;
            }
            let place = crate::notice::Place { line, column: 1 };
            match key.trim() {
                "timelimit" => has_limit = true,
                "special_compare_args" if plan.flags.is_empty() => {
                    plan.flags = value
                        .trim()
                        .trim_matches(['\'', '"'])
                        .split_whitespace()
                        .map(str::to_owned)
                        .collect();
                    let what = "`special_compare_args` is now `output_validator_args`";
                    plan.changed_at(file, place, what);
                }
                "special_compare" | "special_run" | "special_compare_args"
                    if !value.trim().trim_matches(['\'', '"']).is_empty() =>
                {
                    plan.lose_decisive(file, place, format!("`{}`", key.trim()));
                    others += 1;
                }
                key => {
                    plan.lose(file, place, format!("`{key}`, which only DOMjudge reads"));
                    others += 1;
                }
            }
        }
        if has_limit && !is_stated && found.is_none() {
            found = limit;
            plan.changed(file, "the time limit is now `limits.time_limit` in problem.yaml");
        } else if has_limit {
            plan.changed(file, "the time limit, which another file overrides, is dropped");
        }
        // A file with other settings stays.
        if others == 0 {
            plan.tree.remove(path);
        }
    }
    found
}

/// The margins of an inferred limit. The defaults of the two formats differ.
fn multipliers(plan: &mut UpgradePlan<'_>, lines: &mut LimitLines, has_limit: bool) {
    let (mut old, new) = (Margins::of(Format::Legacy), Margins::of(Format::V2025));
    if plan.is_draft {
        old = new;
    }
    let mut texts = Vec::new();
    let is_table = |node: &Node| matches!(node.value, Value::Map(_));
    if lines.node("time_multipliers").is_some_and(|node| !is_table(node)) {
        let place = lines.place("time_multipliers");
        lines.remove("time_multipliers");
        plan.lose(FILE, place, "`time_multipliers`, which is no table and was ignored");
    }
    let usual = [(old.below, new.below), (old.above, new.above)];
    for ((key, instead), (usual, new)) in MULTIPLIERS.into_iter().zip(usual) {
        let stated = lines.number(key);
        let value = stated.unwrap_or(usual);
        if stated.is_some() {
            let place = lines.place(key);
            lines.remove(key);
            let what = format!("`{key}` is now `time_multipliers.{instead}`");
            plan.changed_at(FILE, place, what);
        }
        // Without a stated limit, the defaults of the old format count.
        let counts = stated.is_some() || !has_limit;
        #[expect(clippy::float_cmp, reason = "both are constants or numbers as written")]
        if counts && value != new && lines.node("time_multipliers").is_none() {
            texts.push(format!("  {instead}: {}", value.max(1.0)));
            if stated.is_none() {
                plan.changed(FILE, format!("`{instead}: {value}`, the default of the old format"));
            }
        }
    }
    if !texts.is_empty() {
        lines.set("time_multipliers", format!("time_multipliers:\n{}", texts.join("\n")));
    }
}

/// The lines of `limits`.
struct LimitLines {
    own: Option<YamlEntries>,
    /// The table, if it is on one line.
    flow: Vec<(crate::problem::yaml::Key, Node)>,
    is_changed: bool,
}

impl LimitLines {
    fn of(yaml: &YamlEntries) -> Self {
        let own = yaml.inside("limits");
        let flow = match yaml.get("limits").map(|node| &node.value) {
            Some(Value::Map(entries)) if own.is_none() => entries.clone(),
            _ => Vec::new(),
        };
        Self { own, flow, is_changed: false }
    }

    fn node(&self, key: &str) -> Option<&Node> {
        match &self.own {
            Some(own) => own.get(key),
            None => self.flow.iter().find(|(own, _)| own.name == key).map(|(_, node)| node),
        }
    }

    fn number(&self, key: &str) -> Option<f64> {
        match self.node(key)?.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    fn place(&self, key: &str) -> crate::notice::Place {
        match &self.own {
            Some(own) => own.place(key),
            None => self
                .flow
                .iter()
                .find(|(own, _)| own.name == key)
                .map(|(key, _)| key.place)
                .unwrap_or_default(),
        }
    }

    fn remove(&mut self, key: &str) {
        self.is_changed = true;
        match &mut self.own {
            Some(own) => own.remove(key),
            None => self.flow.retain(|(own, _)| own.name != key),
        }
    }

    /// Sets an entry, whose lines are not indented yet.
    fn set(&mut self, key: &str, text: impl AsRef<str>) {
        self.is_changed = true;
        let flow = std::mem::take(&mut self.flow);
        let own = self.own.get_or_insert_with(|| {
            let mut own = YamlEntries::parse("").expect("an empty text is a file");
            for (key, node) in flow {
                let value = match node.value {
                    Value::Number(number) => number.to_string(),
                    Value::Text(text) => super::yaml_entries::scalar(&text),
                    Value::Bool(value) => value.to_string(),
                    _ => continue,
                };
                own.set(&key.name, &format!("  {}: {value}", key.name));
            }
            own
        });
        let indent = own.indent().unwrap_or(2);
        let lines: Vec<String> =
            text.as_ref().lines().map(|line| format!("{:indent$}{line}", "")).collect();
        own.set(key, &lines.join("\n"));
    }

    fn write(&self, yaml: &mut YamlEntries) {
        if !self.is_changed {
            return;
        }
        match &self.own {
            Some(own) if own.keys().next().is_some() => {
                yaml.set("limits", &format!("limits:\n{}", own.text()));
            }
            Some(_) => yaml.remove("limits"),
            None if self.flow.is_empty() => yaml.remove("limits"),
            None => {
                let mut texts = Vec::new();
                for (key, node) in &self.flow {
                    if let Value::Number(number) = node.value {
                        texts.push(format!("  {}: {number}", key.name));
                    }
                }
                yaml.set("limits", &format!("limits:\n{}", texts.join("\n")));
            }
        }
    }
}
