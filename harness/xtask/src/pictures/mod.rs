//! The pictures of the front page: sessions of the real program on a real terminal, as SVG, light and dark.
//!
//! The programs and their cases are those of the documents. Two pictures are equal if their texts are, with times, sizes of memory
//! and numbers of runs masked; of a picture that moves, the last screen counts, because what is seen on the way depends on the speed.

mod film;
mod session;
mod svg;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};

use crate::files::{read, write};

use session::{SESSIONS, Session};
use svg::Theme;

/// The folder of the pictures.
const FOLDER: &str = "harness/guide/src/images";

/// The largest size of all pictures together, in bytes.
const MOST: u64 = 300_000;

/// `pictures check|update PROGRAM`: compares the pictures with new ones, or replaces them.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    const HELP: &str = "help: cargo xtask pictures check|update PROGRAM";
    let [what, program] = arguments else { bail!("wrong number of arguments\n{HELP}") };
    let program = Path::new(program).canonicalize().with_context(|| format!("no `{program}`"))?;
    for session in &SESSIONS {
        let screens = session.play(&program)?;
        let last = screens.last().context("a session without a screen")?;
        for theme in [Theme::Light, Theme::Dark] {
            let path = Path::new(FOLDER).join(format!("{}-{}.svg", session.name, theme.name()));
            let new = if session.is_moving {
                film::picture(&screens, theme, session.about)
            } else {
                svg::picture(last, theme, session.about)
            };
            match what.as_str() {
                "update" => write(&path, &new)?,
                "check" => check(session, &path, &new)?,
                _ => bail!("no such word: `{what}`\n{HELP}"),
            }
        }
    }
    let mut sum = 0;
    for entry in std::fs::read_dir(FOLDER).with_context(|| format!("cannot read {FOLDER}"))? {
        sum += entry?.metadata()?.len();
    }
    ensure!(sum <= MOST, "the files in {FOLDER} have {sum} bytes together, above {MOST}");
    println!("{} pictures, {sum} bytes with the others in {FOLDER}", 2 * SESSIONS.len());
    Ok(ExitCode::SUCCESS)
}

fn check(session: &Session, path: &Path, new: &str) -> Result<()> {
    let [old, new] = [&read(path)?, new].map(svg::masked_text);
    ensure!(
        old == new,
        "{} differs from the session `{}`\nhelp: cargo xtask pictures update PROGRAM\n--- in the picture\n{old}\n--- now\n{new}",
        path.display(),
        session.name
    );
    Ok(())
}
