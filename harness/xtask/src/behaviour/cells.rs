//! The cells of the table: what each asks of a language, by which program, and under which limits.

/// The length of the line and of the list in the cells that ask about size.
const MANY: usize = 1_000_000;

/// The number of digits of the long integer.
const DIGITS: usize = 100_000;

/// A cell: a program that every language writes in its plain idiom, and the input that it gets.
pub(crate) struct Cell {
    /// The name of the cell, and of its package.
    pub(crate) id: &'static str,
    /// The row of the guide.
    pub(crate) title: &'static str,
    /// The name of the program without its extension.
    pub(crate) program: &'static str,
    pub(crate) memory_mib: u32,
    /// Far above what a program takes whose figure counts.
    pub(crate) time_limit: u32,
    pub(crate) input: fn() -> Vec<u8>,
    /// `None`: no answer is right, so a program that exits with 0 gets WA.
    pub(crate) answer: Option<fn() -> Vec<u8>>,
    pub(crate) figure: Figure,
    /// What the program prints before the error.
    pub(crate) printed_before: &'static str,
    pub(crate) wrapper: Option<Wrapper>,
}

/// The figure that a cell records. Figures are never compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Figure {
    None,
    CpuTime,
    Memory,
}

/// A shell script that runs the program, because rejudge alone does not show what the cell asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    /// The reader of standard output has ended. The exit status of the program is the output.
    ClosedOutput,
    /// Counts the threads while the program waits for its input.
    CountedThreads,
}

impl Wrapper {
    /// The script, as an argument of `bash -c` in `rejudge.toml`, where braces are doubled. Its arguments are the program.
    pub(crate) fn script(self) -> &'static str {
        match self {
            // `true` has ended long before a program has written a million lines to the pipe.
            Self::ClosedOutput => r#""$@" | true; echo ${{PIPESTATUS[0]}}"#,
            Self::CountedThreads => {
                r#"exec 3>&1; {{ sleep 2; n=0; for task in /proc/[0-9]*/task/[0-9]*; do id=${{task#/proc/}}; case ${{id%%/*}} in "$$"|"$BASHPID") ;; *) n=$((n + 1)) ;; esac; done; echo "$n" >&3; printf '5\nabc\n'; }} | "$@" >/dev/null"#
            }
        }
    }
}

const PLAIN: Cell = Cell {
    id: "",
    title: "",
    program: "",
    memory_mib: 2048,
    time_limit: 10,
    input: Vec::new,
    answer: None,
    figure: Figure::None,
    printed_before: "",
    wrapper: None,
};

/// The name of the program that is not among ours: the source in the table of languages that does nothing.
pub(crate) const EMPTY: &str = "empty";

/// All cells, in the order of the guide.
pub(crate) const CELLS: [Cell; 18] = [
    Cell { id: "zero", title: "division by zero", program: "zero", input: || text("0\n"), ..PLAIN },
    Cell {
        id: "raise",
        title: "uncaught error",
        program: "raise",
        printed_before: "before\n",
        ..PLAIN
    },
    Cell {
        id: "assert",
        title: "failed assertion",
        program: "assert",
        input: || text("0\n"),
        ..PLAIN
    },
    Cell {
        id: "stack",
        title: "endless recursion, 256 MiB",
        program: "deep",
        memory_mib: 256,
        input: || text("-1\n"),
        ..PLAIN
    },
    Cell {
        id: "memory",
        title: "endless allocation, 128 MiB",
        program: "memory",
        memory_mib: 128,
        ..PLAIN
    },
    Cell { id: "eof", title: "end of input", program: "read", ..PLAIN },
    Cell {
        id: "word",
        title: "a word instead of a number",
        program: "read",
        input: || text("five\nabc\n"),
        ..PLAIN
    },
    Cell {
        id: "closed",
        title: "closed output",
        program: "print",
        time_limit: 120,
        wrapper: Some(Wrapper::ClosedOutput),
        ..PLAIN
    },
    Cell {
        id: "line",
        title: "a line of 10⁶ characters",
        program: "read",
        input: || [text("5\n"), vec![b'x'; MANY], text("\n")].concat(),
        answer: Some(|| text("6\n1000000\n")),
        ..PLAIN
    },
    Cell {
        id: "digits",
        title: "an integer of 10⁵ digits",
        program: "digits",
        input: || [vec![b'9'; DIGITS], text("\n")].concat(),
        answer: Some(|| [text("1"), vec![b'0'; DIGITS], text("\n")].concat()),
        figure: Figure::CpuTime,
        time_limit: 120,
        ..PLAIN
    },
    Cell {
        id: "lines",
        title: "10⁶ lines read and written",
        program: "lines",
        input: || [text(&format!("{MANY}\n")), numbers()].concat(),
        answer: Some(numbers),
        figure: Figure::CpuTime,
        time_limit: 120,
        ..PLAIN
    },
    Cell {
        id: "deep5",
        title: "recursion 10⁵ deep",
        program: "deep",
        input: || text("100000\n"),
        answer: Some(|| text("100000\n")),
        ..PLAIN
    },
    Cell {
        id: "deep6",
        title: "recursion 10⁶ deep",
        program: "deep",
        input: || text("1000000\n"),
        answer: Some(|| text("1000000\n")),
        ..PLAIN
    },
    Cell {
        id: "threads",
        title: "threads and processes",
        program: "read",
        wrapper: Some(Wrapper::CountedThreads),
        ..PLAIN
    },
    Cell {
        id: "empty",
        title: "memory of an empty program",
        program: EMPTY,
        answer: Some(Vec::new),
        figure: Figure::Memory,
        ..PLAIN
    },
    Cell {
        id: "bom",
        title: "input starts with an encoding mark",
        program: "read",
        input: || text("\u{feff}5\nabc\n"),
        answer: Some(small),
        ..PLAIN
    },
    Cell {
        id: "crlf",
        title: "lines end with CR and LF",
        program: "read",
        input: || text("5\r\nabc\r\n"),
        answer: Some(small),
        ..PLAIN
    },
    Cell {
        id: "last",
        title: "the last line does not end",
        program: "read",
        input: || text("5\nabc"),
        answer: Some(small),
        ..PLAIN
    },
];

/// The cell of this name.
pub(crate) fn cell(id: &str) -> Option<&'static Cell> {
    CELLS.iter().find(|cell| cell.id == id)
}

fn text(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// The answer for `5` and `abc`.
fn small() -> Vec<u8> {
    text("6\n3\n")
}

fn numbers() -> Vec<u8> {
    let lines = (0..MANY).map(|n| format!("{}\n", n * 999_999_937 % 1_000_003));
    lines.collect::<String>().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_has_a_name_of_its_own() {
        let mut names = CELLS.map(|cell| cell.id).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CELLS.len());
        assert!(names.iter().all(|id| cell(id).is_some_and(|found| found.id == *id)));
    }

    #[test]
    fn the_large_inputs_are_as_large_as_their_titles_say() {
        let size = |id: &str| (cell(id).expect("a cell").input)().len();
        assert_eq!(size("line"), MANY + 3);
        assert_eq!(size("digits"), DIGITS + 1);
        let lines = (cell("lines").expect("a cell").input)();
        assert_eq!(lines.split(|byte| *byte == b'\n').count(), MANY + 2, "the count, and the end");
    }
}
