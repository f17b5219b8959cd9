//! Pages in chromium: no error, no request, no violation of accessibility rules, no sideways scroll; sizes and heap.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::text;
use super::visit::{Browser, assert_sound, visit, visit_with};
use crate::support::Repo;

#[test]
#[ignore = "a minute: `.ci/full page` runs it"]
fn every_view_is_sound_in_both_themes_and_at_each_width() {
    let repo = text::repo();
    repo.run(&["report", "run.jsonl", "--html", "page.html", "--against", "run.jsonl"]);
    let views = [
        ("", "Not as expected"),
        ("#p=sum", "expected: accepted"),
        ("#p=sum&show=cpu", "expected: accepted"),
        ("#view=setters&p=sum", "Margins"),
        ("#p=sum&s=solutions/sum/b.rs&c=secret/big", "run again"),
        ("#p=sum&s=solutions/sum/e.rs", "Compiler"),
        ("#view=compare", "Changed verdicts: 0"),
        ("#p=missing", "no such place"),
    ];
    let mut steps = Vec::new();
    for (at, (hash, _)) in views.iter().enumerate() {
        let (width, theme) =
            [(360, "light"), (800, "dark"), (1600, "light"), (360, "dark")][at % 4];
        steps.push(json!({ "file": "page.html", "hash": hash, "width": width, "theme": theme, "axe": true }));
    }
    for browser in Browser::ALL {
        let Some(found) = visit_with(browser, &repo, &steps) else {
            continue;
        };
        assert_sound(&found, &steps);
        for ((_, shown), found) in views.iter().zip(&found) {
            assert!(
                found["text"].as_str().unwrap().contains(shown),
                "{browser:?}: {shown}: {}",
                found["text"]
            );
        }
    }
}

#[test]
fn an_error_and_a_request_of_a_page_do_not_go_unnoticed() {
    let repo = Repo::new();
    repo.file(
        "page.html",
        "<!doctype html><title>x</title><p style='width: 9999px'>x</p><script>console.error('no')</script>\
         <img src='http://127.0.0.1:59999/x'><script>throw new Error('thrown')</script>",
    );
    let steps = [json!({ "file": "page.html", "is_plain": true, "axe": true })];
    for browser in Browser::ALL {
        let Some(found) = visit_with(browser, &repo, &steps) else {
            continue;
        };
        let errors = found[0]["errors"].to_string();
        assert!(errors.contains("no") && errors.contains("thrown"), "{browser:?}: {found:?}");
        assert_eq!(found[0]["requests"], json!(["http://127.0.0.1:59999/x"]), "{browser:?}");
        assert_eq!(found[0]["scrolls_sideways"], true, "{browser:?}");
        assert!(found[0]["violations"].to_string().contains("image-alt"), "{browser:?}: {found:?}");
    }
}

#[test]
#[ignore = "a minute: `.ci/full page` runs it"]
fn keys_reach_every_cell_and_failure() {
    let repo = text::repo();
    let key = |key: &str| json!({ "key": key });
    let place = json!({ "value": "decodeURIComponent(location.hash)" });
    let label =
        json!({ "value": "document.getElementById('active-cell').getAttribute('aria-label')" });
    let on_cell = json!({ "wait": "document.querySelector('.cell-page') !== null" });
    let steps = [
        json!({ "file": "run.html", "hash": "#p=sum", "actions": [
            { "click": ".matrix .corner" }, key("ArrowDown"), key("ArrowRight"), label, key("Enter"), on_cell, place,
            key("Escape"), { "wait": "document.querySelector('.matrix') !== null" }, place,
        ] }),
        json!({ "file": "run.html", "actions": [
            key("n"), on_cell, place, key("n"), { "wait": "!location.hash.includes('sample')" }, place,
        ] }),
        json!({ "file": "run.html", "actions": [
            key("/"), { "type": "failed: v:WA" }, { "wait": "document.querySelector('.matrix') !== null && decodeURIComponent(location.hash).includes('v:WA')" },
            { "value": "document.querySelector('.controls p').textContent" },
        ] }),
    ];
    for browser in Browser::ALL {
        let Some(found) = visit_with(browser, &repo, &steps) else {
            continue;
        };
        let values = |at: usize| found[at]["values"].as_array().unwrap();
        assert!(
            values(0)[0].as_str().unwrap().starts_with("solutions/sum/b.rs on secret/big: got WA"),
            "{found:?}"
        );
        assert_eq!(values(0)[1], "#p=sum&s=solutions/sum/b.rs&c=secret/big");
        assert_eq!(values(0)[2], "#p=sum");
        assert!(values(1)[0].as_str().unwrap().contains("b.rs"), "{found:?}");
        assert_ne!(values(1)[0], values(1)[1]);
        assert_eq!(values(2)[0], "1 of 5 submissions, 1 of 2 cases");
    }
}

/// A report of `submissions` times `cases` cells.
fn large(submissions: usize, cases: usize) -> String {
    let mut text = String::from(
        "{\"type\":\"start\",\"schema\":1,\"version\":\"0\",\"machine\":{\"os\":\"linux\",\"arch\":\"x86_64\",\"cores\":2},\
         \"sandbox\":{\"back_end\":\"root\",\"cpu_clock\":\"cgroup\",\"memory_clock\":\"cgroup\",\"sufficient\":true,\
         \"active\":[],\"missing\":[]},\"jobs\":1,\"submissions\":1,\"cases\":1}\n",
    );
    let mut random = 1_u64;
    let mut next = |below: u64| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    for submission in 0..submissions {
        for case in 0..cases {
            let verdict = if submission % 3 == 2 && next(4) == 0 { "WA" } else { "AC" };
            let (cpu, wall, memory) = (
                1.0 + f64::from(u32::try_from(next(4000)).unwrap()) / 1000.0,
                2 + next(9),
                4096 * (900 + next(300)),
            );
            let _ = writeln!(
                text,
                "{{\"type\":\"case\",\"schema\":1,\"submission\":\"s/{submission}.rs\",\"problem\":\"p\",\
                 \"case\":\"secret/{case:05}\",\"verdict\":\"{verdict}\",\"permitted\":true,\"cpu_ms\":{cpu},\
                 \"cpu_clock\":\"cgroup\",\"wall_ms\":{wall},\"memory_bytes\":{memory},\"memory_clock\":\"cgroup\",\
                 \"output_bytes\":4}}"
            );
        }
        let (expected, verdict) =
            if submission % 3 == 2 { ("wrong_answer", "WA") } else { ("accepted", "AC") };
        let _ = writeln!(
            text,
            "{{\"type\":\"submission\",\"schema\":1,\"submission\":\"s/{submission}.rs\",\"problem\":\"p\",\
             \"language\":\"rust\",\"expected\":\"{expected}\",\"verdict\":\"{verdict}\",\"met\":true,\"cases\":{cases},\
             \"run\":{cases},\"accepted\":1,\"failed\":0,\"memory_bytes\":1,\"limits\":{{\"cpu_ms\":2000,\
             \"wall_ms\":6000,\"memory_bytes\":134217728,\"output_bytes\":1,\"stack_bytes\":1,\"processes\":1,\
             \"time_factor\":1}},\"build\":{{\"cached\":true}}}}"
        );
    }
    text + "{\"type\":\"summary\",\"schema\":1,\"submissions\":1,\"met\":1,\"unexpected\":0,\"not_judged\":0,\
            \"skipped\":0,\"cases\":1,\"wall_ms\":1,\"interrupted\":false}\n"
}

#[test]
fn a_hundred_thousand_cells_stay_small() {
    let repo = Repo::new();
    repo.file("large.jsonl", large(50, 2000));
    let ran = repo.run(&["report", "large.jsonl", "--html", "large.html"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let size = std::fs::metadata(repo.path("large.html")).unwrap().len();
    assert!(size <= 1_500_000, "{size} bytes");
    let steps =
        [json!({ "file": "large.html", "hash": "#p=p", "axe": true, "width": 1600, "actions": [
        { "click": ".matrix .corner" }, { "key": "End" }, { "key": "ArrowDown" },
        { "value": "document.getElementById('active-cell').getAttribute('aria-label')" },
        { "value": "document.querySelectorAll('.matrix *').length" },
    ] })];
    let Some(found) = visit(&repo, &steps) else {
        return;
    };
    assert_sound(&found, &steps);
    let values = &found[0]["values"];
    assert!(values[0].as_str().unwrap().starts_with("s/1.rs on secret/01999"), "{values}");
    assert!(values[1].as_u64().unwrap() < 1000, "only what is in sight exists: {values}");
    let heap = found[0]["heap"].as_u64().unwrap();
    assert!(heap <= 150 << 20, "{heap} bytes of heap");
}

/// Texts that try to become markup, script, or an order of characters that deceives.
const HOSTILE: &str = "</script><script>alert(1)</script><!-- <img src=http://127.0.0.1:59999/x onerror=alert(2)> \
    \u{202e}evil\u{2066} \0 \u{1b}[31m \u{2028} ${alert(3)} {{x}} ]]> \u{feff}";

#[test]
fn hostile_texts_stay_inert() {
    let repo = text::repo();
    let line = "x".repeat(10 << 20);
    let lines: Vec<String> = repo
        .read("run.jsonl")
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            for key in [
                "submission",
                "problem",
                "case",
                "feedback",
                "language",
                "expected",
                "version",
                "complaint",
                "diff",
                "stderr",
                "input",
                "output",
                "answer",
                "transcript",
                "input_path",
                "not_judged",
                "time",
            ] {
                if let Some(text) = line[key].as_str() {
                    line[key] = format!("{text} {HOSTILE}").into();
                }
            }
            line.to_string()
        })
        .collect();
    let mut text = lines.join("\n");
    text = text.replacen("\"stderr\":\"", &format!("\"stderr\":\"{line}"), 1) + "\n";
    repo.file("hostile.jsonl", text);
    let ran = repo.run(&["report", "hostile.jsonl", "--html", "hostile.html", "-q"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let page = repo.read("hostile.html");
    assert!(
        !page.contains("<script>alert") && !page.contains("<img") && !page.contains('\u{202e}')
    );
    let first = "document.querySelector('.views a:nth-child(2)').href.split('#')[1]";
    let steps = [
        json!({ "file": "hostile.html", "width": 400 }),
        json!({ "file": "hostile.html", "width": 400, "actions": [
            { "key": "n" }, { "wait": "document.querySelector('.cell-page') !== null" },
            { "value": "document.querySelector('.cell-page').innerText" }] }),
        json!({ "file": "hostile.html", "width": 400, "actions": [
            { "key": "m" }, { "wait": "document.querySelector('.matrix') !== null" }, { "value": first }] }),
    ];
    for browser in Browser::ALL {
        let Some(found) = visit_with(browser, &repo, &steps) else {
            continue;
        };
        assert_sound(&found, &steps);
        let shown = found[1]["values"][0].as_str().unwrap();
        assert!(
            shown.contains("</script><script>alert(1)") && shown.contains("\\u{202e}evil"),
            "{browser:?}: {shown}"
        );
    }
}

/// A visualizer that draws one image for each word of the output.
const VISUALIZER: &str = "n=0\nfor word in $(cat); do n=$((n+1)); echo '<svg xmlns=\"http://www.w3.org/2000/svg\" \
    viewBox=\"0 0 9 9\"><path d=\"M1 1h7v7z\"/></svg>' > \"${3}judgeimage-$n.svg\"; done\nexit 42\n";

#[test]
fn a_drawing_fits_a_telephone() {
    let repo = Repo::with_sum();
    repo.file("cases/sum/output_visualizer/show.sh", VISUALIZER)
        .file("cases/sum/data/secret/steps.in", "1 2\n")
        .file("cases/sum/data/secret/steps.ans", "1 2 3\n");
    let ran = repo.run(&["draw", "sum/secret/steps", "-o", "drawing"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let steps: Vec<Value> = [("light", 400), ("dark", 1200)]
        .map(|(theme, width)| {
            json!({ "file": "drawing/index.html", "is_plain": true, "axe": true, "width": width, "theme": theme,
                "may_load": "judgeimage", "actions": [
                { "wait": "document.querySelector('#stage img') !== null" }, { "key": "ArrowRight" },
                { "wait": "document.querySelector('#stage img').alt.startsWith('judgeimage-2')" },
                { "value": "document.querySelector('#stage img').naturalWidth > 0" },
                { "value": "document.getElementById('count').textContent" },
            ] })
        })
        .into();
    let Some(found) = visit(&repo, &steps) else {
        return;
    };
    assert_sound(&found, &steps);
    for found in &found {
        assert_eq!(found["values"], json!([true, "2 / 3"]));
    }
}

#[test]
fn wrong_answers_are_drawn_next_to_the_answer() {
    let repo = Repo::with_sum();
    repo.file("cases/sum/output_visualizer/show.sh", VISUALIZER)
        .file("cases/sum/data/secret/steps.in", "1 2\n")
        .file("cases/sum/data/secret/steps.ans", "1 2 3\n")
        .file("solutions/sum/a.sh", "echo 7 7\n");
    let case = ["--case", "secret/steps"];
    let ran = repo.run(&["run", case[0], case[1], "--html", "run.html", "--drawings"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let shown = "[...document.querySelectorAll('.sides img')].map(image => image.alt)";
    let steps = [json!({ "file": "run.html", "axe": true, "width": 400, "actions": [
            { "key": "n" }, { "wait": "document.querySelector('.drawings') !== null" }, { "value": shown },
            { "value": "document.querySelector('.player input').focus(), true" }, { "key": "End" }, { "value": shown },
        ] })];
    let Some(found) = visit(&repo, &steps) else {
        return;
    };
    assert_sound(&found, &steps);
    let values = &found[0]["values"];
    assert_eq!(values[0], json!(["output, step 1 of 2", "answer, step 1 of 3"]));
    assert_eq!(values[2], json!(["output, step 2 of 2", "answer, step 3 of 3"]));
}

#[test]
fn the_overview_shows_each_problem_and_the_first_difference_without_a_click() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", "read a b; echo $((a + b))\n")
        .file("solutions/sum/b.sh", "echo 3\n")
        .file("solutions/sum/wrong_answer/c.sh", "echo 4\n");
    let ran = repo.run(&["run", "--html", "run.html"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    // The last cell of the second row: the rows of the small matrix are named.
    let click = "document.querySelector('.small-matrix canvas').dispatchEvent(new MouseEvent('click', { bubbles: true, \
                 clientX: Math.round(document.querySelector('.small-matrix canvas').getBoundingClientRect().left) + 22, \
                 clientY: document.querySelector('.small-matrix canvas').getBoundingClientRect().top + 17 * 2.5 }))";
    let steps: Vec<Value> = [("light", 400), ("dark", 1200)]
        .map(|(theme, width)| {
            json!({ "file": "run.html", "axe": true, "width": width, "theme": theme, "actions": [
                { "wait": "document.querySelector('.small-matrix canvas') !== null" },
                { "value": "[...document.querySelectorAll('.failure[open] mark')].map(mark => mark.textContent)" },
                { "value": "document.querySelector('.times svg').getAttribute('aria-label').replace(/[0-9.]+ s of/, '# s of')" },
                { "value": "/^[^T]*20\\d\\d/.test(document.querySelector('time').textContent)" },
                { "value": "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('main')).backgroundColor].join()" },
            ] })
        })
        .into();
    let mut steps = steps;
    steps.push(json!({ "file": "run.html", "actions": [
        { "wait": "document.querySelector('.small-matrix canvas') !== null" }, { "value": click },
        { "wait": "document.querySelector('.cell-page') !== null" }, { "value": "decodeURIComponent(location.hash)" } ] }));
    let Some(found) = visit(&repo, &steps) else {
        return;
    };
    assert_sound(&found, &steps);
    for found in &found[..2] {
        let values = &found["values"];
        assert_eq!(values[0], json!(["1000000000001", "3"]), "{values}");
        assert_eq!(values[1], "CPU time: a.sh at most # s of 2 s", "{values}");
        assert_eq!(values[2], true, "{values}");
        assert!(values[3].as_str().unwrap().ends_with("rgba(0, 0, 0, 0)"), "{values}");
        let text = found["text"].as_str().unwrap();
        assert!(text.contains("2 of 3 submissions as expected · 2 cases"), "{text}");
        assert!(text.contains("b.sh: got WA, expected accepted"), "{text}");
    }
    assert_eq!(found[2]["values"][1], "#p=sum&s=solutions/sum/b.sh&c=secret/big");
}

#[test]
fn a_transcript_has_two_columns_and_times() {
    let repo = Repo::new();
    let yaml = "type: interactive\nlimits: {time_limit: 2}\n";
    repo.problem("talk", yaml, &[("secret/1", "1\n", "1\n")])
        .file("cases/talk/output_validator/talk.sh", "read guess; echo '<b>no</b>'; exit 43\n")
        .file("solutions/talk/a.sh", "echo 500; read answer\n");
    let ran = repo.run(&["run", "--html", "run.html"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let rows = "[...document.querySelectorAll('.transcript tbody tr')].slice(0, 2).map(row => \
                [...row.cells].map(cell => cell.innerText.replace(/[0-9.]+ s/, '# s')))";
    let steps = [json!({ "file": "run.html", "axe": true, "width": 400, "actions": [
        { "key": "n" }, { "wait": "document.querySelector('.transcript') !== null" }, { "value": rows } ] })];
    let Some(found) = visit(&repo, &steps) else {
        return;
    };
    assert_sound(&found, &steps);
    assert_eq!(found[0]["values"][0], json!([["# s", "500", ""], ["# s", "", "<b>no</b>"]]));
}
