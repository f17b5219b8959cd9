//! The pages of `rejudge verify` and `rejudge scale`: as text, and in a browser.

use serde_json::json;

use super::text::markup;
use super::visit::{assert_sound, visit};
use crate::support::{Repo, SUM, does};

/// A repository with a solution that gets an unexpected verdict, and without a statement.
fn flawed() -> Repo {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM).file("solutions/sum/b.rs", does("println!(\"3\");"));
    repo
}

/// The positions of `texts` in `page`, which must contain each.
fn positions<const N: usize>(page: &str, texts: [&str; N]) -> [usize; N] {
    texts.map(|text| page.find(text).unwrap_or_else(|| panic!("{text}\n{page}")))
}

#[test]
fn verify_draws_its_findings_by_severity_and_the_matrix_of_its_run() {
    let repo = flawed();
    let ran = repo.run(&["verify", "--html", "page.html"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let page = markup(&repo.read("page.html"));
    let order = positions(
        &page,
        [
            "<h1>rejudge<span class=\"headline bad\">1 error, ",
            " · 1 of 2 submissions as expected</span></h1>",
            "<h3>1 error</h3>",
            "<span class=\"path\">solutions/sum/b.rs</span>: WA instead of accepted",
            "sum · unexpected-verdict</p>",
            "sum · missing-statement</p>",
            "<h2 id=\"failures-title\">Not as expected</h2>",
            "<h2 id=\"overview-title\">Problems</h2>",
            "<h2 id=\"checks-title\">Checks</h2>",
        ],
    );
    assert!(order.is_sorted(), "{order:?}\n{page}");
    let shown = json!({ "value": "document.querySelectorAll('.row-head').length" });
    let steps = [
        json!({ "file": "page.html", "axe": true, "width": 360 }),
        json!({ "file": "page.html", "axe": true, "hash": "#p=sum", "theme": "dark", "actions": [shown] }),
    ];
    let Some(found) = visit(&repo, &steps) else {
        return;
    };
    assert_sound(&found, &steps);
    assert!(found[0]["text"].as_str().unwrap().contains("1 error"));
    assert_eq!(found[1]["values"], json!([2]));
}

#[test]
fn verify_draws_only_its_findings_without_submissions() {
    let repo = flawed();
    let ran = repo.run(&["verify", "--no-submissions", "--html", "page.html"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let page = markup(&repo.read("page.html"));
    assert!(page.contains("<span class=\"headline\">0 errors, "), "{page}");
    assert!(!page.contains("overview-title"), "{page}");
    let ran = repo.run(&["verify", "--no-submissions", "--strict", "--html", "page.html"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let page = markup(&repo.read("page.html"));
    assert!(page.contains("<span class=\"headline bad\">0 errors, "), "{page}");
    let steps = [json!({ "file": "page.html", "axe": true })];
    if let Some(found) = visit(&repo, &steps) {
        assert_sound(&found, &steps);
    }
}

#[test]
fn scale_draws_its_table_and_its_curves() {
    let repo = Repo::new();
    let counts = "let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); \
                  for i in 0..line.trim().parse::<u64>().unwrap() { std::hint::black_box(i); }";
    repo.file("solution.rs", does(counts))
        .file("generator.rs", does("println!(\"{}\", std::env::args().nth(1).unwrap());"));
    let sizes = ["--generator", "generator.rs", "--sizes", "1e6..1e8"];
    let few = ["--points", "6", "--runs", "2", "--html", "page.html"];
    let ran = repo.run(&[&["scale", "solution.rs"], &sizes[..], &few[..]].concat());
    // A busy machine may leave the growth unknown; its curves are drawn all the same.
    assert_eq!(ran.status, 0, "{}", ran.all());
    let page = markup(&repo.read("page.html"));
    positions(
        &page,
        [
            "<span class=\"headline\">solution.rs: CPU time ",
            "<dt>largest</dt>",
            "<svg class=\"curves\"",
            "<th class=\"number\" scope=\"row\">100000000</th>",
        ],
    );
    let steps: Vec<_> = [("light", 360), ("dark", 1200)]
        .map(|(theme, width)| {
            json!({ "file": "page.html", "axe": true, "theme": theme, "width": width })
        })
        .into();
    if let Some(found) = visit(&repo, &steps) {
        assert_sound(&found, &steps);
    }
}

#[test]
fn a_page_that_cannot_be_written_is_an_error_before_any_work() {
    let repo = flawed();
    for (arguments, shown) in [
        (&["verify", "--html", "-"][..], "`--html -`: this report cannot go to standard output"),
        (&["verify", "--json", "x", "--html", "x"], "`--json` and `--html` name the same file `x`"),
        (
            &["scale", "solutions/sum/a.rs", "--svg", "x", "--html", "x"],
            "`--svg` and `--html` name the same file `x`",
        ),
        (&["verify", "--html", "."], "`--html .`: this is a folder"),
        (
            &["scale", "solutions/sum/a.rs", "--html", "missing/page.html"],
            "`--html missing/page.html`: there is no folder `missing`",
        ),
    ] {
        let ran = repo.run(arguments);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains(shown) && ran.stdout.is_empty(), "{}", ran.all());
        assert!(!repo.path("x").exists());
    }
}
