//! What the texts of a tree's sources tell [`join`](super::join).

use std::path::{Path, PathBuf};

use super::join::{self, File, JoinResult, SourceFacts, Tree};
use super::source_texts::SourceTexts;
use crate::name_text;

/// The problems of a tree whose folders have these paths.
pub(super) fn joined_tree(paths: &[PathBuf], tree: &Tree, texts: &SourceTexts) -> JoinResult {
    let path_of = |file: &File| paths[file.folder].join(name_text::path(&file.name));
    let source_at = |by: &File, path: &Path| {
        let dir = path.parent()?;
        let folder = if dir == paths[by.folder] {
            by.folder
        } else {
            tree.find(dir.strip_prefix(&paths[0]).ok()?)?
        };
        let name = name_text::text(path.file_name()?).into_owned();
        tree.has_source(folder, &name).then_some(File { folder, name })
    };
    let count = tree.count_sources();
    join::join(
        tree,
        SourceFacts {
            opened: &|file| texts.files_opened(&path_of(file)),
            named: &|file| {
                if count == 1 {
                    return Vec::new();
                }
                let places = texts.places_named(&path_of(file)).into_iter();
                places.filter_map(|place| source_at(file, &place)).collect()
            },
            is_program: &|file| texts.is_program(&path_of(file)),
            conduct: &|file| Some(texts.conduct(&path_of(file))),
            writes: &|file, name| texts.writes(&path_of(file), name),
            is_tool: &|file| texts.testlib_role(&path_of(file)).is_some(),
        },
    )
}
