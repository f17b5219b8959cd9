//! Texts that try to be executed as commands, for the tests of everything that shows or stores foreign text.

use proptest::prelude::*;

/// Texts that mislead real parsers, terminals and readers.
const CORPUS: [&str; 44] = [
    "::error::",
    "::error file=a,line=1::",
    "::stop-commands::t",
    "::add-mask::a",
    "##[error]",
    "##[group]",
    "##",
    "##vso[task.setvariable variable=a]",
    "##teamcity[buildStop comment='x']",
    "section_start:1:a\r\x1b[0K",
    "section_end:1:a\r\x1b[0K",
    "travis_fold:start:a",
    "--- x",
    "+++",
    "~~~ x",
    "^^^ +++",
    "\x1b[8mha:AAAA",
    "\x1b[0m",
    "\x1b[1;31m",
    "\x1b]0;title\x07",
    "\x1b[2J",
    "\u{9b}31m",
    "\r",
    "\n",
    "\t",
    " ",
    "\u{a0}",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
    "\u{2066}",
    "\u{feff}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{1ffff}",
    "\0",
    "\x0b",
    "\x7f",
    "]]>",
    "<script>",
    "&#0;",
    "|",
    "`",
    "\\",
];

/// The text, of which a random part is replaced by a random text.
pub(crate) fn spliced(whole: String) -> impl Strategy<Value = Vec<u8>> {
    let length = whole.len();
    (0..=length, 0..=length, text()).prop_map(move |(a, b, text)| {
        let mut bytes = whole.clone().into_bytes();
        bytes.splice(a.min(b)..a.max(b), text.into_bytes());
        bytes
    })
}

/// A random text, mixed with texts of the corpus.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(&CORPUS[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[:#+~^-]{1,4}",
        1 => "[a-z]{1,5}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// The whole corpus, each text on a separate line.
pub(crate) fn corpus() -> String {
    CORPUS.map(|text| format!("{text}x\n  {text}")).concat()
}

/// The first part of a log that a terminal or a CI would execute. The log is read as they read it: line by line,
/// without styles and leading blanks.
pub(crate) fn obeyed(log: &str) -> Option<String> {
    let log = without_colours(log);
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    let hides = |c: char| "\u{202e}\u{2066}\u{2028}\u{feff}\u{fffe}\u{ffff}\u{1ffff}".contains(c);
    if let Some(c) = log.chars().find(|c| steers(*c) || hides(*c)) {
        return Some(format!("{c:?}"));
    }
    let obeyed = |line: &&str| {
        let inside =
            ["##[", "##vso[", "##teamcity[", "section_start:", "section_end:", "travis_fold:"];
        line.trim_start().starts_with("::") || inside.iter().any(|one| line.contains(one))
    };
    log.lines().find(obeyed).map(str::to_owned)
}

/// The first line of a log that Buildkite would read as a heading.
pub(crate) fn folded(log: &str) -> Option<String> {
    let log = without_colours(log);
    let is_heading = |line: &&str| {
        let marks = ["---", "+++", "~~~", "^^^"];
        marks.iter().any(|mark| line.trim_start().starts_with(mark))
    };
    log.lines().find(is_heading).map(str::to_owned)
}

/// The log without colours and weights; the code for concealed text stays.
fn without_colours(log: &str) -> String {
    let mut out = String::new();
    let mut rest = log;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        out.push_str(before);
        let (codes, behind) = after.split_once('m').unwrap_or((after, ""));
        let number = |code: &str| code.is_empty() || code.parse().is_ok_and(|code: u8| code != 8);
        if !codes.split(';').all(number) {
            out.push('\x1b');
            rest = after;
            continue;
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}
