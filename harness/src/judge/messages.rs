//! What runtimes print about the error that ends a program, found by the [forms] of their messages.

mod forms;

pub(super) use forms::Stream;
use forms::{ErrorForm, TABLE};

/// The cause that a runtime of this language printed on a stream, if it has one of the forms. `goes_on`: only the forms after which
/// a program goes on.
pub(super) fn cause_in(
    language: &str,
    stream: Stream,
    goes_on: bool,
    printed: &[u8],
) -> Option<String> {
    let forms = TABLE.iter().filter(|form| {
        form.stream == stream && form.languages.contains(&language) && (form.goes_on || !goes_on)
    });
    let text = String::from_utf8_lossy(printed);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    forms.into_iter().find_map(|form| {
        // What the runtime prints is behind what the program has printed.
        (0..lines.len()).rev().find_map(|at| form.cause_at(&lines[at..]))
    })
}

/// Whether a text has a line of this form.
pub(super) fn has_line(form: &str, printed: &[u8]) -> bool {
    String::from_utf8_lossy(printed).lines().any(|line| causes(form, line).is_some())
}

/// Whether a runtime of this language prints something like that on standard output.
pub(super) fn is_on_output(language: &str) -> bool {
    TABLE.iter().any(|form| form.stream == Stream::Output && form.languages.contains(&language))
}

impl ErrorForm {
    /// The cause in a message that starts with the first of these lines.
    fn cause_at(&self, lines: &[&str]) -> Option<String> {
        let first = lines.first()?;
        if self.except.iter().any(|form| causes(form, first).is_some()) {
            return None;
        }
        let mut found = Vec::new();
        for (index, form) in self.lines.iter().enumerate() {
            found.extend(causes(form, lines.get(index)?)?);
        }
        let mut cause = found.join(": ");
        let mut following = lines[self.lines.len()..].iter().map(|line| line.trim_start());
        // The text of an exception is sometimes a paragraph of its own.
        while cause.ends_with(':')
            && let Some(next) = following.find(|line| !line.is_empty())
        {
            cause = format!("{cause} {next}");
        }
        if self.indented {
            let rest = &lines[self.lines.len()..];
            let all = rest.iter().take_while(|line| line.starts_with(' ')).count();
            let until = |end: &str| rest[..all].iter().position(|line| *line == end);
            let of_cause = self.until.map_or(Some(all), until)?;
            let more = rest[..of_cause].iter().map(|line| line.trim_start());
            cause = more.fold(cause, |cause, line| format!("{cause} {line}"));
        }
        Some(without_addresses(&cause))
    }
}

/// The causes in a line of this form; `None`: it has another form.
fn causes<'a>(form: &str, line: &'a str) -> Option<Vec<&'a str>> {
    let (mut form, mut line) = (form, line);
    let mut found = Vec::new();
    loop {
        let (literal, hole) = until_hole(form);
        line = line.strip_prefix(literal)?;
        let Some((hole, after)) = hole else {
            return line.is_empty().then_some(found);
        };
        form = after;
        let (literal, next) = until_hole(form);
        let length = match hole {
            "{#}" => line.bytes().take_while(u8::is_ascii_digit).count(),
            _ if literal.is_empty() => line.len(),
            _ if next.is_none() => line.len().checked_sub(literal.len())?,
            _ => line.find(literal)?,
        };
        let text = line.get(..length).filter(|text| !text.is_empty() || hole == "{..}")?;
        line = &line[length..];
        let is_part = |c: char| c.is_alphanumeric() || "_.$".contains(c);
        match hole {
            "{name}" if !text.chars().all(is_part) => return None,
            "{name}" | "{cause}" => found.push(text),
            _ => {}
        }
    }
}

/// What a form has before its first hole, the hole, and what it has behind that.
fn until_hole(form: &str) -> (&str, Option<(&str, &str)>) {
    let holes = ["{cause}", "{name}", "{..}", "{#}"]
        .iter()
        .filter_map(|hole| Some((form.find(hole)?, hole.len())));
    match holes.min() {
        Some((at, length)) => (&form[..at], Some((&form[at..at + length], &form[at + length..]))),
        None => (form, None),
    }
}

/// The least number of digits of an address.
const ADDRESS: usize = 8;

/// A text without addresses: they differ between runs.
fn without_addresses(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("0x") {
        let digits = after.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits < ADDRESS {
            out.extend([before, "0x", &after[..digits]]);
        } else {
            out.push_str(before.trim_end());
        }
        rest = &after[digits..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A language, what its runtime printed on standard error, and the cause.
    const PRINTED: [(&str, &str, &str); 33] = [
        (
            "bun",
            "2 | throw new Error(\"sorry\");\n              ^\nerror: sorry\n      at a.bun:2:11\n\nBun v1.4.5 (Linux x64)\n",
            "sorry",
        ),
        (
            "clisp",
            "\n*** - PARSE-INTEGER: substring \"five\" does not have integer syntax at position\n      0\n",
            "PARSE-INTEGER: substring \"five\" does not have integer syntax at position 0",
        ),
        ("clisp", "\n*** - Lisp stack overflow. RESET\n", "Lisp stack overflow. RESET"),
        (
            "clojure",
            "{:clojure.main/message\n \"Execution error (ArithmeticException) at user/eval136 (a.clj:2).\\n/ by zero\\n\",\n  :phase \
                 :execution}}\n\nExecution error (ArithmeticException) at user/eval136 (a.clj:2).\n/ by zero\n",
            "ArithmeticException: / by zero",
        ),
        ("clojure", "Execution error at user/eval3 (raise.clj:2).\nsorry\n", "sorry"),
        (
            "deno",
            "error: Uncaught (in promise) AssertionError: The expression evaluated to a falsy value:\n\n  assert(n > \
                 0)\n\nassert(n > 0);\n^\n    at a.deno:3:1\n",
            "AssertionError: The expression evaluated to a falsy value: assert(n > 0)",
        ),
        (
            "ecl",
            "An error occurred during initialization:\n#<a DIVISION-BY-ZERO 0x7ff76c73bb00>.\n",
            "#<a DIVISION-BY-ZERO>.",
        ),
        (
            "elixir",
            "** (ArgumentError) errors were found at the given arguments:\n\n  * 1st argument: not a textual representation of an \
                 integer\n\n    :erlang.binary_to_integer(\"five\")\n",
            "ArgumentError: errors were found at the given arguments: * 1st argument: not a textual representation of an integer",
        ),
        (
            "erlang",
            "init terminating in do_boot ({badarith,[{erlang,div,[100,0],[{_}]},{zero,main,0,[{_},{_}]}]})\n",
            "{badarith,[{erlang,div,[100,0],[{_}]},{zero,main,0,[{_},{_}]}]}",
        ),
        (
            "forth",
            "\nin file included from *OS command line*:-1\na.fth:3: Division by zero\n>>>main<<<\nBacktrace:\n$7FB7C661B598 / \n",
            "Division by zero",
        ),
        (
            "gawk",
            "gawk: a.gawk:2: (FILENAME=- FNR=1) fatal: division by zero attempted\n",
            "division by zero attempted",
        ),
        (
            "guile",
            "Backtrace:\n           1 (primitive-load \"a.scm\")\nIn ice-9/boot-9.scm:\n   2007:7  0 (error _ . _)\n\n\
                 ice-9/boot-9.scm:2007:7: In procedure error:\nsorry\n",
            "error: sorry",
        ),
        (
            "guile",
            "ERROR: In procedure +:\nIn procedure +: Wrong type argument in position 1: five\n",
            "+: Wrong type argument in position 1: five",
        ),
        (
            "guile",
            "ERROR: In procedure primitive-load:\nERROR:\n  1. &assertion-failure\n  2. &message: \"assertion failed: (> n 0)\"\n",
            "\"assertion failed: (> n 0)\"",
        ),
        (
            "haskell",
            "program: sorry\nCallStack (from HasCallStack):\n  error, called at a.hs:4:8 in main:Main\n",
            "sorry",
        ),
        (
            "haxe",
            "Called from ? line 1\nUncaught exception - { __skipStack => 2, __previousException => null, __nativeException => ..., \
                 __exceptionMessage => sorry, value => sorry, __nativeStack => { skip => 1, stack => [] } }\n",
            "sorry",
        ),
        (
            "haxe",
            "Called from a.hx line 3\nUncaught exception - Stack Overflow\n",
            "Stack Overflow",
        ),
        (
            "icon",
            "\nRun-time error 102\nFile a.icn; Line 4\nnumeric expected\noffending value: \"five\"\nTraceback:\n   main()\n",
            "numeric expected: \"five\"",
        ),
        (
            "icon",
            "\nRun-time error 201\nFile a.icn; Line 2\ndivision by zero\nTraceback:\n   main()\n",
            "division by zero",
        ),
        (
            "javascript",
            "node:internal/assert/utils:281\n    throw err;\n    ^\n\nAssertionError [ERR_ASSERTION]: The expression evaluated to a \
                 falsy value:\n\n  assert(n > 0)\n\n    at Object.<anonymous> (a.js:3:1)\n",
            "AssertionError: The expression evaluated to a falsy value: assert(n > 0)",
        ),
        (
            "javascript",
            "a.js:1\nthrow \"sorry\";\n^\nsorry\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n\n\
                 Node.js v20.20.2\n",
            "sorry",
        ),
        (
            "luajit",
            "/usr/bin/luajit: ...d5a49be1804ac96908d37d845b4a373/files/a.luajit:2: sorry\nstack traceback:\n\t[C]: in function\n",
            "sorry",
        ),
        (
            "modula2",
            "RTExceptions.mod:684:35: In wholediv\nRTExceptions.mod:684:35:illegal whole value exception\n",
            "illegal whole value exception",
        ),
        ("objectivec", "program: Uncaught exception Failure, reason: sorry\n", "Failure: sorry"),
        (
            "octave",
            "error: assert (n > 0) failed\nerror: called from\n    assert at line 107 column 11\n    a.m at line 2 column 1\n",
            "assert (n > 0) failed",
        ),
        (
            "pike",
            "Division by zero.\nUnknown program: `/(100,0)\na.pike:3: /main()->main()\n",
            "Division by zero.",
        ),
        (
            "pike",
            "Index 5 is out of array range -2..1.\na.pike:1: /main()->f(5)\na.pike:2: /main()->main()\n",
            "Index 5 is out of array range -2..1.",
        ),
        (
            "racket",
            "+: contract violation\n  expected: number?\n  given: 'five\n  context...:\n   a.rkt:5:0\n   body of \"a.rkt\"\n",
            "+: contract violation expected: number? given: 'five",
        ),
        (
            "raku",
            "Attempt to divide 100 by zero using div\n  in block <unit> at a.raku line 2\n",
            "Attempt to divide 100 by zero using div",
        ),
        (
            "raku",
            "Use of Nil.Int coerced to empty string\n  in block <unit> at a.raku line 1\nNo such method 'chars' for invocant of type \
                 'Any'.  Did you mean\n'chrs'?\n  in block <unit> at a.raku line 4\n",
            "No such method 'chars' for invocant of type 'Any'.",
        ),
        (
            "raku",
            "Cannot convert string to number\n  in block <unit> at a.raku line 1\n\nActually thrown at:\n  in block <unit> at a.raku \
                 line 3\n",
            "Cannot convert string to number",
        ),
        ("vala", "\n** (process:2): ERROR **: 11:06:07.880: a.vala:3: sorry\n", "sorry"),
        (
            "vala",
            "**\nERROR:a.vala.c:80:_vala_main: assertion failed: (n > 0)\n",
            "assertion failed: (n > 0)",
        ),
    ];

    #[test]
    fn the_cause_is_found_as_each_runtime_prints_it() {
        for (language, printed, expected) in PRINTED {
            let found = cause_in(language, Stream::Error, false, printed.as_bytes());
            assert_eq!(found.as_deref(), Some(expected), "{language}: {printed}");
        }
        for form in TABLE.iter().filter(|form| form.stream == Stream::Error && !form.goes_on) {
            let is_shown = PRINTED.iter().any(|(language, printed, _)| {
                let lines: Vec<&str> = printed.lines().collect();
                form.languages.contains(language)
                    && (0..lines.len()).any(|at| form.cause_at(&lines[at..]).is_some())
            });
            assert!(is_shown, "no message above has the form {:?}", form.lines);
        }
    }

    #[test]
    fn a_program_may_go_on_after_some_errors() {
        let bc = "Runtime error (func=(main), adr=8): Divide by zero\n";
        let vala = "\n** (process:2): CRITICAL **: 11:06:07.975: int64_parse: assertion 'str != NULL' failed\n";
        for (language, printed, expected) in [
            ("bc", bc, "Divide by zero"),
            ("bc", "(standard_in) 1: syntax error\n", "syntax error"),
            ("dc", "dc: dc: stack empty\ndc: stack empty\n", "stack empty"),
            ("vala", vala, "int64_parse: assertion 'str != NULL' failed"),
        ] {
            let found = cause_in(language, Stream::Error, true, printed.as_bytes());
            assert_eq!(found.as_deref(), Some(expected), "{printed}");
        }
        // What a right program may print for its author.
        for (language, printed) in [("racket", "n = 3\n  context...:\n"), ("octave", "error: 3\n")]
        {
            assert_eq!(cause_in(language, Stream::Error, true, printed.as_bytes()), None);
        }
    }

    #[test]
    fn two_runtimes_print_their_messages_on_standard_output() {
        let genie = "4       print((whole(100 OVER n, 0), new line))\n                         1\na68g: runtime error: 1: attempt at INT \
            division by zero, numerical argument out of domain, in [] \"SIMPLOUT\" collateral-clause starting at \"(\" in this line.\n";
        let prolog = "before\n\nsystem_error(cannot_catch_throw(error(evaluation_error(zero_divisor),(is)/2)))\n";
        for (language, goes_on, printed, expected) in [
            (
                "algol68",
                false,
                genie,
                "attempt at INT division by zero, numerical argument out of domain",
            ),
            ("gprolog", true, prolog, "error(evaluation_error(zero_divisor),(is)/2)"),
        ] {
            assert!(is_on_output(language));
            let found = cause_in(language, Stream::Output, goes_on, printed.as_bytes());
            assert_eq!(found.as_deref(), Some(expected), "{printed}");
            assert_eq!(cause_in(language, Stream::Error, goes_on, printed.as_bytes()), None);
        }
        assert!(!is_on_output("c"));
    }

    #[test]
    fn what_a_form_does_not_describe_is_no_cause() {
        for (form, line, expected) in [
            ("a: {#}: {cause}", "a: 12: b", Some(vec!["b"])),
            ("a: {#}: {cause}", "a: : b", None),
            ("a: {#}: {cause}", "a: 12: ", None),
            ("({cause}) {cause}", "(a) b) c", Some(vec!["a", "b) c"])),
            ("{name} [{..}]: {cause}", "E1 [a]: b", Some(vec!["E1", "b"])),
            ("{name} [{..}]: {cause}", "an E1 [a]: b", None),
            ("in {..} line {#}", "in a line 3 line 4", None),
            ("<{cause}>", "<a>>", Some(vec!["a>"])),
            ("<{cause}>", "<a", None),
            ("<{cause}>", "<", None),
            ("{..}: {cause}", ": é", Some(vec!["é"])),
            ("", "", Some(vec![])),
        ] {
            assert_eq!(causes(form, line), expected, "{form} {line}");
        }
        assert_eq!(cause_in("no such language", Stream::Error, false, b"error: sorry\n"), None);
        assert_eq!(
            cause_in("icon", Stream::Error, false, b"Run-time error 102\nFile a; Line 4"),
            None
        );
        assert_eq!(cause_in("racket", Stream::Error, false, b"n = 3\n  m = 4\n"), None);
        assert_eq!(without_addresses("a 0x7ff76c73bb00> 0xff 0x"), "a> 0xff 0x");
    }

    #[test]
    fn an_endless_line_is_read_in_linear_time() {
        let line = "** (process:".repeat(100_000);
        assert_eq!(cause_in("vala", Stream::Error, false, line.as_bytes()), None);
    }
}
