//! Cases of DMOJ that a generator makes before they are judged.

use crate::support::Repo;

/// Prints a number, and twice the number on standard error.
const GENERATOR: &str = "x=$1; [ -n \"$x\" ] || read x; echo $x; echo $((x * 2)) >&2\n";

fn problem(init: &str, generator: &str) -> Repo {
    let repo = Repo::new();
    repo.file("p/init.yml", init)
        .file("p/gen.sh", generator)
        .file("p/four.txt", "4\n")
        .file("p/accepted/good.sh", "read x; echo $((x * 2))\n")
        .file(
            "p/wrong_answer/bad.sh",
            "read x; [ $x = 4 ] && x=0; echo $((x * 2))\n",
        );
    repo
}

#[test]
fn a_generator_makes_inputs_and_answers() {
    let init = "generator: {source: [gen.sh], time_limit: 5, memory_limit: 65536}
test_cases:
- {generator_args: [3], points: 10}
- {generator_in: four.txt, points: 20}
- {in: four.txt, generator_in: four.txt, points: 30}
- {in: four.txt, out: four.txt, points: 0}
";
    let init = init.replace("- {in: four.txt, out: four.txt, points: 0}\n", "");
    let repo = problem(&init, GENERATOR);
    let cache = repo.path("cache");
    for _ in 0..2 {
        let mut command = repo.command(&["run", "p", "-v"]);
        let judged = repo.finish(command.env("REJUDGE_CACHE_DIR", &cache));
        assert_eq!(judged.status, 0, "{}", judged.all());
        for line in ["good.sh  AC   3/3 accepted", "bad.sh"] {
            assert!(judged.stdout.contains(line), "{}", judged.all());
        }
    }
    let files = std::fs::read_dir(cache.join("cases")).unwrap();
    let inputs = files.filter(|file| {
        let path = file.as_ref().unwrap().path();
        path.extension().is_some_and(|end| end == "in")
    });
    assert_eq!(inputs.count(), 2);
}

#[test]
fn a_generator_that_fails_is_reported() {
    let init = "generator: gen.sh\ntest_cases:\n- {points: 10}\n";
    let repo = problem(init, "echo broken >&2; exit 3\n");
    let judged = repo.run(&["run", "p"]);
    assert_eq!(judged.status, 2, "{}", judged.all());
    for words in ["gen.sh` failed: exit code 3", "broken"] {
        assert!(judged.stderr.contains(words), "{}", judged.all());
    }
}
