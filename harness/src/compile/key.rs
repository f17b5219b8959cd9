//! The key of an artefact: a hash of everything that it depends on.

use std::path::Path;

use walkdir::WalkDir;

use super::brought::SEARCHED_LAST;
use super::source_file::SourceFile;
use super::{CompileOptions, CompileRequest};
use crate::language::Template;

/// Increased when the meaning of the files in an artefact's folder changes.
const FORMAT: u32 = 4;

/// Hashes a list of byte strings so that different lists have different hashes.
struct ArtifactKeyParts(blake3::Hasher);

impl ArtifactKeyParts {
    fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn add_files(&mut self, files: &[SourceFile]) {
        self.add(files.len().to_le_bytes());
        for file in files {
            self.add(&file.name);
            self.add([u8::from(file.executable)]);
            self.add(&file.text);
        }
    }

    fn add_all(&mut self, templates: &[Template]) {
        self.add(templates.len().to_le_bytes());
        for template in templates {
            self.add(template.as_str());
        }
    }
}

/// The key of the artefact of `request` under `options`.
pub(super) fn of(request: &CompileRequest<'_>, options: &CompileOptions) -> String {
    let language = request.language;
    let mut parts = ArtifactKeyParts(blake3::Hasher::new());
    parts.add(FORMAT.to_le_bytes());
    parts.add_files(&request.files);
    // Included files are not on the command line.
    let included = request.files.iter().map(|file| u8::from(file.is_included));
    parts.add(included.collect::<Vec<u8>>());
    parts.add(&request.file_name);
    if request.files.len() > 1 {
        parts.add(request.names.main_class.as_deref().unwrap_or_default());
    }
    parts.add_all(language.compile_argv(options.profile));
    parts.add_all(&request.judge_flags);
    parts.add_all(&request.whole_program_flags);
    parts.add_all(&request.own_flags);
    for (name, value) in &language.env {
        parts.add(name);
        parts.add(value.as_str());
    }
    parts.add(&request.toolchain.identity);
    for (name, text) in &request.headers.found {
        parts.add(*name);
        parts.add(text);
    }
    for header in &request.headers.brought {
        parts.add(SEARCHED_LAST);
        parts.add(header.name);
        parts.add(header.text);
    }
    if uses_include(request, options) {
        for folder in &options.include {
            add_folder(&mut parts, folder);
        }
    }
    parts.0.finalize().to_hex().to_string()
}

/// The key of the artefact of `request` together with its command line.
pub(super) fn of_run(request: &CompileRequest<'_>, options: &CompileOptions) -> String {
    let mut parts = ArtifactKeyParts(blake3::Hasher::new());
    parts.add(of(request, options));
    parts.add_all(&request.language.run);
    // It depends on the name that the file had, which a single file loses.
    parts.add(request.names.main_class.as_deref().unwrap_or_default());
    parts.0.finalize().to_hex().to_string()
}

/// The key of a program that is built by its own scripts, which may use any of the files.
pub(super) fn of_scripts(files: &[SourceFile]) -> String {
    let mut parts = ArtifactKeyParts(blake3::Hasher::new());
    parts.add(FORMAT.to_le_bytes());
    parts.add("scripts");
    parts.add_files(files);
    for name in ["sh", "python3", "cc", "c++"] {
        parts.add(crate::language::fingerprint(&Path::new("/usr/bin").join(name)));
    }
    parts.0.finalize().to_hex().to_string()
}

/// The checksum of some files.
pub(super) fn of_files(files: &[SourceFile]) -> String {
    let mut parts = ArtifactKeyParts(blake3::Hasher::new());
    parts.add_files(files);
    parts.0.finalize().to_hex().to_string()
}

fn uses_include(request: &CompileRequest<'_>, options: &CompileOptions) -> bool {
    let argv = request.language.compile_argv(options.profile).iter();
    let env = request.language.env.values();
    argv.chain(env).any(|template| template.as_str().contains("{include}"))
}

/// Hashes the paths and stats of a library's files: reading them all would cost more than most
/// compilations.
fn add_folder(parts: &mut ArtifactKeyParts, folder: &Path) {
    parts.add(folder.as_os_str().as_encoded_bytes());
    let files = WalkDir::new(folder).follow_links(true).sort_by_file_name();
    for file in files.into_iter().filter_map(Result::ok) {
        if file.file_type().is_file() {
            parts.add(crate::language::fingerprint(file.path()));
        }
    }
}
