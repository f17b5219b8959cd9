//! Pages on paper, by the PDF of chromium.

use serde_json::json;

use super::text;
use super::visit::{assert_sound, visit};

#[test]
fn paper_has_the_summary_and_all_failures_unfolded() {
    let repo = text::repo();
    let steps: Vec<_> = [
        ("", "light"),
        ("#p=sum", "dark"),
        ("#view=setters&p=sum", "dark"),
    ]
    .map(|(hash, theme)| json!({ "file": "run.html", "hash": hash, "theme": theme, "pdf": true }))
    .into();
    let Some(found) = visit(&repo, &steps) else {
        return;
    };
    assert_sound(&found, &steps);
    for found in &found {
        assert!(found["pdf_pages"].as_u64().unwrap() >= 1, "{found}");
        assert_eq!(found["after_print"], found["text"], "the page is as before");
        let paper = found["on_paper"].as_str().unwrap();
        assert!(paper.contains("2 of 5 submissions as expected"), "{paper}");
    }
    for found in &found[..2] {
        let paper = found["on_paper"].as_str().unwrap();
        for shown in
            ["Not as expected", "token 1: expected `1000000000001`, got `3`", "got AC, expected WA"]
        {
            assert!(paper.contains(shown), "{shown}: {paper}");
        }
    }
    let paper = found[2]["on_paper"].as_str().unwrap();
    assert!(paper.contains("Margins") && paper.contains("fastest / limit"), "{paper}");
}
