//! Exports of QDUOJ, and the Free Problem Sets of HUSTOJ.

use std::io::Write as _;

use zip::write::SimpleFileOptions;

use crate::support::{Ran, Repo, lacks};

fn expect(ran: &Ran, words: &[&str]) {
    for words in words {
        assert!(ran.all().contains(words), "{words}\n{}", ran.all());
    }
}

fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn an_export_with_several_problems_is_judged_and_imported_as_each_of_them() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "");
    let points = "{\"title\": \"Copy\", \"time_limit\": 1500, \"memory_limit\": 64, \"rule_type\": \"OI\", \"mine\": 1,\n\
                  \"test_case_score\": [{\"score\": 30, \"input_name\": \"1.in\", \"output_name\": \"1.out\"},\n\
                  {\"score\": 70, \"input_name\": \"2.in\", \"output_name\": \"2.out\"}],\n\
                  \"answers\": [{\"language\": \"Python3\", \"code\": \"print(input())\"}], \"spj\": null}\n";
    let plain = "{\"title\": \"B\", \"time_limit\": 1000, \"memory_limit\": 128, \"rule_type\": \"ACM\",\n\
                 \"template\": {\"Python3\": {\"prepend\": \"x = input()\", \"template\": \"\", \"append\": \"show(x)\"}},\n\
                 \"answers\": [{\"language\": \"Python3\", \"code\": \"show = print\"}]}\n";
    let archive = zipped(&[
        ("1/problem.json", points),
        ("1/testcase/1.in", "a\n"),
        ("1/testcase/1.out", "a  \n\n"),
        ("1/testcase/2.in", "b\n"),
        ("1/testcase/2.out", "b\n"),
        ("2/problem.json", plain),
        ("2/testcase/1.in", "a\n"),
        ("2/testcase/1.out", "a\n"),
    ]);
    repo.file("export.zip", archive);
    if !lacks("python3") {
        let ran = repo.run(&["run", "export.zip", "-v"]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        let lines = [
            "ok    export.zip/1/answer1.py  AC   2/2 accepted, 100 of 100 points",
            "ok    export.zip/2/answer1.py  AC   1/1 accepted",
            "export.zip/1/problem.json has the key `mine`, which QDUOJ does not know; it is ignored",
            "export.zip/2/problem.json has a `template` with code around solutions",
        ];
        expect(&ran, &lines);
    }
    let ran = repo.run(&["list", "-v", "export.zip"]);
    expect(&ran, &["64 MiB memory", "128 MiB memory", "checker: lines:stripped"]);
    let ran = repo.run(&["import", "export.zip"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["1: 2 cases, 1 solution -> cases/1", "2: 1 case, 1 solution -> cases/2"]);
    let settings = std::fs::read_to_string(repo.path("rejudge.toml")).unwrap();
    assert!(settings.contains("checker = \"lines:stripped\""), "{settings}");
}

#[test]
fn a_checker_of_qduoj_gets_the_input_and_the_output() {
    if lacks("g++") || lacks("python3") {
        return;
    }
    let spj = "#include <cstdio>\\nint main(int n, char **v) { int x, y; fscanf(fopen(v[1], \\\"r\\\"), \\\"%d\\\", &x); \
               if (fscanf(fopen(v[2], \\\"r\\\"), \\\"%d\\\", &y) != 1) return 1; return x + y == 0 ? 0 : 1; }";
    let json = format!(
        "{{\"title\": \"Negate\", \"time_limit\": 1000, \"memory_limit\": 64, \"rule_type\": \"ACM\",\n\
         \"spj\": {{\"language\": \"C++\", \"code\": \"{spj}\"}},\n\
         \"answers\": [{{\"language\": \"Python3\", \"code\": \"print(-int(input()))\"}}, {{\"language\": \"Elvish\", \"code\": \"x\"}}]}}\n"
    );
    let repo = Repo::new();
    repo.file("p/problem.json", &json).file("p/testcase/1.in", "5\n");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(
        &ran,
        &["p/answer1.py  AC", "has an answer in the language `Elvish`, which is not known"],
    );
    repo.file("p/problem.json", json.replace("\"C++\"", "\"Text\""));
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    expect(&ran, &["has a checker in the language `Text`; this is not supported"]);
}

/// A set of two problems, as HUSTOJ exports it.
const SET: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!DOCTYPE fps PUBLIC \"-//freeproblemset//An opensource XML standard for Algorithm Contest Problem Set//EN\"
 \"http://hustoj.com/fps.current.dtd\" >
<fps version=\"1.6\"><generator name=\"HUSTOJ\" url=\"https://github.com/zhblue/hustoj/\" />
<item><title><![CDATA[A+B Problem]]></title><time_limit unit=\"ms\"><![CDATA[1500]]></time_limit>
<memory_limit unit=\"mb\"><![CDATA[64]]></memory_limit><description><![CDATA[<p>Add.</p>]]></description>
<sample_input><![CDATA[1 2]]></sample_input><sample_output><![CDATA[3]]></sample_output>
<test_input name=\"../../big\"><![CDATA[5 7
]]></test_input><test_output name=\"../../big\"><![CDATA[12
]]></test_output>
<solution language=\"Python\"><![CDATA[print(sum(map(int, input().split())))]]></solution>
<solution language=\"SQL(sqlite3)\"><![CDATA[select 1]]></solution></item>
<item><title><![CDATA[两数之和]]></title><time_limit unit=\"s\"><![CDATA[2]]></time_limit>
<memory_limit unit=\"kb\"><![CDATA[131072]]></memory_limit>
<test_input><![CDATA[5
]]></test_input><test_output><![CDATA[1]]></test_output>
<spj language=\"C\"><![CDATA[#include <stdio.h>
int main(int n, char **v) { int x, y; fscanf(fopen(v[1], \"r\"), \"%d\", &x); fscanf(fopen(v[3], \"r\"), \"%d\", &y); return x != y; }]]></spj>
<solution language=\"Python\"><![CDATA[print(input())]]></solution></item></fps>
";

#[test]
fn a_free_problem_set_is_imported_problem_by_problem() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "").file("set.xml", SET);
    let ran = repo.run(&["import", "set.xml"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(
        &ran,
        &[
            "abproblem: 2 cases, 1 solution -> cases/abproblem",
            "problem2: 1 case, 1 solution -> cases/problem2",
            "`[problems.abproblem]` has checker = \"lines:trimmed\"",
            "`[problems.problem2]` has checker = \"hustoj:cases/problem2/checker/spj.c\"",
            "set.xml/a-b-problem/problem.json has an answer in the language `SQL(sqlite3)`",
        ],
    );
    let yaml = std::fs::read_to_string(repo.path("cases/abproblem/problem.yaml")).unwrap();
    assert!(yaml.contains("name: \"A+B Problem\""), "{yaml}");
    assert!(yaml.contains("  time_limit: 1.5\n  time_resolution: 0.5\n  memory: 64\n"), "{yaml}");
    assert!(!repo.path("big.in").exists() && !repo.path("../big.in").exists());
    if lacks("python3") || lacks("gcc") {
        return;
    }
    let ran = repo.run(&["run"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let ran = repo.run(&["run", "set.xml", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(
        &ran,
        &["set.xml/a-b-problem/answer1.py  AC   2/2", "set.xml/problem2/answer1.py  AC   1/1"],
    );
}

#[test]
fn a_hostile_or_broken_set_is_an_error() {
    let bomb = "<!DOCTYPE fps [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>\n<fps><item><title>&b;</title></item></fps>\n";
    let table = [
        (bomb, "set.xml: its document type has declarations of its own, such as entities"),
        (
            "<fps><item></fps>\n",
            "set.xml:1:12: not valid XML: `</fps>` closes the element `<item>`",
        ),
        ("<fps version='1.2'></fps>\n", "set.xml has no test cases"),
        ("<fps><item><title>x</title></item></fps>\n", "has no test cases"),
    ];
    for (text, error) in table {
        let repo = Repo::new();
        repo.file("rejudge.toml", "").file("set.xml", text);
        let ran = repo.run(&["import", "set.xml"]);
        assert_eq!(ran.status, 2, "{text}{}", ran.all());
        expect(&ran, &[error]);
        assert!(!repo.path("cases").exists(), "{text}");
    }
}

#[test]
fn a_folder_of_an_archive_that_nothing_describes_is_a_problem_too() {
    let repo = Repo::new();
    let archive = zipped(&[
        ("1/problem.json", "{\"title\": \"A\"}"),
        ("1/testcase/1.in", "1\n"),
        ("1/testcase/1.out", "1\n"),
        ("other/1.in", "1\n"),
        ("other/1.out", "1\n"),
        ("pictures/a.png", "x"),
    ]);
    repo.file("export.zip", archive);
    let ran = repo.run(&["list", "export.zip"]);
    expect(&ran, &["2 problems, 0 solutions, 2 cases", "export.zip/other has no solutions"]);
    assert!(!ran.all().contains("pictures"), "{}", ran.all());
}
