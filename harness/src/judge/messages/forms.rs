//! The forms of the messages, as data: those that the programs of `harness/behaviour` showed. Forms that several languages share are
//! in `exception`.

/// The stream on which a runtime prints a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::judge) enum Stream {
    Output,
    Error,
}

/// The form of a message.
///
/// In the lines, `{cause}` stands for the cause, `{name}` for that of an exception, `{..}` for any text, and `{#}` for digits. A text
/// is as short as possible, and at the end of a line as long as possible. Names and causes are joined with a colon.
pub(super) struct ErrorForm {
    /// The ids of the languages.
    pub(super) languages: &'static [&'static str],
    pub(super) stream: Stream,
    /// Consecutive lines.
    pub(super) lines: &'static [&'static str],
    /// The form of lines that the first line must not have.
    pub(super) except: &'static [&'static str],
    /// Whether indented lines that follow belong to the cause.
    pub(super) indented: bool,
    /// The indented line behind them that must be there.
    pub(super) until: Option<&'static str>,
    /// Whether the program goes on, and may exit with code 0.
    pub(super) goes_on: bool,
}

const PLAIN: ErrorForm = ErrorForm {
    languages: &[],
    stream: Stream::Error,
    lines: &[],
    except: &[],
    indented: false,
    until: None,
    goes_on: false,
};

const JAVASCRIPT: &[&str] = &["javascript", "typescript"];

/// The forms, by language.
pub(super) const TABLE: [ErrorForm; 38] = [
    ErrorForm {
        languages: &["algol68"],
        stream: Stream::Output,
        lines: &["a68g: runtime error: {#}: {cause}, in {..}"],
        ..PLAIN
    },
    ErrorForm {
        languages: &["bc"],
        lines: &["Runtime error (func={..}, adr={#}): {cause}"],
        goes_on: true,
        ..PLAIN
    },
    ErrorForm { languages: &["bc"], lines: &["({..}) {#}: {cause}"], goes_on: true, ..PLAIN },
    ErrorForm { languages: &["bun"], lines: &["error: {cause}"], ..PLAIN },
    ErrorForm { languages: &["clisp"], lines: &["*** - {cause}"], indented: true, ..PLAIN },
    ErrorForm {
        languages: &["clojure"],
        lines: &["Execution error ({name}) at {..}", "{cause}"],
        ..PLAIN
    },
    ErrorForm { languages: &["clojure"], lines: &["Execution error at {..}", "{cause}"], ..PLAIN },
    ErrorForm { languages: &["dc"], lines: &["dc: {cause}"], goes_on: true, ..PLAIN },
    ErrorForm { languages: &["deno"], lines: &["error: Uncaught (in promise) {cause}"], ..PLAIN },
    ErrorForm { languages: &["deno"], lines: &["error: Uncaught {cause}"], ..PLAIN },
    ErrorForm {
        languages: &["ecl"],
        lines: &["An error occurred during initialization:", "{cause}"],
        indented: true,
        ..PLAIN
    },
    ErrorForm { languages: &["elixir", "elixirscript"], lines: &["** ({name}) {cause}"], ..PLAIN },
    ErrorForm {
        languages: &["erlang"],
        lines: &["init terminating in do_boot ({cause})"],
        ..PLAIN
    },
    ErrorForm { languages: &["forth"], lines: &["{..}:{#}: {cause}", ">>>{..}<<<"], ..PLAIN },
    ErrorForm { languages: &["awk", "gawk"], lines: &["{..}awk: {..} fatal: {cause}"], ..PLAIN },
    ErrorForm {
        languages: &["gprolog"],
        stream: Stream::Output,
        lines: &["system_error(cannot_catch_throw({cause}))"],
        goes_on: true,
        ..PLAIN
    },
    ErrorForm { languages: &["guile"], lines: &["  {#}. &message: {cause}"], ..PLAIN },
    ErrorForm { languages: &["guile"], lines: &["{..}In procedure {cause}"], ..PLAIN },
    ErrorForm { languages: &["guile"], lines: &["ERROR: {cause}"], ..PLAIN },
    ErrorForm { languages: &["haskell"], lines: &["program: {cause}"], ..PLAIN },
    ErrorForm {
        languages: &["haxe"],
        lines: &["Uncaught exception - {..}__exceptionMessage => {cause}, value => {..}"],
        ..PLAIN
    },
    ErrorForm { languages: &["haxe"], lines: &["Uncaught exception - {cause}"], ..PLAIN },
    ErrorForm {
        languages: &["icon"],
        lines: &[
            "Run-time error {#}",
            "File {..}; Line {#}",
            "{cause}",
            "offending value: {cause}",
        ],
        ..PLAIN
    },
    ErrorForm {
        languages: &["icon"],
        lines: &["Run-time error {#}", "File {..}; Line {#}", "{cause}"],
        ..PLAIN
    },
    ErrorForm {
        languages: JAVASCRIPT,
        lines: &["{name} [{..}]: {cause}"],
        except: &[" {..}"],
        ..PLAIN
    },
    ErrorForm {
        languages: JAVASCRIPT,
        lines: &[
            "{cause}",
            "(Use `node --trace-uncaught ...` to show where the exception was thrown)",
        ],
        ..PLAIN
    },
    ErrorForm { languages: &["luajit"], lines: &["{..}luajit: {..}:{#}: {cause}"], ..PLAIN },
    ErrorForm {
        languages: &["modula2"],
        lines: &["{..}.mod:{#}:{#}:{cause}"],
        except: &["{..}.mod:{#}:{#}: In {..}"],
        ..PLAIN
    },
    ErrorForm {
        languages: &["objectivec"],
        lines: &["{..}: Uncaught exception {name}, reason: {cause}"],
        ..PLAIN
    },
    ErrorForm {
        languages: &["octave"],
        lines: &["error: {cause}"],
        except: &["error: called from"],
        ..PLAIN
    },
    ErrorForm {
        languages: &["pike"],
        lines: &["{cause}", "Unknown program: {..}"],
        except: &["Unknown program: {..}", "{..}:{#}: {..}"],
        ..PLAIN
    },
    ErrorForm {
        languages: &["pike"],
        lines: &["{cause}", "{..}:{#}: {..}"],
        except: &["Unknown program: {..}", "{..}:{#}: {..}"],
        ..PLAIN
    },
    ErrorForm {
        languages: &["racket"],
        lines: &["{cause}"],
        except: &["", " {..}"],
        indented: true,
        until: Some("  context...:"),
        ..PLAIN
    },
    ErrorForm { languages: &["raku"], lines: &["{cause}  Did you mean", "{..}?"], ..PLAIN },
    ErrorForm {
        languages: &["raku"],
        lines: &["{cause}", "  in {..} line {#}"],
        except: &["Actually thrown at:", " {..}"],
        ..PLAIN
    },
    ErrorForm {
        languages: &["vala"],
        lines: &["** (process:{#}): ERROR **: {..}: {..}:{#}: {cause}"],
        ..PLAIN
    },
    ErrorForm {
        languages: &["vala"],
        lines: &["** (process:{#}): CRITICAL **: {..}: {cause}"],
        goes_on: true,
        ..PLAIN
    },
    ErrorForm { languages: &["vala"], lines: &["ERROR:{..}:{#}:{..}: {cause}"], ..PLAIN },
];
