//! Unit tests.

use super::*;
use crate::notice::Notice;
use std::io::Write as _;
use zip::write::SimpleFileOptions;

fn zipped(files: &[(&str, &[u8])]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut writer = zip::ZipWriter::new(file.reopen().unwrap());
    for (name, bytes) in files {
        let options = SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap();
    file
}

fn unzip(files: &[(&str, &[u8])], bounds: Bounds) -> Result<Vec<String>, Notice> {
    let archive = zipped(files);
    let folder = tempfile::tempdir().unwrap();
    extract(archive.path(), folder.path(), bounds).map_err(|error| error.notice("f"))?;
    let walk = walkdir::WalkDir::new(folder.path()).sort_by_file_name();
    let files = walk.into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    Ok(files
        .map(|entry| {
            let path = entry.path().strip_prefix(folder.path()).unwrap();
            path.to_str().unwrap().to_owned()
        })
        .collect())
}

#[test]
fn unpacks_cases_and_skips_ignored_files() {
    let files: [(&str, &[u8]); 6] = [
        ("a/1.in", b"1"),
        ("a\\1.out", b"2"),
        ("__MACOSX/a/1.in", b"?"),
        ("a/.DS_Store", b"?"),
        ("a/.timelimit", b"3"),
        ("./b", b""),
    ];
    let expected: Vec<String> =
        ["a/.timelimit", "a/1.in", "a/1.out", "b"].map(str::to_owned).into();
    assert_eq!(unzip(&files, BOUNDS), Ok(expected));
}

#[test]
fn refuses_names_outside_the_archive() {
    let long = "n".repeat(4000);
    let deep = "n/".repeat(2000) + "n";
    let table: [(&str, &str); 10] = [
        (&long, "longer than file systems allow"),
        (&deep, "longer than file systems allow"),
        ("a/1.in/x", "is in `a/1.in`, which is a file"),
        ("a", "is both a file and a folder"),
        ("../x", "leads out"),
        ("a/../../x", "leads out"),
        ("..\\x", "leads out"),
        ("/etc/x", "absolute"),
        ("C:\\x", "absolute"),
        ("A/1.in", "same name as `a/1.in` on many systems"),
    ];
    for (name, why) in table {
        let error = unzip(&[("a/1.in", b"1"), (name, b"x")], BOUNDS).unwrap_err();
        assert!(error.message.contains(why), "{name}: {error}");
        assert!(error.help.is_some(), "{name}: {error}");
    }
}

#[test]
fn refuses_duplicate_names() {
    let archive = zipped(&[("a/1.in", b"1"), ("b", b""), ("a/2.in", b"22")]);
    let mut bytes = fs::read(archive.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    assert!(extract(archive.path(), folder.path(), BOUNDS).is_ok());
    for at in 0..bytes.len() - 6 {
        if bytes[at..].starts_with(b"a/2.in") {
            bytes[at + 2] = b'1';
        }
    }
    fs::write(archive.path(), bytes).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let error = extract(archive.path(), folder.path(), BOUNDS).unwrap_err();
    assert!(error.to_string().contains("its entry `a/1.in` appears twice"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The files of an archive with the files `a/1.in` and `b/2.in` and these links.
fn with_links(links: &[(&str, &str)], bounds: Bounds) -> Result<Vec<String>, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut writer = zip::ZipWriter::new(file.reopen().unwrap());
    let options = SimpleFileOptions::default();
    for (name, target) in links {
        writer.add_symlink(*name, *target, options).unwrap();
    }
    for name in ["a/1.in", "b/2.in"] {
        writer.start_file(name, options).unwrap();
        writer.write_all(name.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    extract(file.path(), folder.path(), bounds).map_err(|error| error.to_string())?;
    let walk = walkdir::WalkDir::new(folder.path()).sort_by_file_name();
    let entries = walk.into_iter().map(Result::unwrap).filter(|entry| !entry.file_type().is_dir());
    let shown = entries.map(|entry| {
        assert!(entry.file_type().is_file(), "{}", entry.path().display());
        let below = entry.path().strip_prefix(folder.path()).unwrap();
        let text = fs::read_to_string(entry.path()).unwrap();
        format!("{} {text}", below.display())
    });
    Ok(shown.filter(|line| !matches!(line.as_str(), "a/1.in a/1.in" | "b/2.in b/2.in")).collect())
}

/// Links with their targets, and the files that they become, each with its text.
type Copied = (&'static [(&'static str, &'static str)], &'static [&'static str]);

#[test]
fn links_that_stay_inside_become_copies() {
    let table: [Copied; 6] = [
        (&[("b/1.in", "../a/1.in")], &["b/1.in a/1.in"]),
        (&[("x", "y"), ("y", "./a/1.in")], &["x a/1.in", "y a/1.in"]),
        (&[("c", "a")], &["c/1.in a/1.in"]),
        (&[("c", "a"), ("d/e", "../c/1.in")], &["c/1.in a/1.in", "d/e a/1.in"]),
        (&[("c", "d"), ("d/e", "../b")], &["c/e/2.in b/2.in", "d/e/2.in b/2.in"]),
        (&[(".hidden", "/etc/passwd")], &[]),
    ];
    for (links, expected) in table {
        let expected: Vec<String> = expected.iter().map(|&line| line.to_owned()).collect();
        assert_eq!(with_links(links, BOUNDS), Ok(expected), "{links:?}");
    }
}

#[test]
fn links_that_lead_elsewhere_are_refused() {
    let table: [(&[(&str, &str)], &str); 12] = [
        (&[("x", "/etc/passwd")], "absolute"),
        (&[("x", "C:\\secret")], "absolute"),
        (&[("x", "../secret")], "out of the archive"),
        (&[("x", "a/../../secret")], "out of the archive"),
        (&[("x", "a"), ("y", "x/../../secret")], "out of the archive"),
        (&[("x", "nothing")], "nowhere"),
        (&[("x", "x")], "back to itself"),
        (&[("x", "y"), ("y", "x")], "back to itself"),
        (&[("a/x", "..")], "back to itself"),
        (&[("a/x", "../b"), ("b/y", "../a")], "back to itself"),
        (&[("a", "b")], "name of another entry"),
        (&[("A/1.in", "../b/2.in")], "on many systems"),
    ];
    for (links, expected) in table {
        let error = with_links(links, BOUNDS).unwrap_err();
        assert!(error.contains(expected), "{links:?}: {error}");
    }
}

#[test]
fn copies_count_like_other_files() {
    let links: Vec<(String, String)> = (0..20)
        .map(|n| {
            [
                (format!("d{n}/x"), format!("../d{}", n + 1)),
                (format!("d{n}/y"), format!("../d{}", n + 1)),
            ]
        })
        .chain([[("d20".to_owned(), "a".to_owned()), ("z".to_owned(), "a".to_owned())]])
        .flatten()
        .collect();
    let links: Vec<(&str, &str)> =
        links.iter().map(|(link, target)| (link.as_str(), target.as_str())).collect();
    let bounds = Bounds { entries: 1000, ..BOUNDS };
    let error = with_links(&links, bounds).unwrap_err();
    assert!(error.contains("entries; at most 1000"), "{error}");
    let bounds = Bounds { free: 15, ratio: 0, ..BOUNDS };
    let error = with_links(&[("c", "a")], bounds).unwrap_err();
    assert!(error.contains("so it is refused"), "{error}");
}

#[test]
fn refuses_archives_that_unpack_to_too_much() {
    let zeros = vec![0; 3 << 20];
    let small = Bounds { free: 1 << 20, ratio: 2, ..BOUNDS };
    let error = unzip(&[("a", &zeros)], small).unwrap_err();
    assert!(error.message.contains("more than 1 MiB"), "{error}");
    let few = Bounds { entries: 1, ..BOUNDS };
    let error = unzip(&[("a", b""), ("b", b"")], few).unwrap_err();
    assert!(error.message.contains("2 entries"), "{error}");
    assert!(unzip(&[("a", &zeros)], BOUNDS).is_ok());
}

#[test]
fn reports_files_that_are_not_archives() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "hello").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let error = extract(file.path(), folder.path(), BOUNDS).unwrap_err();
    assert!(error.to_string().contains("not a readable ZIP archive"), "{error}");
}

proptest::proptest! {
    #[test]
    fn an_archive_of_any_bytes_unpacks_within_its_bounds_or_not_at_all(
        changes in proptest::collection::vec((0_usize..400, proptest::num::u8::ANY), 1..12),
        end in 0_usize..400,
    ) {
        let zeros = vec![b'0'; 5000];
        let archive = zipped(&[("a/1.in", b"1"), ("a/1.out", &zeros), ("b", b"")]);
        let mut bytes = fs::read(archive.path()).unwrap();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        if end < bytes.len() / 4 {
            bytes.truncate(bytes.len() - end);
        }
        fs::write(archive.path(), bytes).unwrap();
        let bounds = Bounds { entries: 10, total: 1 << 16, free: 1 << 16, ratio: 1 };
        let folder = tempfile::tempdir().unwrap();
        let _ = extract(archive.path(), folder.path(), bounds);
        let walk = walkdir::WalkDir::new(folder.path()).into_iter().map(Result::unwrap);
        let written: u64 = walk
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| entry.metadata().unwrap().len())
            .sum();
        proptest::prop_assert!(written <= (1 << 16) + 1);
    }
}
