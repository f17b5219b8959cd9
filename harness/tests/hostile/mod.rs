//! Hostile sources, checkers that do what none should: the judge comes to a verdict, says why, and stays unharmed.

use std::path::Path;
use std::process::Command;

use crate::support::{Ran, Repo, skip};
use rejudge::sandbox::{Interrupt, Protection, Runner, RunnerOptions, work_base};

mod scripts;

const SUM: &str = "#include <stdio.h>\n\
    int main(void) { long a, b; return scanf(\"%ld %ld\", &a, &b) != 2 || printf(\"%ld\\n\", a + b) < 0; }\n";

/// Small enough to be reached soon.
const LIMITS: &str = "limits: {time_limit: 2, validation_time: 1, validation_memory: 64, validation_output: 1, \
    compilation_time: 3, compilation_memory: 256}\n";

fn gcc_is_there() -> bool {
    let found = ["gcc", "g++"].map(|tool| Command::new(tool).arg("--version").output().is_ok());
    if found.contains(&false) {
        skip("gcc or g++ is missing, so hostile sources are not compiled; install gcc and g++");
    }
    !found.contains(&false)
}

/// A problem of one case.
fn problem() -> Repo {
    let repo = Repo::new();
    let cases = [("secret/1", "1 2\n", "3\n")];
    repo.problem("sum", &format!("name: Sum\n{LIMITS}"), &cases);
    repo
}

/// Neither stream has anything on it that a terminal would obey.
fn assert_harmless(ran: &Ran, what: &str) {
    let harmful = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}');
    for stream in [&ran.stdout, &ran.stderr] {
        assert!(!stream.contains(harmful), "{what}: {stream:?}");
    }
}

/// Nothing of the judge's was written to.
fn assert_unharmed(repo: &Repo, what: &str) {
    let case = ["in", "ans"].map(|end| repo.read(&format!("cases/sum/data/secret/1.{end}")));
    assert_eq!(case, ["1 2\n", "3\n"], "{what}");
    let files = std::fs::read_dir(repo.path("cases/sum/data/secret")).unwrap();
    assert_eq!(files.count(), 2, "{what}");
}

/// Whether programs are kept from files that are not theirs, on this machine.
fn foreign_files_are_protected() -> bool {
    let base = work_base().unwrap();
    let options = RunnerOptions::new(base.path(), Interrupt::new().unwrap());
    let runner = Runner::start(&options).unwrap();
    let facts = runner.facts();
    facts.has(Protection::MountNamespace) || facts.has(Protection::Landlock)
}

#[test]
fn a_runaway_compiler_is_a_compile_error() {
    if !gcc_is_there() {
        return;
    }
    let endless = "#include \"/dev/zero\"\n";
    let templates = "template <unsigned N, unsigned M> struct T {\n\
         static constexpr unsigned v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v;\n};\n\
         template <unsigned M> struct T<0, M> { static constexpr unsigned v = M; };\n\
         int main() { return T<28, 1>::v; }\n";
    let errors = format!(
        "#define P(a, b) a##b\n#define Q(a, b) P(a, b)\n#define A {0}\n#define B {1}\n#define C {2}\nint main(void) {{ C }}\n",
        "Q(unknown_, __COUNTER__); ".repeat(32),
        "A ".repeat(64),
        "B ".repeat(64),
    );
    let large = "__asm__(\".data\\n.fill 300000000, 8, 1\\n\");\nint main(void) { return 0; }\n";
    let table: [(&str, &str, &[&str]); 4] = [
        ("zero.c", endless, &["memory", "longer than", "CPU time", "error"]),
        ("templates.cpp", templates, &["memory", "longer than", "CPU time"]),
        ("errors.c", &errors, &["printed more than", "longer than", "CPU time", "memory"]),
        (
            "large.c",
            large,
            &["signal", "File size", "memory", "longer than", "CPU time", "too large", "No space"],
        ),
    ];
    for (name, source, reasons) in table {
        let repo = problem();
        repo.file(&format!("solutions/sum/{name}"), source);
        let ran = repo.run(&[]);
        let all = ran.all();
        assert_eq!(ran.status, 1, "{name}: {all}");
        assert!(ran.stdout.contains("got CE"), "{name}: {all}");
        assert!(reasons.iter().any(|reason| ran.stdout.contains(reason)), "{name}: {all}");
        assert!(all.len() < 16 << 10, "{name}: {} bytes are said", all.len());
        assert_harmless(&ran, name);
    }
}

#[test]
fn a_compiler_cannot_be_made_to_read_the_answer() {
    if !gcc_is_there() {
        return;
    }
    if !foreign_files_are_protected() {
        skip("neither namespaces nor Landlock are here to keep a compiler from the answers");
        return;
    }
    let by_include = "#include <stdio.h>\nint main(void) { printf(\"%d\\n\",\n#include \"ANSWER\"\n); return 0; }\n";
    let by_assembler = "#include <stdio.h>\n\
         __asm__(\".data\\nanswer: .incbin \\\"ANSWER\\\"\\n.byte 0\\n\");\n\
         extern char answer[];\nint main(void) { puts(answer); return 0; }\n";
    for source in [by_include, by_assembler] {
        let repo = problem();
        let answer = repo.path("cases/sum/data/secret/1.ans");
        let source = source.replace("ANSWER", answer.to_str().unwrap());
        repo.file("solutions/sum/a.c", source);
        let ran = repo.run(&[]);
        assert!(ran.stdout.contains("got CE"), "{}", ran.all());
        assert_unharmed(&repo, "a compiler");
    }
}

/// An output validator in C that does this; `feedback` is its folder.
fn validator(body: &str) -> String {
    format!(
        "#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         #include <sys/stat.h>\n#include <unistd.h>\n\
         int main(int argc, char **argv) {{\n    (void)argc;\n    if (chdir(argv[3])) return 9;\n    {body}\n}}\n"
    )
}

#[test]
fn a_checker_that_misbehaves_is_a_judge_error() {
    if !gcc_is_there() {
        return;
    }
    let table = [
        ("for (;;) pause();", "exceeded its wall time limit"),
        ("for (volatile int i = 0;; i++);", "exceeded its CPU time limit"),
        ("for (;;) fork();", "exceeded its "), // of processes; on a busy machine the CPU time may go first
        ("for (;;) puts(\"and so on\");", "exceeded its output limit"),
        (
            "for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); *(volatile char *)p; }",
            "exceeded its memory limit",
        ),
        ("raise(SIGSEGV);", "was killed by signal 11"),
        ("kill(0, SIGKILL); pause();", "was killed by signal 9"),
        (
            "FILE *f = fopen(\"judgemessage.txt\", \"w\"); for (;;) fputs(\"and so on\\n\", f);",
            "was killed by signal 25",
        ),
    ];
    for (body, words) in table {
        let repo = problem();
        if words.contains("CPU time") {
            // Twenty times as much wall time: what spins is over its CPU time first on a busy machine, too.
            let short = LIMITS.replace("validation_time: 1", "validation_time: 0.1");
            repo.problem("sum", &format!("name: Sum\n{short}"), &[]);
        }
        repo.file("solutions/sum/a.c", SUM)
            .file("cases/sum/output_validator/check.c", validator(body));
        let ran = repo.run(&[]);
        assert_eq!(ran.status, 2, "{body}: {}", ran.all());
        assert!(ran.stdout.contains("got JE"), "{body}: {}", ran.all());
        assert!(ran.stdout.contains(words), "{body}: {}", ran.all());
        assert_harmless(&ran, body);
        assert_unharmed(&repo, body);
    }
}

#[test]
fn files_of_a_checker_are_not_trusted() {
    if !gcc_is_there() {
        return;
    }
    let rejects = [
        "symlink(\"/etc/passwd\", \"judgemessage.txt\");",
        "mkfifo(\"judgemessage.txt\", 0600);",
        "mkdir(\"judgemessage.txt\", 0700);",
        "symlink(\"/dev/zero\", \"judgemessage.txt\"); symlink(\"/dev/zero\", \"teammessage.txt\");",
        "chdir(\"..\"); rename(\"feedback\", \"elsewhere\"); symlink(\"/etc\", \"feedback\");",
        "FILE *f = fopen(\"judgemessage.txt\", \"w\"); \
         fputs(\"\\033[2J\\033]0;owned\\007\\xff\\xfe\\r\\xe2\\x80\\xae\", f); fwrite(\"\\0\\0\", 2, 1, f); fclose(f);",
        "int fd = open(\"judgemessage.txt\", O_CREAT | O_WRONLY, 0); write(fd, \"unreadable\", 10);",
        "if (fork() == 0) { setsid(); for (;;) pause(); }",
    ];
    for body in rejects {
        let repo = problem();
        let source = validator(&format!("{body} return 43;"));
        repo.file("solutions/sum/wrong_answer/a.c", SUM)
            .file("cases/sum/output_validator/check.c", source);
        let ran = repo.run(&["-v"]);
        assert_eq!(ran.status, 0, "{body}: {}", ran.all());
        assert!(ran.stdout.contains("WA"), "{body}: {}", ran.all());
        assert!(!ran.stdout.contains("root:"), "{body}: {}", ran.all());
        assert_harmless(&ran, body);
        // Unexpected, everything that it said is shown.
        let loud = problem();
        let source = validator(&format!("{body} return 43;"));
        loud.file("solutions/sum/a.c", SUM).file("cases/sum/output_validator/check.c", source);
        let ran = loud.run(&["--json", "report.json", "--junit", "report.xml"]);
        assert_eq!(ran.status, 1, "{body}: {}", ran.all());
        assert!(!ran.all().contains("root:"), "{body}: {}", ran.all());
        assert_harmless(&ran, body);
        for report in ["report.json", "report.xml"] {
            let text = loud.read(report);
            let harmful = |c: char| c.is_control() && c != '\n' && c != '\t';
            assert!(!text.contains(harmful), "{body}: {text:?}");
        }
    }
}

#[test]
fn a_checker_cannot_change_the_case() {
    if !gcc_is_there() {
        return;
    }
    if !foreign_files_are_protected() {
        skip("neither namespaces nor Landlock are here to keep a checker from the cases");
        return;
    }
    let body = "for (int i = 1; i < 3; i++) { truncate(argv[i], 0); unlink(argv[i]); \
                FILE *f = fopen(argv[i], \"w\"); if (f) fputs(\"9\\n\", f), fclose(f); chmod(argv[i], 0); } \
                return 42;";
    let repo = problem();
    repo.file("solutions/sum/a.c", SUM).file("cases/sum/output_validator/check.c", validator(body));
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_unharmed(&repo, "a checker");
}

#[test]
fn bytes_of_any_kind_are_a_wrong_answer_and_never_obeyed() {
    if !gcc_is_there() {
        return;
    }
    let outputs: [&[u8]; 5] = [
        b"3\0\n",
        b"\xff\xfe3\n",
        b"\x1b[2J\x1b]0;owned\x07 3\n",
        b"\xe2\x80\xae3\r\x9b2J\n",
        &[b'\0'; 4096],
    ];
    for output in outputs {
        let bytes: Vec<String> = output.iter().map(u8::to_string).collect();
        let source = format!(
            "#include <unistd.h>\nint main(void) {{\n    static const unsigned char text[] = {{{0}}};\n    \
             return write(1, text, sizeof text) < 0 || write(2, text, sizeof text) < 0;\n}}\n",
            bytes.join(", ")
        );
        let repo = problem();
        repo.file("solutions/sum/a.c", source);
        let ran = repo.run(&["--json", "report.json", "--junit", "report.xml"]);
        assert_eq!(ran.status, 1, "{}", ran.all());
        assert!(ran.stdout.contains("got WA"), "{}", ran.all());
        assert_harmless(&ran, &format!("{output:?}"));
        for line in repo.read("report.json").lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
        let harmful = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!repo.read("report.xml").contains(harmful));
    }
}

#[test]
fn an_input_validator_that_misbehaves_is_an_error_and_not_a_pass() {
    if !gcc_is_there() {
        return;
    }
    // Only what is over at once: `verify` asks a validator many times.
    let table =
        ["fputs(\"\\033]0;owned\\007\", stderr); raise(SIGSEGV);", "kill(0, SIGKILL); pause();"];
    for body in table {
        let repo = problem();
        let source = validator(body).replace("if (chdir(argv[3])) return 9;", "(void)argv;");
        repo.file("solutions/sum/a.c", SUM).file("cases/sum/input_validators/check.c", source);
        let ran = repo.run(&["verify"]);
        assert_ne!(ran.status, 0, "{body}: {}", ran.all());
        assert!(ran.all().contains("secret/1"), "{body}: {}", ran.all());
        assert_harmless(&ran, body);
        assert_unharmed(&repo, body);
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_program_of_32_bits_is_a_judge_error_with_the_reason() {
    if !gcc_is_there() {
        return;
    }
    let repo = Repo::with_sum();
    let language = "[languages.c]\n\
        compile = ['gcc', '-m32', '-nostdlib', '-static', '-o', '{binary}', '{source}']\n";
    let source = "void _start(void) { __asm__(\"int $0x80; hlt\" : : \"a\"(1), \"b\"(0)); }\n";
    repo.file("rejudge.toml", language).file("solutions/sum/a.c", source);
    let ran = repo.run(&["--case", "sample/1"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    // Otherwise the kernel itself refuses it.
    if Path::new("/proc/sys/abi/vsyscall32").exists() {
        let why = "sample/1  JE  `program` is a 32-bit program, and the sandbox permits no system calls of these; \
            compile it for 64 bits, without `-m32`";
        assert!(ran.stdout.contains(why), "{}", ran.all());
    }
}
