//! Warnings and errors about rules.

use super::{names, package, read_all};

#[test]
fn what_has_no_effect_is_a_warning() {
    let (_repository, dir) = package();
    let table = [
        ("data: {}\nvisualizer: /x\n", "2:1: `visualizer` has no effect here"),
        ("data:\n  other: {data: {}}\n", "2:3: no cases are created in `other`"),
        (
            "data: {secret: {data: {a: {in: x, ans: z, anss: y}}}}",
            "1:43: `anss` has no effect here\nhelp: did you mean `ans`?",
        ),
        (
            "data: {secret: {data: {a: {generat: gen.rs 1}}}}",
            "1:28: `generat` has no effect here\nhelp: did you mean `generate`?",
        ),
        (
            "data: {secret: {data: {a: 'gen.rs {sed}'}}}",
            "1:27: `{sed}` is not a field of a command: the program gets it unchanged",
        ),
        (
            "data: {secret: {data: {a: 'gen.rs {{MAX}}'}}}",
            "1:27: `{{MAX}}` is not a constant of problem.yaml: the program gets it unchanged",
        ),
        (
            "data:\n  secret:\n    data:\n      a: gen.rs 1\n      b: gen.rs 1 \n",
            "5:10: `secret/b` has the same command as `secret/a`",
        ),
    ];
    for (text, expected) in table {
        let (_, errors, warnings) = read_all(&dir, text);
        assert_eq!(errors, "", "{text}");
        assert_eq!(warnings, format!("generators/generators.yaml:{expected}"));
    }
}

#[test]
fn a_rule_with_an_invalid_count_makes_no_case() {
    let (_repository, dir) = package();
    let text = "data:\n  secret:\n    data:\n      - a: {in: x, ans: x, count: 0}\n      - b: {in: y, ans: y}\n";
    let (rules, errors, _) = read_all(&dir, text);
    assert!(errors.contains(":4:35: `count` must be a number from 1 to 100"), "{errors}");
    assert_eq!(names(&rules.unwrap().cases), ["secret/2-b"]);
}

#[test]
fn errors_name_the_line() {
    let (_repository, dir) = package();
    let table = [
        ("data: 1", "1:7: `data` must be a table of folders, not `1`"),
        ("solution:", "1:1: missing key `data`"),
        (
            "data:\n  secret: {data: {a: {in: x}}}\n",
            "2:19: `secret/a` has no answer\nhelp: add the answer",
        ),
        ("data:\n  secret: {data: {a: }}\n", "2:19: `secret/a` has no input"),
        (
            "data: {secret: {data: {a: 5}}}",
            "1:27: `secret/a` must be a command or a table, not `5`",
        ),
        ("data: {secret: {data: {a: {in: 5}}}}", "1:32: `in` must be text, not `5`\nhelp: put it"),
        ("data: {secret: {data: {a: {desc: x}}}}", "1:24: `secret/a` has no input"),
        ("data: {secret: {data: {-a: gen.rs}}}", "1:24: invalid name `-a` of a case or folder"),
        ("data: {secret: {data: {a: no.rs}}}", "1:27: generators/no.rs does not exist"),
        ("data: {secret: {data: {a: ../x.rs}}}", "1:27: generators/../x.rs must lie in"),
        ("data: {secret: {data: {a: /x.rs}}}", "1:27: /x.rs must lie in `generators/`"),
        (
            "data: {secret: {data: {a: {copy: hand/no}}}}",
            "1:34: generators/hand/no.in does not exist",
        ),
        (
            "data: {secret: {data: {a: {generate: gen.rs, count: 0}}}}",
            "1:53: `count` must be a number from 1 to 100",
        ),
        (
            "data: {secret: {data: {a: {in: x, in.download: {link: ans}}}}}",
            "1:55: `in.download` cannot be a link to `ans`",
        ),
        (
            "data:\n  secret:\n    data: [{a: {in: x, ans: z}}, {b: gen.rs, c: gen.rs}]\n",
            "3:34: an item of a numbered list must be a table of one case",
        ),
        ("data: {secret: {include: [x]}}", "1:27: no case or folder before this one is called `x`"),
        (
            "solution: /submissions/accepted/no.rs\ndata: {}\n",
            "1:11: no such file: `solution: /submissions/accepted/no.rs`\nhelp: expected at",
        ),
        (
            "solution: fast.rs\ndata: {}\n",
            "1:11: no such file: `solution: fast.rs`\nhelp: start the path",
        ),
        (
            "solution: /../x\ndata: {}\n",
            "1:11: no such file: `solution: /../x`\nhelp: start the path",
        ),
        ("data: [", "1:7: unclosed"),
    ];
    for (text, expected) in table {
        let (_, errors, _) = read_all(&dir, text);
        let expected = format!("generators/generators.yaml:{expected}");
        assert!(errors.starts_with(&expected), "{text:?}\n{errors}\n{expected}");
    }
}
