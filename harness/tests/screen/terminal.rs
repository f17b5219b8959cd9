//! A pseudo-terminal with a screen, for a `rejudge` process.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::support::terminal;

/// How long a test waits for something to appear. Busy machines are slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A terminal of 60 lines, on which a program runs.
pub(crate) struct TestTerminal {
    /// The user's side.
    keys: File,
    child: Child,
    screen: Arc<Mutex<vt100::Parser>>,
}

/// The streams of the program that go to the terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TerminalStreams {
    All,
    /// Without standard error, on which machines differ.
    Output,
}

impl TestTerminal {
    /// Starts a command with a terminal of this width as its controlling terminal.
    pub(crate) fn start(command: &Command, columns: u16, streams: TerminalStreams) -> Self {
        let (keys, line) = terminal::open(columns, 60);
        let mut child = Command::new("setsid");
        child
            .args(["--ctty", "--wait"])
            .arg(command.get_program())
            .args(command.get_args())
            .current_dir(command.get_current_dir().unwrap())
            .stdin(line.try_clone().unwrap())
            .stdout(line.try_clone().unwrap())
            .stderr(if streams == TerminalStreams::All {
                Stdio::from(line)
            } else {
                Stdio::null()
            });
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => child.env(name, value),
                None => child.env_remove(name),
            };
        }
        child.env("TERM", "xterm-256color");
        let child = child.spawn().unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(60, columns, 1000)));
        read_all(keys.try_clone().unwrap(), Arc::clone(&screen));
        Self { keys: keys.into(), child, screen }
    }

    /// Types text or control characters.
    pub(crate) fn types(&mut self, text: &str) {
        self.keys.write_all(text.as_bytes()).unwrap();
    }

    /// The lines on the screen now.
    pub(crate) fn screen(&self) -> String {
        let text = self.screen.lock().unwrap().screen().contents();
        text.trim_end().to_owned() + "\n"
    }

    /// The text in inverted colours.
    pub(crate) fn inverted(&self) -> String {
        let parser = self.screen.lock().unwrap();
        let screen = parser.screen();
        let (rows, columns) = screen.size();
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let cells = places.filter_map(|(row, column)| screen.cell(row, column));
        let inverted = cells.filter(|cell| cell.inverse());
        inverted.map(vt100::Cell::contents).collect()
    }

    /// The number of lines that are longer than the screen is wide.
    pub(crate) fn too_long(&self) -> usize {
        let parser = self.screen.lock().unwrap();
        let screen = parser.screen();
        (0..60).filter(|row| screen.row_wrapped(*row)).count()
    }

    /// Waits until the screen contains a text.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contains(text));
    }

    /// Waits until the screen satisfies a condition.
    pub(crate) fn wait_until(&self, what: &str, condition: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !condition(&self.screen()) {
            assert!(Instant::now() < deadline, "{what} never appears:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the end of the program. Returns its exit status and the screen.
    pub(crate) fn finish(mut self) -> (i32, String) {
        self.wait_for_end()
    }

    /// Like [`Self::finish`], and the terminal stays.
    pub(crate) fn wait_for_end(&mut self) -> (i32, String) {
        let status = self.child.wait().unwrap().code().unwrap_or(-1);
        // The last output is on its way to the screen.
        let mut before = String::new();
        let deadline = Instant::now() + PATIENCE;
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let now = self.screen();
            if now == before || Instant::now() > deadline {
                return (status, now);
            }
            before = now;
        }
    }
}

/// Draws everything that arrives, until the last program has closed the terminal.
fn read_all(keys: OwnedFd, screen: Arc<Mutex<vt100::Parser>>) {
    std::thread::spawn(move || {
        let mut keys = File::from(keys);
        let mut bytes = [0; 4096];
        while let Ok(length @ 1..) = keys.read(&mut bytes) {
            screen.lock().unwrap().process(&bytes[..length]);
        }
    });
}

/// The screen with `#` for every measured figure.
pub(crate) fn masked(screen: &str) -> String {
    let figure = |word: &str| {
        let bare = word.trim_matches(|c: char| "(),".contains(c));
        let (whole, part) = bare.split_once('.')?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        (digits(whole) && digits(part)).then(|| word.replace(bare, "#"))
    };
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let unit = |at: usize| words.get(at).is_some_and(|word| word.starts_with("MiB"));
        let masked = words.iter().enumerate().map(|(at, word)| {
            let size = unit(at + 1).then(|| "#".to_owned());
            size.or_else(|| figure(word)).unwrap_or_else(|| (*word).to_owned())
        });
        masked.collect::<Vec<_>>().join(" ") + "\n"
    };
    screen.lines().map(line).collect()
}
