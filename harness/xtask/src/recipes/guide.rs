//! The recipes: blocks of YAML in the guide, and the template for GitLab.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::files::{files_below, read};

/// What reads a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecipeKind {
    GitHub,
    GitLab,
    /// It has inputs instead of values, and runs as a part of others.
    GitLabTemplate,
    Kubernetes,
    PreCommit,
    /// Files of rejudge itself, and pieces. The tests of the guide read them.
    Other,
}

/// The number of recipes that the guide has at least.
const LEAST: [(RecipeKind, usize); 4] = [
    (RecipeKind::GitHub, 2),
    (RecipeKind::GitLab, 2),
    (RecipeKind::Kubernetes, 1),
    (RecipeKind::PreCommit, 1),
];

pub(super) struct Recipe {
    /// `PAGE-NUMBER`.
    pub(super) name: String,
    pub(super) kind: RecipeKind,
    pub(super) text: String,
}

/// All recipes of a checkout.
pub(super) fn recipes(root: &Path) -> Result<Vec<Recipe>> {
    let mut recipes = Vec::new();
    for page in files_below(&root.join("harness/guide/src"), &["md"])? {
        let stem = page.file_stem().unwrap_or_default().display();
        for (index, text) in blocks(&read(&page)?).into_iter().enumerate() {
            recipes.push(Recipe {
                name: format!("{stem}-{}", index + 1),
                kind: kind_of(&text),
                text,
            });
        }
    }
    for (kind, least) in LEAST {
        let found = recipes.iter().filter(|recipe| recipe.kind == kind).count();
        ensure!(
            found >= least,
            "the guide has {found} recipes of the kind {kind:?}, expected at least {least}"
        );
    }
    recipes.push(Recipe {
        name: "template".to_owned(),
        kind: RecipeKind::GitLabTemplate,
        text: template(root)?.1,
    });
    Ok(recipes)
}

/// The two documents of the template for GitLab: its inputs, and its job.
pub(super) fn template(root: &Path) -> Result<(String, String)> {
    let text = read(&root.join("templates/judge.yml"))?;
    let (inputs, job) =
        text.split_once("\n---\n").context("templates/judge.yml has no second document")?;
    Ok((inputs.to_owned(), job.to_owned()))
}

/// The blocks of YAML in a page.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while lines.any(|line| line == "```yaml") {
        let block = lines.by_ref().take_while(|line| *line != "```");
        blocks.push(block.flat_map(|line| [line, "\n"]).collect());
    }
    blocks
}

/// A file in a transcript starts with its name, so that it is no recipe.
fn kind_of(block: &str) -> RecipeKind {
    if block.contains("runs-on:") {
        RecipeKind::GitHub
    } else if block.contains("apiVersion:") {
        RecipeKind::Kubernetes
    } else if block.starts_with("repos:") {
        RecipeKind::PreCommit
    } else if block.lines().any(|line| line.starts_with("  script:")) {
        RecipeKind::GitLab
    } else {
        RecipeKind::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_of_yaml_count() {
        let page = "a\n```yaml\nb: 1\nc: 2\n```\n```sh\nd\n```\n\n```yaml\ne: 3\n```\n";
        assert_eq!(blocks(page), ["b: 1\nc: 2\n", "e: 3\n"]);
    }

    #[test]
    fn the_kind_of_a_recipe_is_in_its_text() {
        for (text, kind) in [
            ("jobs:\n  a:\n    runs-on: b\n", RecipeKind::GitHub),
            ("a:\n  script:\n    - b\n", RecipeKind::GitLab),
            ("apiVersion: v1\nkind: Job\n", RecipeKind::Kubernetes),
            ("repos:\n  - repo: a\n", RecipeKind::PreCommit),
            ("mixed:\n  permitted: [AC]\n", RecipeKind::Other),
            ("a:\n    script: b\n", RecipeKind::Other),
        ] {
            assert_eq!(kind_of(text), kind, "{text}");
        }
    }

    #[test]
    fn this_repository_has_enough_recipes() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let all = recipes(&root).expect("the recipes");
        assert!(all.iter().any(|recipe| recipe.name == "template"));
        assert!(recipes(&root.join("harness")).is_err());
    }
}
