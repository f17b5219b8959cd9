//! Draws an output: runs a problem's output visualizer and keeps the images that it leaves.
//!
//! Beside the flow, as the checker is: the caller starts the program. What the program leaves in its
//! folder is not trusted: only plain files of known names are taken, up to a bound, no link is
//! followed, and the page shows them as images, where no script in them runs.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::bytes::Bytes;
use crate::compile::{Artifact, Run};
use crate::generate::{files_in, program_limits, words};
use crate::left_behind::{Folder, Temporary, remove_beneath};
use crate::problem::natural_order;
use crate::sandbox::{Captured, Exit, SandboxError, WorkDir};
use crate::verdict;

mod page;

/// The folder of a package that holds the visualizer's source.
const FOLDER: &str = "output_visualizer";

/// The page that steps through the images.
pub(crate) const PAGE: &str = "index.html";

/// What the images may take together, and how many there may be.
const MOST_BYTES: Bytes = Bytes::mib(512);
const MOST_IMAGES: usize = 50_000;

/// Why there is no drawing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum DrawError {
    /// The problem has no visualizer.
    #[error(
        "`{0}` has no output visualizer\n\
         help: add its source, a single file, to `{0}/output_visualizer/`"
    )]
    NoVisualizer(String),
    /// The visualizer is more than one file.
    #[error("an output visualizer must be a single source file: {0}")]
    NotSingle(String),
    /// The visualizer did not end with exit code 42; its words follow.
    #[error("the output visualizer failed: {evidence}{words}")]
    Failed {
        /// How it ended.
        evidence: String,
        /// What it said.
        words: String,
    },
    /// It left no image that we take.
    #[error(
        "the output visualizer left no image{0}\n\
         help: it must write `judgeimage-NNN.svg` (or `.png`, `.jpg`) into the feedback folder"
    )]
    NoImage(String),
    /// The images are more than we take.
    #[error("the output visualizer left more than {MOST_IMAGES} images or {MOST_BYTES}")]
    TooMuch,
    /// The folder to write to holds something.
    #[error("`{0}` is not empty\nhelp: name another folder, or replace the drawing with `--force`")]
    NotEmpty(String),
    /// Reading or writing a file.
    #[error("cannot {action} `{path}`")]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// The sandbox failed, or was interrupted.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    /// The case's input file.
    pub(crate) input: &'a Path,
    /// The case's answer file.
    pub(crate) answer: &'a Path,
    /// The output that is drawn.
    pub(crate) output: &'a Captured,
    /// What the case gives to the visualizer as arguments.
    pub(crate) args: &'a [String],
}

/// The source of the visualizer of the package in `dir`, which people know as `shown`.
pub(crate) fn visualizer(dir: &Path, shown: &str) -> Result<PathBuf, DrawError> {
    let folder = dir.join(FOLDER);
    let mut files = files_in(&folder).map_err(failed("read", &folder))?;
    match files.as_slice() {
        [] => Err(DrawError::NoVisualizer(shown.to_owned())),
        [file] if file.is_file() => Ok(files.remove(0)),
        _ => {
            let names = files.iter().map(|file| format!("`{}`", file_name(file)));
            Err(DrawError::NotSingle(names.collect::<Vec<_>>().join(", ")))
        }
    }
}

/// Lets `visualizer` draw `scene` into `feedback`, an empty folder; the images, in their order.
pub(crate) fn draw(
    visualizer: &Artifact,
    scene: Scene<'_>,
    feedback: &Temporary,
    run: &mut Run<'_>,
) -> Result<Vec<String>, DrawError> {
    let limits = program_limits();
    let (input, answer) = (absolute(scene.input), absolute(scene.answer));
    // With a slash behind it: validators and visualizers put names right after it.
    let mut folder = feedback.path().as_os_str().to_owned();
    folder.push("/");
    let mut args: Vec<OsString> = vec![input.clone().into(), answer.clone().into(), folder];
    args.extend(scene.args.iter().map(OsString::from));
    let mut job = visualizer.job(&limits, &args, WorkDir::At(feedback.path().to_owned()));
    job.readable.extend([input, answer]);
    let output = scene.output.to_input();
    let output = output.map_err(failed("read from", &std::env::temp_dir()))?;
    let execution = run(&job, output)?;
    let evidence = match execution.exit {
        Exit::Code(42) => None,
        Exit::Code(code) => Some(format!("exit code {code}, not 42")),
        _ => verdict::of_execution(&execution, &limits).map(|(_, evidence)| evidence),
    };
    let words = words(&execution.stderr_tail);
    if let Some(evidence) = evidence {
        return Err(DrawError::Failed { evidence, words });
    }
    let images = images_in(feedback.folder()).map_err(failed("read", feedback.path()))??;
    if images.is_empty() {
        return Err(DrawError::NoImage(words));
    }
    Ok(images)
}

/// The names of the images in a folder, in their order: those for the judges first.
fn images_in(folder: &Folder) -> io::Result<Result<Vec<String>, DrawError>> {
    let mut files = folder.files(is_image)?;
    let total = files.iter().map(|(_, size)| size).sum::<u64>();
    if files.len() > MOST_IMAGES || total > MOST_BYTES.get() {
        return Ok(Err(DrawError::TooMuch));
    }
    files.sort_by(|(a, _), (b, _)| natural_order(a, b));
    Ok(Ok(files.into_iter().map(|(name, _)| name).collect()))
}

/// `judgeimage` or `teamimage`, perhaps `-` and more, and an extension of images.
fn is_image(name: &str) -> bool {
    let Some((stem, "svg" | "png" | "jpg" | "jpeg")) = name.rsplit_once('.') else {
        return false;
    };
    let rest = stem
        .strip_prefix("judgeimage")
        .or_else(|| stem.strip_prefix("teamimage"));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    rest.is_some_and(|rest| rest.len() <= 100 && rest.bytes().all(plain))
}

/// Whether a drawing may be written to `folder`: it is empty, or not there, or `force` is given.
pub(crate) fn may_write(folder: &Path, force: bool) -> Result<(), DrawError> {
    let full = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(failed("read", folder)(error)),
    };
    if full && !force {
        return Err(DrawError::NotEmpty(folder.display().to_string()));
    }
    Ok(())
}

/// Copies the images called `names` to the folder at `path`, in place of those of an earlier drawing, and writes the page.
pub(crate) fn write(
    from: &Folder,
    names: &[String],
    path: &Path,
    title: &str,
) -> Result<(), DrawError> {
    fs::create_dir_all(path).map_err(failed("make the folder", path))?;
    let written = || -> io::Result<Result<(), DrawError>> {
        // Where the user wants it, which may be behind a link.
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
        folder.write(
            Path::new(PAGE),
            0o644,
            page::render(title, names).as_bytes(),
        )?;
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
    let path = path.display().to_string();
    move |source| DrawError::Io {
        action,
        path,
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_only_plain_files_of_known_names_in_their_natural_order() {
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
        let expected = [
            "judgeimage-9.svg",
            "judgeimage-10.svg",
            "judgeimage.png",
            "teamimage-1.svg",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn replaces_an_earlier_drawing_and_writes_through_no_link() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let image = from.path().join("judgeimage-1.svg");
        fs::write(&image, "new").unwrap();
        for old in ["judgeimage-1.svg", "judgeimage-2.svg", "notes.txt"] {
            fs::write(to.path().join(old), "old").unwrap();
        }
        let elsewhere = from.path().join("elsewhere");
        fs::write(&elsewhere, "kept").unwrap();
        std::os::unix::fs::symlink(&elsewhere, to.path().join(PAGE)).unwrap();
        assert!(matches!(
            may_write(to.path(), false),
            Err(DrawError::NotEmpty(_))
        ));
        may_write(to.path(), true).unwrap();
        let images = Folder::open(from.path()).unwrap();
        write(&images, &["judgeimage-1.svg".to_owned()], to.path(), "t").unwrap();
        assert_eq!(
            fs::read_to_string(to.path().join("judgeimage-1.svg")).unwrap(),
            "new"
        );
        assert!(!to.path().join("judgeimage-2.svg").exists());
        assert!(to.path().join("notes.txt").exists());
        assert_eq!(fs::read_to_string(elsewhere).unwrap(), "kept");
    }
}
