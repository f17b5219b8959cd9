//! The schema, the limits and the root of a repository.

use super::*;

#[test]
fn reads_every_key() {
    let config = Config::parse(
        "include = [\"lib\"]\n[defaults]\ntime_limit = 2\nwall_limit = 4.5\nmemory_limit = 256\n\
         output_limit = 16\njobs = 3\nfail_fast = \"submission\"\nchecker = \"exact\"\n[problems.a]\ntime_limit = 1\n\
         [languages.zig]\nextensions = [\"zig\"]\n",
        FILE_NAME,
    )
    .unwrap();
    assert_eq!(config.include, [PathBuf::from("lib")]);
    assert_eq!(config.defaults.time_limit, Some(Duration::from_secs(2)));
    assert_eq!(config.defaults.wall_limit, Some(Duration::from_millis(4500)));
    assert_eq!(config.defaults.memory_limit, Some(Bytes::mib(256)));
    assert_eq!(config.defaults.output_limit, Some(Bytes::mib(16)));
    assert_eq!(config.defaults.jobs, Some(3));
    assert_eq!(config.defaults.fail_fast, FailFast::Submission);
    assert_eq!(config.problems["a"].time_limit, Some(Duration::from_secs(1)));
    assert!(config.languages.contains_key("zig"));
    assert!(Config::parse("", FILE_NAME).is_ok());
}

#[test]
fn limits_may_have_units() {
    let text = "[defaults]\ntime_limit = \"500ms\"\nwall_limit = \"2s\"\nmemory_limit = \"256MB\"\n\
                output_limit = \"512K\"\n";
    let defaults = Config::parse(text, FILE_NAME).unwrap().defaults;
    assert_eq!(defaults.time_limit, Some(Duration::from_millis(500)));
    assert_eq!(defaults.wall_limit, Some(Duration::from_secs(2)));
    assert_eq!(defaults.memory_limit, Some(Bytes::mib(256)));
    assert_eq!(defaults.output_limit, Some(Bytes(512 << 10)));
}

#[test]
fn the_kind_of_a_value_is_reported_in_the_words_of_the_file() {
    let table = [
        ("defaults = 3", "1:12: `defaults` must be a table, not the number `3`"),
        ("[defaults]\njobs = \"two\"", "2:8: `jobs` must be a whole number, not the text `two`"),
        (
            "[defaults]\nmemory_limit = { mib = 3 }",
            "2:16: `memory_limit` must be a whole number of MiB, or a text with a unit, not a table\n\
             help: write `memory_limit = 256` or `memory_limit = \"256M\"`",
        ),
        (
            "include = \"lib\"",
            "1:11: `include` must be a list of texts in quotes, not the text `lib`\n\
             help: write `include = [\"first\", \"second\"]`",
        ),
        (
            "[languages.rust]\ncompile = [\"rustc\", 2]",
            "2:21: `compile` must be a list of texts in quotes, not the number `2`\n\
             help: write `compile = [\"first\", \"second\"]`",
        ),
        (
            "[languages.x]\nsource_name = \"any\"",
            "2:15: `source_name` must be one of `own`, `fixed`, `java`, `kotlin`, `scala`, `erlang`, `elixir`, `haxe`, not the text `any`",
        ),
        ("problems = [1]", "1:12: `problems` must be a table, not a list"),
        ("[problems]\na = 2020-01-01", "2:5: `a` must be a table, not a date"),
        ("bench.level = true", "1:15: `level` must be a number, not `true`"),
    ];
    for (text, expected) in table {
        let error = Config::parse(text, FILE_NAME).unwrap_err().to_string();
        assert_eq!(error, format!("{FILE_NAME}:{expected}"));
    }
}

#[test]
fn every_fault_names_its_line() {
    let table = [
        ("\ninclud = []", "rejudge.toml:2:1: unknown key `includ`\nhelp: did you mean `include`?"),
        (
            "[defaults]\ntime_limt = 1",
            "rejudge.toml:2:1: unknown key `time_limt`\nhelp: did you mean `time_limit`?",
        ),
        (
            "[problems.a]\nxyz = 1",
            "rejudge.toml:2:1: unknown key `xyz`\nhelp: known keys: `time_limit`, `wall_limit`, \
             `memory_limit`, `output_limit`, `checker`, `interactor`, `input_file`, `output_file`",
        ),
        (
            "[defaults]\ntime_limit = -1",
            "rejudge.toml:2:14: a limit must be greater than zero, got `-1`",
        ),
        (
            "[problems.a]\ninput_file = \"../a.in\"",
            "rejudge.toml:2:14: `../a.in` is not a valid file name; write for example `sum.in`",
        ),
        ("[defaults]\njobs = 0", "rejudge.toml:2:8: `jobs` must be from 1 to 4096, got `0`"),
        (
            "[defaults]\nmemory_limit = 0",
            "rejudge.toml:2:16: a limit must be a whole number of MiB from 1 to 1048576, got `0`",
        ),
        (
            "[defaults]\ntime_limit = \"soon\"",
            "rejudge.toml:2:14: `soon` is not understood; write for example `2`, `2s` or `500ms`",
        ),
        (
            "[defaults]\nmemory_limit = \"9 parsecs\"",
            "rejudge.toml:2:16: `9 parsecs` is not understood; write for example `256`, `256M` or `2G`",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(Config::parse(text, FILE_NAME).unwrap_err().to_string(), expected);
    }
}

#[test]
fn the_nearest_sign_of_a_repository_counts() {
    let dir = tempfile::tempdir().unwrap();
    let deep = dir.path().join("a/solutions/p");
    std::fs::create_dir_all(&deep).unwrap();
    std::fs::create_dir_all(dir.path().join("a/cases")).unwrap();
    let root = |start: &Path| Repository::locate(start).unwrap().map(|found| found.root);
    assert_eq!(root(&deep), Some(dir.path().join("a")));
    std::fs::write(dir.path().join(FILE_NAME), "").unwrap();
    assert_eq!(root(&deep), Some(dir.path().to_path_buf()));
}
