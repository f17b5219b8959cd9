//! The source files that deal with folders in which programs write. They may only use the listed
//! calls on paths, each of which is on a folder or a file that no program can write to. Everything
//! else goes through `left_behind` of the sandbox crate.

use std::path::Path;

/// The calls that access a file by its path.
const CALLS: [&str; 9] = [
    "fs::",
    "File::",
    "WalkDir",
    "TempDir",
    ".is_file()",
    ".is_dir()",
    ".exists()",
    ".canonicalize()",
    "read_dir(",
];

/// Text that matches but is not a call on a path.
const NOT: [&str; 4] = ["rustix::fs::", "os::unix::fs::", "File::from(", "KeptFile::"];

/// A source file and its allowed calls.
type AllowedCalls = (&'static str, &'static [&'static str]);

const SOURCES: [AllowedCalls; 21] = [
    // Sources, which are written by users.
    ("compile.rs", &["source.is_dir()", "std::fs::read(source)"]),
    // The submission as its author wrote it.
    ("compile/artifact.rs", &["request.source.is_dir()"]),
    ("compile/failure.rs", &[]),
    ("compile/job.rs", &[]),
    ("compile/kept_file.rs", &[]),
    // The submission as its author wrote it.
    ("compile/message.rs", &["source.is_dir()"]),
    ("compile/scripts.rs", &["dir.join(name).is_file()"]),
    // The folder of artefacts and the manifests in it.
    (
        "compile/store.rs",
        &[
            "fs::create_dir_all(&root)",
            "_temporary: Option<TempDir>",
            "fs::read(&path)",
            "fs::rename(whole, &artefact)",
            "fs::rename(&artefact, aside.path()",
            "File::open(manifest)",
            "fs::symlink_metadata(dir.join(MANIFEST))",
            "fs::symlink_metadata(&dir)",
            "fs::symlink_metadata(&file)",
            "fs::read_dir(folder)",
        ],
    ),
    ("../check/src/checker/external.rs", &[]),
    ("../check/src/checker/feedback.rs", &[]),
    ("../check/src/checker/several.rs", &[]),
    // A program in the cache, where no other program writes.
    ("judge/case.rs", &["program.exists()"]),
    // Files of the package and the input of a case, copied to a new folder in which no program has run yet.
    (
        "judge/launch.rs",
        &[
            "from.canonicalize()",
            "WalkDir::new(from)",
            "entry.path().canonicalize()",
            "entry.file_type().is_dir()",
            "fs::create_dir(&to)",
            "fs::copy(entry.path(), &to)",
            "File::open(input)",
            "File::open(path)",
            // The sources of a submission, from the cache, which holds no links.
            "beside.join(top).exists()",
            "fs::create_dir_all(parent)",
            "fs::copy(self.artifact.dir.join(name), to)",
        ],
    ),
    ("judge/passes.rs", &[]),
    ("judge/case_run.rs", &[]),
    ("judge/static_validation.rs", &[]),
    // The package's visualizer, and the folder that the user names.
    (
        "draw.rs",
        &[
            "dir.join(FOLDER).is_dir()",
            "file.is_file()",
            "fs::read_dir(folder)",
            "fs::create_dir_all(path)",
            "path.canonicalize()",
        ],
    ),
    ("../sandbox/src/linux/folder_copy.rs", &[]),
    (
        "../sandbox/src/linux/identity.rs",
        &[
            "kind.is_dir()",
            "kind.is_file()",
            // Of the system.
            "fs::metadata(\"/proc/self/ns/pid\")",
        ],
    ),
    ("../sandbox/src/linux/work_dir.rs", &[]),
    // The folder that contains those of all processes.
    (
        "../sandbox/src/process_folder.rs",
        &[
            "folder: TempDir",
            "fs::read_dir(place)",
            "data.is_dir()",
            "&fs::Metadata",
            "fs::symlink_metadata(path)",
        ],
    ),
];

/// The lines with calls that are not allowed, and the allowed calls that do not occur.
fn faults(text: &str, allowed: &[&str]) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut unused = allowed.to_vec();
    let mut faults = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("//") || line.starts_with("use ") {
            continue;
        }
        let mut rest = line.to_owned();
        for known in allowed.iter().filter(|known| line.contains(*known)) {
            unused.retain(|other| other != known);
            rest = rest.replace(known, "");
        }
        for harmless in NOT {
            rest = rest.replace(harmless, "");
        }
        if CALLS.iter().any(|call| rest.contains(call)) {
            faults.push(line.to_owned());
        }
    }
    faults.extend(unused.iter().map(|unused| format!("no longer there: {unused}")));
    faults
}

#[test]
fn untrusted_folders_are_accessed_through_one_module() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (file, allowed) in SOURCES {
        let text = std::fs::read_to_string(sources.join(file)).unwrap();
        let none: [String; 0] = [];
        assert_eq!(faults(&text, allowed), none, "{file}: use `left_behind`, or say why not");
    }
}

#[test]
fn a_call_on_a_path_is_found() {
    for (text, allowed, count) in [
        ("let x = std::fs::read(path)?;\n", "", 1),
        ("if script.is_file() {\n", "", 1),
        ("use std::fs::File;\n// fs::read\nrustix::fs::fstat(file);\n", "", 0),
        ("f(fs::read(known), fs::read(other));\n", "fs::read(known)", 1),
        ("f(fs::read(known));\n", "fs::read(known)", 0),
        ("nothing();\n", "fs::read(known)", 1),
        ("#[cfg(test)]\nmod tests {\nfs::read(x)\n", "", 0),
    ] {
        let allowed: &[&str] = if allowed.is_empty() { &[] } else { &[allowed] };
        assert_eq!(faults(text, allowed).len(), count, "{text}");
    }
}
