//! Whole commands on a package whose programs create entries where rejudge reads and writes next,
//! with and without a sandbox. Without one, a program may do anything that its user may, but
//! rejudge itself must not do it on the program's behalf.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;
use std::process::Command;

use crate::left_behind::world::World;

/// Creates links to a file of the user, a FIFO and a folder at every place where a file may be
/// read, moved or written; `$1` is the folder. Files that the validator wants to be read come last.
const PLANT: &str = "H=HOME\nplant() {\n  for n in judgemessage.txt teammessage.txt score.txt score_multiplier.txt tout \
    nextpass.in index.html judgeimage.svg output-1 output-2 pass-2.in; do\n\
    rm -rf \"$1/$n\"; case $2 in link) ln -s $H/.bashrc \"$1/$n\";; fifo) mkfifo \"$1/$n\";; folder) mkdir \"$1/$n\";; \
    esac; done; }\n";

fn write(world: &World, path: &str, text: &str) {
    let path = world.path("repository").join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let home = world.path("home").display().to_string();
    fs::write(path, text.replace("HOME", &home)).unwrap();
}

/// Runs `rejudge` as the user of this world; returns its status and output.
fn rejudge(world: &World, args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_rejudge"))
        .args(args)
        .current_dir(world.path("repository"))
        .env("HOME", world.path("home"))
        .env("TMPDIR", world.path("temporary"))
        .env("REJUDGE_CACHE_DIR", world.path("cache"))
        .env("NO_COLOR", "1")
        .env_remove("CI")
        .env_remove("XDG_CACHE_HOME")
        .env_remove("GITHUB_STEP_SUMMARY")
        .output()
        .unwrap();
    let words = [output.stdout, output.stderr].concat();
    let words = String::from_utf8_lossy(&words).into_owned();
    (output.status.code().unwrap_or(-1), words)
}

/// A package with one case and a validator or visualizer `script`, which can call `plant FOLDER
/// KIND`.
fn package(world: &World, yaml: &str, program: &str, script: &str) {
    let head = "problem_format_version: 2025-09\nname: P\n";
    write(world, "p/problem.yaml", &format!("{head}{yaml}"));
    write(world, "p/data/secret/1.in", "1\n");
    write(world, "p/data/secret/1.ans", "1\n");
    write(world, "p/submissions/accepted/a.sh", "echo 1\n");
    write(world, program, &format!("{PLANT}{script}"));
}

#[test]
fn entries_of_validators_are_neither_followed_nor_waited_for() {
    for sandbox in ["auto", "off"] {
        for kind in ["link", "fifo", "folder"] {
            let world = World::new();
            let script =
                format!("plant \"$3\" {kind}; plant \"$3/..\" {kind} 2>/dev/null\nexit 42\n");
            let yaml = "type: multi-pass\nlimits: {validation_passes: 3}\n";
            package(&world, yaml, "p/output_validator/v.sh", &script);
            let kept = world.path("repository/kept");
            let folder = kept.join("p/submissions/accepted/a.sh/secret");
            fs::create_dir_all(&folder).unwrap();
            symlink(world.path("home/tool"), folder.join("1.out")).unwrap();
            let before = world.own(true);
            let (status, printed) =
                rejudge(&world, &["run", "p", "--keep", "kept", "--sandbox", sandbox]);
            // From a run in memory, a FIFO is not even copied.
            let asked = printed.contains("`nextpass.in` is not a regular file");
            assert!(asked || kind == "fifo", "{sandbox} {kind}: {printed}");
            assert_eq!(status, if asked { 2 } else { 0 }, "{sandbox} {kind}: {printed}");
            let written = fs::read_to_string(folder.join("1.out"));
            assert_eq!(written.unwrap(), "1\n", "the output takes the place of the link");
            fs::remove_dir_all(&kept).unwrap();
            let own = |world: &World| {
                let mut own = world.own(true);
                own.remove(&world.path("repository"));
                own
            };
            let before = before
                .into_iter()
                .filter(|(path, _)| !path.starts_with(&kept) && *path != world.path("repository"));
            assert_eq!(own(&world), before.collect(), "{sandbox} {kind}");
        }
    }
}

#[test]
fn a_static_validator_may_create_any_entry() {
    for sandbox in ["auto", "off"] {
        let world = World::new();
        let script = "rm -rf \"$3\"; ln -s $H \"${3%/}\"; plant . link\nexit 42\n";
        package(&world, "", "p/static_validator/v.sh", script);
        write(&world, "p/data/secret/test_group.yaml", "static_validation_score: pass-fail\n");
        let before = world.own(true);
        let (status, printed) = rejudge(&world, &["run", "p", "--sandbox", sandbox]);
        assert_eq!(status, 0, "{printed}");
        assert_eq!(world.own(true), before, "{sandbox}: {printed}");
        assert!(!printed.contains("bashrc"), "{printed}");
    }
}

#[test]
fn a_visualizers_images_are_copied_to_new_files() {
    for sandbox in ["auto", "off"] {
        let world = World::new();
        let script = "plant \"$3\" link\necho '<svg/>' > \"$3/judgeimage-1.svg\"\nln \"$3/judgeimage-1.svg\" \
            \"$3/judgeimage-2.svg\"; chmod 6777 \"$3/judgeimage-1.svg\"\nexit 42\n";
        package(&world, "", "p/output_visualizer/v.sh", script);
        let before = world.own(true);
        let drawn = world.path("drawn");
        let out = drawn.display().to_string();
        fs::create_dir(&drawn).unwrap();
        for name in ["index.html", "judgeimage-1.svg"] {
            symlink(world.path("home/tool"), drawn.join(name)).unwrap();
        }
        let draw = ["draw", "p/secret/1", "-o", &out, "--force", "--sandbox", sandbox];
        let (status, printed) = rejudge(&world, &draw);
        // A link at the place of an image was created by the user, so it is not replaced.
        assert_eq!(status, 2, "{printed}");
        fs::remove_file(drawn.join("judgeimage-1.svg")).unwrap();
        let (status, printed) = rejudge(&world, &draw);
        assert_eq!(status, 0, "{printed}");
        let mut names: Vec<_> =
            fs::read_dir(&drawn).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["index.html", "judgeimage-1.svg", "judgeimage-2.svg"]);
        for name in names {
            let data = drawn.join(&name).symlink_metadata().unwrap();
            assert!(
                data.is_file() && data.mode() & 0o7111 == 0 && data.nlink() == 1,
                "{name:?} {data:?}"
            );
        }
        assert_eq!(world.own(true), before, "{sandbox}");
    }
}

/// A repository with a problem whose folder of cases, `data/secret` or a folder in it, is a
/// symbolic link.
fn with_link(world: &World, place: &str, target: &Path) {
    write(world, "cases/sum/problem.yaml", "problem_format_version: 2025-09\nname: Sum\n");
    write(world, "cases/sum/generators/g.sh", "echo 1\n");
    write(
        world,
        "cases/sum/generators/generators.yaml",
        "solution: /submissions/accepted/a.sh\ndata:\n  secret:\n    data:\n      - one: g.sh\n      - \
         many: {data: [two: g.sh 2]}\n",
    );
    write(world, "solutions/sum/a.sh", "cat\n");
    let link = world.path("repository/cases/sum/data").join(place);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(target, link).unwrap();
}

#[test]
fn cases_and_answers_are_written_through_no_link_to_a_folder() {
    let inner = World::new();
    let inside = inner.path("repository/cases/sum/statement");
    fs::create_dir_all(&inside).unwrap();
    let outer = World::new();
    let outside = outer.path("home/empty");
    for (world, target) in [(outer, outside), (inner, inside)] {
        with_link(&world, "secret", &target);
        let before = world.own(true);
        let (status, printed) = rejudge(&world, &["generate", "sum"]);
        assert_eq!(status, 2, "{printed}");
        assert!(printed.contains("the folder `secret` in it is a symbolic link"), "{printed}");
        assert_eq!(fs::read_dir(&target).unwrap().count(), 0, "{printed}");
        fs::write(target.join("3.in"), "3\n").unwrap();
        let answer = ["answer", "sum", "--from", "solutions/sum/a.sh"];
        let (status, printed) = rejudge(&world, &answer);
        assert_eq!(status, 2, "{printed}");
        assert!(printed.contains("symbolic link"), "{printed}");
        assert!(!target.join("3.ans").exists(), "{printed}");
        fs::remove_file(target.join("3.in")).unwrap();
        assert_eq!(world.own(false).len(), before.len(), "{printed}");
    }
}
