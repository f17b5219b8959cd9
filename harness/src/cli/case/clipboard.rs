//! The text in the clipboard, from a program of the desktop.

use anyhow::{Context as _, Result, bail, ensure};

use crate::notice::{Code, visible};
use crate::outside;

/// A program that prints the clipboard, its arguments, and the environment variable without which it has no desktop.
struct ClipboardReader {
    program: &'static str,
    args: &'static [&'static str],
    desktop: Option<&'static str>,
}

const READERS: [ClipboardReader; 4] = [
    ClipboardReader {
        program: "wl-paste",
        args: &["--no-newline", "--type", "text"],
        desktop: Some("WAYLAND_DISPLAY"),
    },
    ClipboardReader {
        program: "xclip",
        args: &["-selection", "clipboard", "-out"],
        desktop: Some("DISPLAY"),
    },
    ClipboardReader {
        program: "xsel",
        args: &["--clipboard", "--output"],
        desktop: Some("DISPLAY"),
    },
    // The clipboard of Windows, under WSL.
    ClipboardReader {
        program: "powershell.exe",
        args: &["-NoProfile", "-Command", "Get-Clipboard -Raw"],
        desktop: None,
    },
];

const HELP: &str = "install `wl-clipboard`, `xclip` or `xsel`, or paste the input into the terminal: `rejudge case add`";

/// The text, which ends with a line break unless it is empty.
pub(super) fn text() -> Result<Vec<u8>> {
    let is_usable = |reader: &&ClipboardReader| {
        let has = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        reader.desktop.is_none_or(has)
    };
    let mut usable = READERS.iter().filter(is_usable);
    let found = usable.find_map(|reader| Some((reader, outside::look_up(reader.program)?)));
    let Some((reader, path)) = found else {
        bail!(Code::MissingTool.says("found no program that can read the clipboard").help(HELP));
    };
    let program = reader.program;
    let output = outside::command(&path)
        .args(reader.args)
        .output()
        .with_context(|| format!("cannot start `{program}`"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        let why = visible(why.trim());
        bail!(
            Code::MissingTool
                .says(format!("`{program}` cannot read the clipboard: {why}"))
                .help(HELP)
        );
    }
    let text = String::from_utf8(output.stdout).context("the clipboard holds no text")?;
    let mut text = text.replace("\r\n", "\n");
    ensure!(!text.trim().is_empty(), "the clipboard is empty");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text.into_bytes())
}
