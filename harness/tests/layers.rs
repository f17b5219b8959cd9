//! Holds the layers that the documentation of each of our crates draws: no import upwards, and no circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folders of the crates' sources.
const CRATES: [&str; 9] = [
    "quantity/src",
    "statistics/src",
    "checktestdata/src",
    "problem/src",
    "sandbox/src",
    "check/src",
    "cluster/src",
    "src",
    "http/src",
];

fn root_of(crate_folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(crate_folder)
}

/// The text of a crate's `lib.rs`.
fn lib_of(crate_folder: &str) -> String {
    std::fs::read_to_string(root_of(crate_folder).join("lib.rs")).unwrap()
}

/// The layers in the drawing in a `lib.rs`, the highest first: each its name, and then its modules.
fn layers(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let (_, after) = text.split_once("//! # Layers").expect("a heading");
    let block = after.split("//! ```").nth(1).expect("a block").lines();
    let rows = block.filter_map(|line| line.strip_prefix("//! "));
    rows.map(|row| row.split_whitespace().collect())
}

/// The modules in the drawing in a `lib.rs`, the highest first.
fn drawing(text: &str) -> Vec<String> {
    layers(text).flat_map(|layer| layer.into_iter().skip(1).map(str::to_owned)).collect()
}

/// The code of every file of a crate by its module path, which is empty for `lib.rs`. Without comments and unit tests,
/// and with one space between words.
fn code(crate_folder: &str) -> BTreeMap<Vec<String>, String> {
    let root = root_of(crate_folder);
    let mut code = BTreeMap::new();
    for entry in walkdir::WalkDir::new(&root) {
        let path = entry.unwrap().into_path();
        let below = path.strip_prefix(&root).unwrap().with_extension("");
        let mut module: Vec<String> =
            below.iter().map(|part| part.to_string_lossy().into()).collect();
        let is_test = module.iter().any(|part| part.ends_with("tests"));
        if path.extension().is_none_or(|extension| extension != "rs") || is_test {
            continue;
        }
        module.pop_if(|last| last == "mod" || last == "lib");
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let lines = text.lines().map(|line| line.split("//").next().unwrap());
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        code.insert(module, words.join(" "));
    }
    code
}

/// Adds the paths of a use tree at the start of `text`, such as `a::{b, c::d}`, and returns the rest.
fn read_tree<'a>(
    mut text: &'a str,
    prefix: &[String],
    paths: &mut BTreeSet<Vec<String>>,
) -> &'a str {
    let mut path = prefix.to_vec();
    loop {
        let end = text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len());
        path.extend((end > 0).then(|| text[..end].to_owned()));
        text = &text[end..];
        let Some(rest) = text.strip_prefix("::") else {
            paths.insert(path);
            return text;
        };
        text = rest;
        if let Some(mut rest) = text.strip_prefix('{') {
            loop {
                rest = read_tree(rest.trim_start(), &path, paths);
                rest = rest.trim_start_matches(|c| c != ',' && c != '}');
                match rest.strip_prefix(',') {
                    Some(more) => rest = more,
                    None => return rest.strip_prefix('}').unwrap_or(rest),
                }
            }
        }
    }
}

/// The absolute paths that `module` names, whether imported or in place.
fn paths(
    module: &[String],
    text: &str,
    is_module: &dyn Fn(&[String]) -> bool,
) -> BTreeSet<Vec<String>> {
    let mut raw = BTreeSet::new();
    for start in ["use ", "crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let tree = text[at..].trim_start_matches("use ");
            read_tree(tree, &[], &mut raw);
        }
    }
    let absolute = raw.into_iter().filter_map(|path| {
        let ups = path.iter().take_while(|part| *part == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "super" => Some([module.get(..module.len().checked_sub(ups)?)?, &path[ups..]].concat()),
            _ => Some([module, path.as_slice()].concat())
                .filter(|path| is_module(&path[..=module.len()])),
        }
    });
    absolute.collect()
}

/// For every module the modules that it uses, also through names that a parent module passes on.
fn uses(crate_folder: &str) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let code = code(crate_folder);
    let is_module = |path: &[String]| code.contains_key(path);
    let named: BTreeMap<_, _> =
        code.iter().map(|(module, text)| (module, paths(module, text, &is_module))).collect();
    let owner = |mut path: &[String]| {
        let name = path.last().cloned();
        while !path.is_empty() && !is_module(path) {
            path = &path[..path.len() - 1];
        }
        let passed_on = named.get(&path.to_vec()).and_then(|names| {
            names.iter().find(|inner| {
                inner.len() > path.len() + 1
                    && inner.starts_with(path)
                    && inner.last() == name.as_ref()
            })
        });
        passed_on.map_or(path, |inner| &inner[..=path.len()]).to_vec()
    };
    named
        .iter()
        .map(|(module, paths)| ((*module).clone(), paths.iter().map(|path| owner(path)).collect()))
        .collect()
}

#[test]
fn each_drawing_has_every_module_once() {
    for crate_folder in CRATES {
        let text = lib_of(crate_folder);
        let (_, code) = text.rsplit_once("//!").unwrap();
        let words = |line: &'_ str| -> Vec<String> {
            let words = line.trim_end_matches(';').split(['{', '}', ',', ':', ' ']);
            words.map(str::to_owned).collect()
        };
        let drawn = drawing(&text);
        // A module of tests is not drawn.
        let code = code.replace("#[cfg(test)]\nmod ", "");
        for line in code.lines() {
            let declared = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ");
            if let Some(name) = declared.map(|name| name.trim_end_matches([';', '{', ' '])) {
                let count = drawn.iter().filter(|drawn| *drawn == name).count();
                assert_eq!(count, 1, "`{name}` in the drawing of {crate_folder}");
            }
        }
        for name in drawn {
            let is_known = code.lines().any(|line| words(line).contains(&name));
            assert!(is_known, "the drawing of {crate_folder} has `{name}`, which is not a module");
        }
    }
}

#[test]
fn the_page_about_the_architecture_has_each_module_in_its_layer() {
    let page = std::fs::read_to_string(root_of("../ARCHITECTURE.md")).unwrap();
    let (_, section) = page.split_once("## The modules of the command\n").unwrap();
    let rows = section.lines().take_while(|line| !line.starts_with("## "));
    let mut layer = "";
    let mut described = BTreeSet::new();
    for row in rows.filter(|row| row.starts_with('|')).skip(2) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        layer = if cells[1].is_empty() { layer } else { cells[1] };
        let names = cells[2].split('`').skip(1).step_by(2);
        described.extend(names.map(|name| (layer.to_owned(), name.to_owned())));
    }
    let text = lib_of("src");
    let drawn = layers(&text).flat_map(|layer| {
        let name = layer[0].to_owned();
        layer.into_iter().skip(1).map(move |module| (name.clone(), module.to_owned()))
    });
    assert_eq!(described, drawn.collect());
}

#[test]
fn no_module_imports_one_that_is_drawn_above_it() {
    let mut upward = Vec::new();
    for crate_folder in CRATES {
        let drawn = drawing(&lib_of(crate_folder));
        let place = |path: &[String]| drawn.iter().position(|name| Some(name) == path.first());
        for (module, used) in uses(crate_folder) {
            for path in used {
                if place(&path).zip(place(&module)).is_some_and(|(used, own)| used < own) {
                    let (module, path) = (module.join("::"), path.join("::"));
                    upward.push(format!("{crate_folder}: {module} imports {path}"));
                }
            }
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
}

/// The modules that a module may import, where these are fewer than the drawing permits.
const KNOWN: [(&str, &[&str]); 2] =
    [("report", &["report", "show", "event", "killing"]), ("show", &["show", "event", "machine"])];

#[test]
fn the_reports_know_nothing_of_judging() {
    let mut too_much = Vec::new();
    for (module, used) in uses("src") {
        let known = KNOWN.iter().find(|(name, _)| module.first().is_some_and(|own| own == name));
        let Some((_, known)) = known else { continue };
        let unknown =
            |path: &&Vec<String>| path.first().is_some_and(|name| !known.contains(&name.as_str()));
        too_much.extend(used.iter().filter(unknown).map(|path| (module.clone(), path.clone())));
    }
    assert!(too_much.is_empty(), "{too_much:#?}");
}

#[test]
fn the_files_of_a_module_form_no_circle() {
    let circles: Vec<String> = CRATES.into_iter().flat_map(circles_in).collect();
    assert!(circles.is_empty(), "{circles:#?}");
}

/// The files of a crate that import each other in a circle, or lie between two circles.
fn circles_in(crate_folder: &str) -> Vec<String> {
    // Steps between two files in the same folder; files below a file belong to it.
    let mut steps: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for (module, used) in uses(crate_folder) {
        for path in used {
            let common = module.iter().zip(&path).take_while(|(a, b)| a == b).count();
            if common > 0 && common < module.len() && common < path.len() {
                let step = steps.entry(module[..=common].to_vec()).or_default();
                step.insert(path[..=common].to_vec());
            }
        }
    }
    // Take away the files that use no other file, or that no other file uses, until only circles are left.
    loop {
        let before = steps.len();
        let left: BTreeSet<Vec<String>> = steps.keys().cloned().collect();
        for used in steps.values_mut() {
            used.retain(|path| left.contains(path));
        }
        let used: BTreeSet<Vec<String>> = steps.values().flatten().cloned().collect();
        steps.retain(|path, uses| !uses.is_empty() && used.contains(path));
        if steps.len() == before {
            return steps.keys().map(|path| path.join("::")).collect();
        }
    }
}
