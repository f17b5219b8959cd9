//! A panic in rejudge: the affected submission gets JE, and nothing waits for it.

use rejudge::sandbox::{self, Interrupt, RunnerOptions};
use rejudge::{
    Cache, CompileOptions, Compiler, Event, Languages, Options, Request, Tools, Verdict, discover,
    judge,
};

#[test]
fn after_a_panic_in_a_build_the_rest_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    for name in ["sum.rs", "sum2.rs", "sum3.rs"] {
        write(name, "fn main() { println!(\"3\"); }");
    }
    write("1.in", "");
    write("1.ans", "3\n");
    let languages = Languages::load(&std::collections::BTreeMap::new()).unwrap();
    let mut found = discover(&Request {
        current: folder.path(),
        paths: &[],
        cases: None,
        repository: None,
        read_options: rejudge::problem::ReadOptions::default(),
        language_of: &|extension| Some(languages.by_extension(extension.to_str()?)?.id.clone()),
        language_of_text: &|extension, text| languages.id_of_text(extension, text),
    });
    assert_eq!(found.errors, []);
    // Discovery never produces this: a known language is an invariant.
    found.submissions[0].language = "no such language".to_owned();
    let compiler =
        Compiler::new(Cache::temporary(None).unwrap(), CompileOptions::default()).unwrap();
    let tools = Tools { compiler: &compiler, languages: &languages };
    let work = sandbox::work_base().unwrap();
    for jobs in [1, 2] {
        let runner = RunnerOptions::new(work.path(), Interrupt::new().unwrap());
        let options = Options { jobs, ..Options::new(runner) };
        let mut verdicts = Vec::new();
        let summary = judge(&found.problems, &found.submissions, tools, &options, &mut |event| {
            if let Event::Submission(report) = event {
                verdicts.push((report.verdict, report.not_judged.is_some()));
            }
        })
        .unwrap();
        let accepted = (Verdict::Accepted, false);
        assert_eq!(verdicts, [(Verdict::JudgeError, true), accepted, accepted]);
        assert_eq!((summary.met, summary.not_judged), (2, 1));
    }
}
