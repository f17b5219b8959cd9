//! Sets the address of the project, in one step: in the metadata of the crates and of the wheel, in the recipes, which name
//! `example.com` until then, and in the links of README.md, which other sites show, too.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use crate::files::{files_below, read, write};

/// The folders of the recipes.
const RECIPES: [&str; 2] = ["harness/guide/src", "templates"];

/// What lines of recipes contain until they have the address.
const MISSING: [&str; 2] = ["example.com/rejudge", "uses: example/"];

/// `repository URL [FOLDER]`: the folder is a checkout; by default this one.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    let (url, folder) = match arguments {
        [url] => (url, "."),
        [url, folder] => (url, folder.as_str()),
        _ => bail!("wrong number of arguments\nhelp: cargo xtask repository URL [FOLDER]"),
    };
    set_address(url, Path::new(folder))?;
    Ok(ExitCode::SUCCESS)
}

/// Sets the address in a checkout. If that is not possible, no file changes.
pub(crate) fn set_address(url: &str, folder: &Path) -> Result<()> {
    let Some(project) = owner_and_name(url) else {
        bail!(
            "`{url}` is not the address of a repository\nhelp: cargo xtask repository https://HOST/OWNER/NAME"
        );
    };
    let workspace = read(&folder.join("Cargo.toml"))?;
    if let Some(line) = workspace.lines().find(|line| line.starts_with("repository")) {
        bail!(
            "Cargo.toml in {} already has an address: {line}\nhelp: change it there, and in the files that `git grep` finds",
            folder.display()
        );
    }

    let mut files = vec![("Cargo.toml".to_owned(), in_workspace(&workspace, url))];
    for name in crates(&workspace, folder)? {
        let text = in_crate(&read(&folder.join(&name))?);
        files.push((name, text));
    }
    let name = "harness/pyproject.toml";
    files.push((name.to_owned(), in_wheel(&read(&folder.join(name))?, url)));
    let name = "README.md";
    files.push((name.to_owned(), in_links(&read(&folder.join(name))?, url)));
    let mut changed = Vec::new();
    for (name, text) in files {
        let path = folder.join(&name);
        ensure!(text != read(&path)?, "{name} has no place for the address");
        changed.push((path, text));
    }

    let mut left = Vec::new();
    for recipes in RECIPES {
        for path in files_below(&folder.join(recipes), &["md", "yml"])? {
            let text = in_recipes(&read(&path)?, url, project);
            left.extend(without_address(&text).map(|line| format!("{}: {line}", path.display())));
            changed.push((path, text));
        }
    }
    ensure!(left.is_empty(), "these lines would still have no address:\n{}", left.join("\n"));
    for (path, text) in changed {
        write(&path, text)?;
    }
    Ok(())
}

/// The manifests of the crates that are published. They take the address from the workspace.
fn crates(workspace: &str, folder: &Path) -> Result<Vec<String>> {
    let manifest: toml::Table = workspace.parse()?;
    let members = manifest.get("workspace").and_then(|workspace| workspace.get("members"));
    let members =
        members.and_then(|members| members.as_array()).context("Cargo.toml lists no members")?;
    let mut crates = Vec::new();
    for member in members {
        let name = format!("{}/Cargo.toml", member.as_str().context("a member is no path")?);
        let manifest: toml::Table = read(&folder.join(&name))?.parse()?;
        let publish = manifest.get("package").and_then(|package| package.get("publish"));
        if publish.and_then(toml::Value::as_bool) != Some(false) {
            crates.push(name);
        }
    }
    Ok(crates)
}

/// `OWNER/NAME` of `https://HOST/OWNER/NAME`.
fn owner_and_name(url: &str) -> Option<&str> {
    let is_word = |word: &str, more: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    let (host, project) = url.strip_prefix("https://")?.split_once('/')?;
    let (owner, name) = project.split_once('/')?;
    let is_address = is_word(host, ".-") && is_word(owner, "._-") && is_word(name, "._-");
    is_address.then_some(project)
}

fn in_workspace(text: &str, url: &str) -> String {
    each_line(text, |line| match line.strip_prefix("license = ") {
        Some(_) => format!("{line}\nrepository = \"{url}\""),
        None => line.to_owned(),
    })
}

fn in_crate(text: &str) -> String {
    each_line(text, |line| match line {
        "license.workspace = true" => format!("{line}\nrepository.workspace = true"),
        _ => line.to_owned(),
    })
}

fn in_wheel(text: &str, url: &str) -> String {
    each_line(text, |line| match line {
        "[tool.maturin]" => format!("[project.urls]\nRepository = \"{url}\"\n\n{line}"),
        _ => line.to_owned(),
    })
}

/// What comes before a link, and before a picture, in a text in Markdown.
pub(crate) const BEFORE_LINKS: [&str; 3] = ["](", " src=\"", " srcset=\""];

/// The text with absolute instead of relative links. Those to pictures lead to the files themselves.
fn in_links(text: &str, url: &str) -> String {
    BEFORE_LINKS.iter().fold(text.to_owned(), |text, before| {
        let mut parts = text.split(before);
        let mut all = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_picture = *before != "](" || ends_picture(&all);
            all += before;
            if is_relative(part) {
                all.extend([url, if is_picture { "/raw/HEAD/" } else { "/blob/HEAD/" }]);
            }
            all += part;
        }
        all
    })
}

/// Whether the last bracket that a text opens is that of a picture: `![`.
fn ends_picture(text: &str) -> bool {
    text.rfind('[').is_some_and(|open| text[..open].ends_with('!'))
}

/// Whether the text after the start of a link starts with the path of a file in the repository.
fn is_relative(link: &str) -> bool {
    match link.find(['(', ')', ':', '#', '"']) {
        None | Some(0) => false,
        Some(end) => !link[end..].starts_with(':'),
    }
}

fn in_recipes(text: &str, url: &str, project: &str) -> String {
    each_line(text, |line| {
        let line = line
            .replace("https://example.com/rejudge", url)
            .replace("uses: example/rejudge@", &format!("uses: {project}@"));
        let notes = ["   # replace with your URL", "   # replace with your repository"];
        let bare = notes.iter().find_map(|note| line.strip_suffix(note));
        bare.unwrap_or(&line).to_owned()
    })
}

/// The lines of a recipe that name no project.
fn without_address(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| MISSING.iter().any(|missing| line.contains(missing)))
}

fn each_line(text: &str, change: impl Fn(&str) -> String) -> String {
    let lines = text.split('\n').map(change);
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://forge.example/some-one/re.judge";

    #[test]
    fn an_address_has_a_host_an_owner_and_a_name() {
        assert_eq!(owner_and_name(URL), Some("some-one/re.judge"));
        for wrong in [
            "",
            "forge.example/a/b",
            "http://forge.example/a/b",
            "https://forge.example/a",
            "https://forge.example/a/b/c",
            "https://forge.example/a/b/",
            "https://forge.example//b",
            "https://forge.example/a/b c",
            "https://for_ge.example/a/b",
        ] {
            assert_eq!(owner_and_name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn manifests_get_the_address() {
        assert_eq!(
            in_workspace("a = 1\nlicense = \"MIT\"\n", "U"),
            "a = 1\nlicense = \"MIT\"\nrepository = \"U\"\n"
        );
        assert_eq!(
            in_crate("license.workspace = true\nb = 1\n"),
            "license.workspace = true\nrepository.workspace = true\nb = 1\n"
        );
        assert_eq!(
            in_wheel("a\n\n[tool.maturin]\nb\n", "U"),
            "a\n\n[project.urls]\nRepository = \"U\"\n\n[tool.maturin]\nb\n"
        );
    }

    #[test]
    fn only_relative_links_become_absolute() {
        let text = "[a](A.md), [b](b/B.md#part) [c](#part) [d](https://x.example/y) [e]";
        assert_eq!(
            in_links(text, "U"),
            "[a](U/blob/HEAD/A.md), [b](U/blob/HEAD/b/B.md#part) [c](#part) [d](https://x.example/y) [e]"
        );
        assert_eq!(
            in_links(
                "![p](p.png)\n<img alt=\"a\" src=\"i/a.svg\"><source srcset=\"https://x.example/b.svg\">",
                "U"
            ),
            "![p](U/raw/HEAD/p.png)\n<img alt=\"a\" src=\"U/raw/HEAD/i/a.svg\"><source srcset=\"https://x.example/b.svg\">"
        );
    }

    #[test]
    fn recipes_lose_their_notes() {
        let text = "- uses: example/rejudge@v1   # replace with your repository\n- https://example.com/rejudge/x   # replace with your URL\n";
        assert_eq!(in_recipes(text, "https://h/o/n", "o/n"), "- uses: o/n@v1\n- https://h/o/n/x\n");
        let left =
            "uses: example/other@v1\nimage: example.com/problems\nhttp://example.com/rejudge";
        let lines: Vec<_> = without_address(left).collect();
        assert_eq!(lines, ["uses: example/other@v1", "http://example.com/rejudge"]);
    }

    const WORKSPACE: &str = "[workspace]\nmembers = [\"harness\", \"benches\"]\n[workspace.package]\nlicense = \"MIT\"\n";

    /// A checkout with one recipe.
    fn checkout(recipe: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a folder");
        let put = |name: &str, text: &str| write(&dir.path().join(name), text).expect("a file");
        put("Cargo.toml", WORKSPACE);
        put("harness/Cargo.toml", "[package]\nlicense.workspace = true\n");
        put("benches/Cargo.toml", "[package]\npublish = false\n");
        put("harness/pyproject.toml", "[tool.maturin]\n");
        put("README.md", "[a](A.md)\n");
        put("harness/guide/src/ci.md", recipe);
        put("templates/judge.yml", "");
        dir
    }

    #[test]
    fn the_address_is_set_once() {
        let dir = checkout("uses: example/rejudge@v1\n");
        set_address(URL, dir.path()).expect("a checkout without an address");
        let member = read(&dir.path().join("harness/Cargo.toml")).expect("a file");
        assert!(member.ends_with("repository.workspace = true\n"), "{member}");
        let recipe = read(&dir.path().join("harness/guide/src/ci.md")).expect("a file");
        assert_eq!(recipe, "uses: some-one/re.judge@v1\n");
        let error = set_address(URL, dir.path()).expect_err("it has one");
        assert!(error.to_string().contains("already has an address"));
    }

    #[test]
    fn without_a_place_for_it_nothing_changes() {
        let dir = checkout("uses: example/other@v1\n");
        assert!(set_address(URL, dir.path()).is_err());
        let text = read(&dir.path().join("Cargo.toml")).expect("a file");
        assert_eq!(text, WORKSPACE);
        let dir = checkout("");
        write(&dir.path().join("harness/Cargo.toml"), "[package]\n").expect("a file");
        assert!(set_address(URL, dir.path()).is_err());
    }
}
