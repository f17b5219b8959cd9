//! Judges with the settings that the guide shows, in every language that they configure.

use crate::guide::markdown::blocks;
use crate::guide::pages::pages;
use crate::support::{Repo, is_installed, skip_even_in_ci};

/// Solutions of `sum` that need the settings: the extension, the text, and the program that must be installed.
const SOLUTIONS: [(&str, &str, &str); 2] = [
    (
        "rs",
        "use std::io::Read;\nfn main() {\n    let mut text = String::new();\n    \
         std::io::stdin().read_to_string(&mut text).unwrap();\n    \
         println!(\"{}\", text.split_whitespace().map(|n| n.parse::<i64>().unwrap()).sum::<i64>());\n}\n",
        "rustc",
    ),
    (
        "cpp",
        "#include <iostream>\n#include <expected>\n#include \"library.h\"\n\
         int main() { number a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n",
        "g++",
    ),
];

#[test]
fn with_the_settings_of_the_guide_a_correct_solution_in_every_language_is_accepted() {
    let mut judged = 0;
    for page in pages() {
        let blocks = blocks(&page.text).into_iter();
        for block in blocks.filter(|block| block.info == "toml rejudge.toml") {
            let repo = Repo::new();
            repo.file("rejudge.toml", &block.text)
                .file("lib/library.h", "using number = long long;\n")
                .file("cases/sum/1.in", "1 2\n")
                .file("cases/sum/1.ans", "3\n");
            let settings: toml::Table = block.text.parse().unwrap();
            for (extension, text, program) in SOLUTIONS {
                // The library for solutions that include it.
                if extension == "cpp"
                    && !settings["languages"].as_table().unwrap().contains_key("cpp")
                {
                    continue;
                }
                if !is_installed(program) {
                    skip_even_in_ci(&format!("there is no `{program}`"));
                    continue;
                }
                repo.file(&format!("solutions/sum/right.{extension}"), text);
                judged += 1;
            }
            if settings["languages"].as_table().unwrap().contains_key("text") {
                repo.file("solutions/sum/right.txt", "3\n");
            }
            let ran = repo.run(&["run", "solutions"]);
            assert_eq!(ran.status, 0, "{}:{}:\n{}", page.path, block.line, ran.all());
        }
    }
    assert!(judged > 1, "the guide has no settings");
}
