//! Draws an output: runs a problem's output visualizer and collects the images that it writes.
//!
//! It stands next to the flow, as the checker does: the caller starts the program. The files of the
//! program are not trusted: only regular files with known names are copied, up to a limit, symbolic
//! links are not followed, and the page shows the files as images, so that scripts in them do not
//! run.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rejudge_quantity::Bytes;

use crate::compile::Artifact;
use crate::decide;
use crate::file_error::FileError;
use crate::generate::{files_in, program_limits, words};
use crate::left_behind::{Folder, Temporary, remove_beneath};
use crate::notice::{Code, Notice};
use crate::problem::natural_order;
use crate::sandbox::{Captured, Exit, RunJob, SandboxError, WorkDir};

mod page;

/// The folder of a package that holds the visualizer's source.
const FOLDER: &str = "output_visualizer";

/// The page that steps through the images.
pub(crate) const PAGE: &str = "index.html";

/// The limits on the total size and the number of images.
const MOST_BYTES: Bytes = Bytes::mib(512);
const MOST_IMAGES: usize = 50_000;

/// Why a drawing failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum DrawError {
    /// The problem has no visualizer, the visualizer created no image with a known name, or the output folder is not
    /// empty.
    #[error(transparent)]
    Notice(#[from] Notice),
    /// The visualizer has more than one file.
    #[error("an output visualizer must be a single source file: {0}")]
    NotSingle(String),
    /// The visualizer did not exit with code 42; its messages follow.
    #[error("the output visualizer failed: {evidence}{words}")]
    Failed {
        /// How it ended.
        evidence: String,
        /// Its messages.
        words: String,
    },
    /// The images exceed a limit.
    #[error("the output visualizer created more than {MOST_IMAGES} images or {MOST_BYTES}")]
    TooMuch,
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// The sandbox failed, or was interrupted.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

/// The parts of a drawing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DrawnCase<'a> {
    /// The case's input file.
    pub(crate) input: &'a Path,
    /// The case's answer file.
    pub(crate) answer: &'a Path,
    /// The output to draw.
    pub(crate) output: &'a Captured,
    /// The case's arguments for the visualizer.
    pub(crate) args: &'a [String],
}

/// Whether the package in `dir` has a visualizer.
pub(crate) fn has_visualizer(dir: &Path) -> bool {
    dir.join(FOLDER).is_dir()
}

/// The type of the content of the image called `name`.
pub(crate) fn media(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "svg")) => "image/svg+xml",
        Some((_, "png")) => "image/png",
        _ => "image/jpeg",
    }
}

/// The source of the visualizer of the package in `dir`, which messages call `shown`.
pub(crate) fn visualizer(dir: &Path, shown: &str) -> Result<PathBuf, DrawError> {
    let folder = dir.join(FOLDER);
    let mut files = files_in(&folder).map_err(failed("read", &folder))?;
    match files.as_slice() {
        [] => Err(Code::MissingSource
            .says(format!("`{shown}` has no output visualizer"))
            .help(format!("add its source, a single file, to `{shown}/output_visualizer/`"))
            .into()),
        [file] if file.is_file() => Ok(files.remove(0)),
        _ => {
            let names = files.iter().map(|file| format!("`{}`", file_name(file)));
            Err(DrawError::NotSingle(names.collect::<Vec<_>>().join(", ")))
        }
    }
}

/// Runs `visualizer` on `scene`, with the empty folder `feedback`; returns the images in their
/// order.
pub(crate) fn draw(
    visualizer: &Artifact,
    scene: DrawnCase<'_>,
    feedback: &Temporary,
    run: &mut RunJob<'_>,
) -> Result<Vec<String>, DrawError> {
    let limits = program_limits();
    let (input, answer) = (absolute(scene.input), absolute(scene.answer));
    // With a trailing slash: validators and visualizers append file names directly.
    let mut folder = feedback.path().as_os_str().to_owned();
    folder.push("/");
    let mut args: Vec<OsString> = vec![input.clone().into(), answer.clone().into(), folder];
    args.extend(scene.args.iter().map(OsString::from));
    let mut job = visualizer.job(&limits, &args, WorkDir::At(feedback.path().to_owned()));
    job.readable.extend([input, answer]);
    let output = scene.output.to_input().map_err(failed("read from", &std::env::temp_dir()))?;
    let execution = run(&job, output)?;
    let evidence = match execution.exit {
        Exit::Code(42) => None,
        Exit::Code(code) => Some(format!("exit code {code}, not 42")),
        _ => decide::of_execution(&execution, &limits).map(|(_, evidence)| evidence),
    };
    let words = words(&visualizer.own_paths.in_message(execution.stderr_tail));
    if let Some(evidence) = evidence {
        return Err(DrawError::Failed { evidence, words });
    }
    let images = images_in(feedback.folder()).map_err(failed("read", feedback.path()))??;
    if images.is_empty() {
        return Err(Code::FailingProgram
            .says(format!("the output visualizer created no image{words}"))
            .help("it must write `judgeimage-NNN.svg` (or `.png`, `.jpg`) into the feedback folder")
            .into());
    }
    Ok(images)
}

/// The names of the images in a folder, in natural order; those for the judges come first.
fn images_in(folder: &Folder) -> io::Result<Result<Vec<String>, DrawError>> {
    let mut files = folder.files(is_image)?;
    let total = files.iter().map(|(_, size)| size).sum::<u64>();
    if files.len() > MOST_IMAGES || total > MOST_BYTES.get() {
        return Ok(Err(DrawError::TooMuch));
    }
    files.sort_by(|(a, _), (b, _)| natural_order(a, b));
    Ok(Ok(files.into_iter().map(|(name, _)| name).collect()))
}

/// Whether the name is `judgeimage` or `teamimage`, possibly `-` and more, and an image's extension.
fn is_image(name: &str) -> bool {
    let Some((stem, "svg" | "png" | "jpg" | "jpeg")) = name.rsplit_once('.') else {
        return false;
    };
    let rest = stem.strip_prefix("judgeimage").or_else(|| stem.strip_prefix("teamimage"));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    rest.is_some_and(|rest| rest.len() <= 100 && rest.bytes().all(plain))
}

/// Whether a drawing may be written to `folder`: it is empty or missing, or `force` is set.
pub(crate) fn may_write(folder: &Path, force: bool) -> Result<(), DrawError> {
    let full = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(failed("read", folder)(error)),
    };
    if full && !force {
        return Err(Code::AlreadyExists
            .says(format!("`{}` is not empty", folder.display()))
            .help("choose another folder, or replace the drawing with `--force`")
            .into());
    }
    Ok(())
}

/// Copies the images `names` to the folder at `path`, where they replace those of an earlier
/// drawing, and writes the page.
pub(crate) fn write(
    from: &Folder,
    names: &[String],
    path: &Path,
    title: &str,
) -> Result<(), DrawError> {
    fs::create_dir_all(path).map_err(failed("create the folder", path))?;
    let written = || -> io::Result<Result<(), DrawError>> {
        // The folder that the user chose may be behind a symbolic link.
        let folder = Folder::open(&path.canonicalize()?)?;
        let earlier = match images_in(&folder)? {
            Ok(earlier) => earlier,
            Err(error) => return Ok(Err(error)),
        };
        for name in earlier.iter().map(String::as_str).chain([PAGE]) {
            remove_beneath(path, Path::new(name))?;
        }
        let mut left = MOST_BYTES.get();
        for name in names {
            let source = from.file(Path::new(name))?.take(left);
            left -= io::copy(&mut { source }, &mut folder.create(Path::new(name), 0o644)?)?;
        }
        folder.write(Path::new(PAGE), 0o644, &page::render(title, names)?)?;
        Ok(Ok(()))
    };
    written().map_err(failed("write to", path))?
}

/// The program runs in another folder, so every path must be absolute.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DrawError {
    let named = FileError::on(action, path);
    move |source| named(source).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_with_known_names_are_images_in_natural_order() {
        let dir = tempfile::tempdir().unwrap();
        let names = [
            "judgeimage-10.svg",
            "judgeimage-9.svg",
            "judgeimage.png",
            "teamimage-1.svg",
            "judgeimage-1.html",
            "judgeimage-<a>.svg",
            "image.svg",
            "judgemessage.txt",
            "svg",
        ];
        for name in names {
            fs::write(dir.path().join(name), "x").unwrap();
        }
        fs::create_dir(dir.path().join("judgeimage-2.svg")).unwrap();
        std::os::unix::fs::symlink("judgemessage.txt", dir.path().join("judgeimage-3.svg"))
            .unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let found = images_in(&folder).unwrap().unwrap();
        let expected =
            ["judgeimage-9.svg", "judgeimage-10.svg", "judgeimage.png", "teamimage-1.svg"];
        assert_eq!(found, expected);
    }

    #[test]
    fn an_earlier_drawing_is_replaced_without_following_links() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let image = from.path().join("judgeimage-1.svg");
        fs::write(&image, "new").unwrap();
        for old in ["judgeimage-1.svg", "judgeimage-2.svg", "notes.txt"] {
            fs::write(to.path().join(old), "old").unwrap();
        }
        let elsewhere = from.path().join("elsewhere");
        fs::write(&elsewhere, "kept").unwrap();
        std::os::unix::fs::symlink(&elsewhere, to.path().join(PAGE)).unwrap();
        assert!(matches!(may_write(to.path(), false), Err(DrawError::Notice(_))));
        may_write(to.path(), true).unwrap();
        let images = Folder::open(from.path()).unwrap();
        write(&images, &["judgeimage-1.svg".to_owned()], to.path(), "t").unwrap();
        assert_eq!(fs::read_to_string(to.path().join("judgeimage-1.svg")).unwrap(), "new");
        assert!(!to.path().join("judgeimage-2.svg").exists());
        assert!(to.path().join("notes.txt").exists());
        assert_eq!(fs::read_to_string(elsewhere).unwrap(), "kept");
    }
}
