//! Adds cases that a search found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::{exists, place_in, read_file, write};
use crate::generate::{NewRecipe, RecipeAddition};
use crate::import::quoted;
use crate::left_behind::remove_beneath;
use crate::notice::few;
use crate::notice::shown;
use crate::problem::{CasePlace, Problem};

/// A case that a search found.
pub(in crate::cli) struct FoundCase<'a> {
    pub(in crate::cli) input: &'a [u8],
    pub(in crate::cli) answer: &'a [u8],
    pub(in crate::cli) description: &'a str,
    /// Whether descriptions are written as that format asks.
    pub(in crate::cli) is_v2025: bool,
    /// The generator that makes the input, if it is one of the package.
    pub(in crate::cli) recipe: Option<NewRecipe<'a>>,
}

/// The name of a case that has the same input.
struct KnownCase(String);

/// The inputs that this run has added, each with the name of its case: the problem was read before.
#[derive(Debug, Default)]
pub(in crate::cli) struct AddedCases(BTreeMap<Vec<u8>, String>);

/// What became of a found case.
pub(in crate::cli) enum Addition {
    /// It has these files.
    Added { files: String, is_listed: bool },
    /// This case has the same input.
    Known(String),
}

/// A file to write, relative to the folder of the problem.
type NewFile = (PathBuf, Vec<u8>);

/// Adds the case to the problem, unless the problem has the input already. If a file cannot be written, none is left.
/// `added` holds what was added to this problem.
pub(in crate::cli) fn add_found(
    problem: &Problem,
    found: &FoundCase<'_>,
    added: &mut AddedCases,
) -> Result<Addition> {
    if let Some(known) = added.0.get(found.input) {
        return Ok(Addition::Known(known.clone()));
    }
    for case in problem.cases.iter().filter(|case| !case.is_static()) {
        let path = case.input();
        let is_as_long = path.metadata().is_ok_and(|file| file.len() == found.input.len() as u64);
        if is_as_long && read_file(&path)? == found.input {
            return Ok(Addition::Known(case.name().to_owned()));
        }
    }
    let folder = &problem.dir;
    let (place, list) = match place_of(problem, found)? {
        Ok(place) => place,
        Err(KnownCase(known)) => return Ok(Addition::Known(known)),
    };
    let mut files: Vec<NewFile> =
        vec![(place.input.clone(), found.input.to_vec()), (place.answer, found.answer.to_vec())];
    if problem.is_package {
        files.push(description(&place.input, found));
    }
    let is_listed = list.is_some();
    write_all(folder, &files, list.as_ref())?;
    let stem = place.input.with_extension("");
    let name = stem.strip_prefix("data").unwrap_or(&stem).to_string_lossy().into_owned();
    added.0.insert(found.input.to_vec(), name);
    let here = std::env::current_dir().unwrap_or_default();
    let names = files.iter().chain(&list);
    let names: Vec<String> =
        names.map(|(file, _)| shown(&folder.join(file), Some(&here))).collect();
    Ok(Addition::Added { files: few(&names), is_listed })
}

/// The files of the new case, and the list of generated cases with it.
fn place_of(
    problem: &Problem,
    found: &FoundCase<'_>,
) -> Result<Result<(CasePlace, Option<NewFile>), KnownCase>> {
    let folder = &problem.dir;
    let place_of_name = |name: &str| CasePlace::of_stem(&format!("data/{name}"), "ans");
    let listed = found.recipe.and_then(|recipe| {
        let keys = (1..1000).map(|number| format!("stress-{number}"));
        let is_free = |name: &str| place_of_name(name).is_free(folder);
        recipe.add(folder, problem.kind, keys, is_free)
    });
    match listed {
        Some(RecipeAddition::Known(known)) => return Ok(Err(KnownCase(known))),
        Some(RecipeAddition::Listed { file, text, name }) => {
            let list = (file, text.into_bytes());
            return Ok(Ok((place_of_name(&name), Some(list))));
        }
        None => {}
    }
    let base = match (problem.is_package, problem.cases.is_empty()) {
        (true, _) => "data/secret/stress-",
        (false, true) => "tests/",
        (false, false) => return Ok(Ok((place_in(folder, Some(problem), None)?, None))),
    };
    Ok(numbered(folder, base, found.input)?.map(|place| (place, None)))
}

/// The first free place with a number, or the name of a case before it that has this input.
fn numbered(folder: &Path, base: &str, input: &[u8]) -> Result<Result<CasePlace, KnownCase>> {
    for number in 1..100_000 {
        let stem = format!("{base}{number}");
        let place = CasePlace::of_stem(&stem, "ans");
        if place.is_free(folder) {
            return Ok(Ok(place));
        }
        if read_file(&folder.join(&place.input)).is_ok_and(|known| known == input) {
            return Ok(Err(KnownCase(stem)));
        }
    }
    Err(exists(base))
}

/// The file with the description of the case.
fn description(input: &Path, found: &FoundCase<'_>) -> NewFile {
    let (ending, text) = if found.is_v2025 {
        let text = format!("description: {}\n", quoted(found.description));
        ("yaml", text)
    } else {
        ("desc", format!("{}\n", found.description))
    };
    (input.with_extension(ending), text.into_bytes())
}

/// Writes the files of a case, and then the list, which exists already. If one cannot be written, removes the files again:
/// an input without its answer would break the problem.
fn write_all(folder: &Path, files: &[NewFile], list: Option<&NewFile>) -> Result<()> {
    for (done, (file, bytes)) in files.iter().chain(list).enumerate() {
        let Err(error) = write(folder, file, bytes) else {
            continue;
        };
        for (file, _) in &files[..done.min(files.len())] {
            remove_beneath(folder, file)
                .with_context(|| format!("cannot remove `{}`", folder.join(file).display()))?;
        }
        return Err(error);
    }
    Ok(())
}
