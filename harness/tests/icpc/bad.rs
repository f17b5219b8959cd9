//! Packages that are misleading.

use std::fmt::Write as _;

use crate::icpc::{ACCEPTED, V2025, package};
use crate::support::Repo;

#[test]
fn misleading_packages_are_refused() {
    let refused = |repo: &Repo, error: &str| {
        let ran = repo.judge_package();
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.all().contains(error), "{error}\n{}", ran.all());
    };
    let sound = || {
        let repo = package(V2025, &ACCEPTED);
        repo.file("p/submissions/accepted/three.sh", "echo 3\n");
        repo
    };
    let repo = sound();
    repo.file("p/problem.yml", "name: Q\n");
    refused(&repo, "error: p/problem.yml and p/problem.yaml both exist\nhelp: keep problem.yaml");
    for (link, error) in [
        ("data/secret/2.in", "p/data/secret/2.in is a symbolic link that leads out of the package"),
        ("data/secret/1.files/x", "a symbolic link in it points outside it"),
    ] {
        let repo = sound();
        repo.file("p/data/secret/1.files/own", "").file("p/data/secret/2.ans", "3\n");
        if !link.ends_with("2.in") {
            repo.file("p/data/secret/2.in", "");
        }
        std::os::unix::fs::symlink("/etc/hostname", repo.path(&format!("p/{link}"))).unwrap();
        refused(&repo, error);
    }
    // A link to a file inside the package is as good as the file.
    {
        let repo = sound();
        repo.file("p/data/secret/2.ans", "3\n");
        std::os::unix::fs::symlink("1.in", repo.path("p/data/secret/2.in")).unwrap();
        assert_eq!(repo.judge_package().status, 0);
    }
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x]\n");
    for i in 1..12 {
        let aliases = vec![format!("*a{}", i - 1); 8].join(", ");
        writeln!(bomb, "a{i}: &a{i} [{aliases}]").unwrap();
    }
    for path in ["problem.yaml", "data/secret/1.yaml", "submissions/submissions.yaml"] {
        let repo = sound();
        repo.file(&format!("p/{path}"), &bomb);
        refused(&repo, &format!("error: p/{path}:"));
    }
}

#[test]
fn submissions_may_be_links_but_not_out_of_the_package() {
    use std::os::unix::fs::symlink;
    let repo = package(V2025, &ACCEPTED);
    repo.file("outside.sh", "echo 3\n")
        .file("p/attachments/three.sh", "echo 3\n")
        .file("p/submissions/accepted/folder/main.sh", ". \"${0%/*}/three.sh\"\n");
    let at = |path: &str| repo.path(&format!("p/submissions/accepted/{path}"));
    symlink("../../attachments/three.sh", at("link.sh")).unwrap();
    symlink("../../../attachments/three.sh", at("folder/three.sh")).unwrap();
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("accepted/link.sh"), "{}", ran.all());
    symlink("../../../outside.sh", at("out.sh")).unwrap();
    symlink("../../../../outside.sh", at("folder/more.sh")).unwrap();
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2, "{}", ran.all());
    let error = "error: p/submissions/accepted/out.sh is a symbolic link that leads out of the package\nhelp: replace it with a copy";
    assert!(ran.stderr.contains(error), "{}", ran.all());
    let error = "`more.sh` is a symbolic link that leads out of the package";
    assert!(ran.all().contains(error), "{}", ran.all());
}
