//! Tools that are started outside the sandbox to determine their versions: no file of the judged repository chooses or
//! configures them.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::support::{Repo, skip_even_in_ci};

const SUM: &str = "fn main() { let mut text = String::new(); \
    std::io::Read::read_to_string(&mut std::io::stdin(), &mut text).unwrap(); \
    println!(\"{}\", text.split_whitespace().map(|n| n.parse::<i64>().unwrap()).sum::<i64>()); }\n";

/// Writes a trap: a program that leaves a file behind, and then runs the real program.
fn trap(repo: &Repo, path: &str, real: &str) {
    let trace = repo.path("owned");
    let script = format!("#!/bin/sh\n: > '{}'\nexec {real} \"$@\"\n", trace.display());
    repo.file(path, script);
    fs::set_permissions(repo.path(path), Permissions::from_mode(0o755)).unwrap();
}

/// Judges `repo` with a separate cache, so that every tool is started, and asserts that no trap was run.
fn judge(repo: &Repo, prepare: impl FnOnce(&mut Command)) {
    let mut command = repo.command(&["run", "solutions"]);
    command
        .env("REJUDGE_CACHE_DIR", repo.path("cache"))
        // `cargo test` sets these variables.
        .env_remove("RUSTUP_TOOLCHAIN");
    prepare(&mut command);
    let ran = repo.finish(&mut command);
    assert!(!repo.path("owned").exists(), "{}", ran.all());
    assert_eq!(ran.status, 0, "{}", ran.all());
}

/// The file for a name in `PATH`.
fn real(name: &str) -> Option<String> {
    let folders = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(name));
    Some(files.find(|file| file.is_file())?.to_str()?.to_owned())
}

#[test]
fn a_toolchain_file_of_the_repository_chooses_no_compiler() {
    if real("rustup").is_none() {
        skip_even_in_ci("there is no rustup");
        return;
    }
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM).file(
        "rust-toolchain.toml",
        format!("[toolchain]\npath = '{}'\n", repo.path("mine").display()),
    );
    trap(&repo, "mine/bin/rustc", "/bin/false");
    judge(&repo, |_| {});
}

#[test]
fn a_tool_that_reads_the_current_folder_is_not_started_there() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    // Like the proxies of rustup, pyenv, asdf and mise: a file in this folder or above it names the program.
    let proxy = format!(
        "#!/bin/sh\nfor at in \"$PWD\" . .. ../..; do [ -x \"$at/chosen\" ] && exec \"$at/chosen\" \"$@\"; done\n\
         exec {} \"$@\"\n",
        real("rustc").unwrap()
    );
    let tools = tempfile::tempdir().unwrap();
    let file = tools.path().join("rustc");
    fs::write(&file, proxy).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
    trap(&repo, "chosen", "/bin/false");
    judge(&repo, |command| {
        let before = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{before}", tools.path().display()));
    });
}

#[test]
fn relative_folders_in_the_path_are_ignored() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    for tool in ["rustc", "sh", "env", "bash", "valgrind", "git", "getconf"] {
        trap(&repo, tool, &real(tool).unwrap_or_else(|| "/bin/false".to_owned()));
        fs::copy(repo.path(tool), {
            fs::create_dir_all(repo.path("bin")).unwrap();
            repo.path("bin").join(tool)
        })
        .unwrap();
    }
    judge(&repo, |command| {
        let before = std::env::var("PATH").unwrap();
        command.env("PATH", format!(".:bin::{before}"));
    });
    let mut bench = repo.command(&["bench", "solutions", "--runs", "2"]);
    bench.env("PATH", format!(".:{}", std::env::var("PATH").unwrap()));
    let ran = repo.finish(&mut bench);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(!repo.path("owned").exists(), "{}", ran.all());
}

/// The command lines that judge, build or look for compilers; the last word is not repeated.
const STRICT: [&[&str]; 9] = [
    &["run", "solutions", "--sandbox", "strict"],
    &["exec", "solutions/sum/a.rs", "--sandbox", "strict"],
    &["verify", "--sandbox", "strict"],
    &["bench", "solutions", "--sandbox", "strict"],
    &["time", "--sandbox", "strict"],
    &["stress", "solutions/sum/a.rs", "--sandbox", "strict"],
    &["strength", "--sandbox", "strict"],
    &["languages", "--sandbox", "strict"],
    &["doctor", "--strict"],
];

#[test]
fn no_command_of_the_settings_runs_outside_the_sandbox_if_it_must_be_strict() {
    let repo = Repo::with_sum();
    let marker = repo.path("ran");
    let touches = format!("['sh', '-c', 'echo >>{}; rustc --version']", marker.display());
    repo.file("solutions/sum/a.rs", SUM).file(
        "rejudge.toml",
        format!("[languages.rust]\nversion = {touches}\nresolve = {touches}\n"),
    );
    for words in STRICT {
        let ran = repo.run(words);
        assert!(!marker.exists(), "{words:?}: {}", ran.all());
    }
    // It would be seen.
    repo.run(&["run", "solutions"]);
    assert!(marker.exists());
}

#[test]
fn commands_of_the_settings_outside_the_sandbox_are_a_warning_and_an_error_if_strict() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM)
        .file("rejudge.toml", "[languages.rust]\nversion = ['sh', '-c', 'rustc --version']\n");
    let told = "`version` of language `rust` in `rejudge.toml`";
    let ran = repo.run(&["run", "solutions"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stderr.contains(told), "{}", ran.all());
    let ran = repo.run(&["run", "solutions", "--sandbox", "off"]);
    assert!(!ran.stderr.contains(told), "{}", ran.all());
    let ran = repo.run(&["run", "solutions", "--sandbox", "strict"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    // On a machine with missing protections, strict isolation already fails because of those.
    let refused = ran.stderr.contains(told) || ran.stderr.contains("isolat");
    assert!(refused, "{}", ran.all());
}
