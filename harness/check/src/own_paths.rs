//! The paths in messages of programs: tracebacks name files of the cache, users know the source.

use std::path::Path;

/// How the files of an artefact are called for users.
#[derive(Debug, Clone, Default)]
pub struct OwnPaths {
    /// The folder of all artefacts, with a slash at its end. Empty: nothing is renamed.
    root: String,
    /// The name of the file that starts. Empty for a folder of sources.
    name: String,
    /// The path of the source.
    shown: String,
}

impl OwnPaths {
    /// The paths of an artefact in the folder `root` of all artefacts. It calls its source `name`, and users know it as `shown`. The
    /// name is empty for a folder of sources.
    pub fn new(root: &Path, name: &str, shown: &str) -> Self {
        Self {
            root: format!("{}/", root.display()),
            name: name.to_owned(),
            shown: shown.to_owned() + if name.is_empty() { "/" } else { "" },
        }
    }

    /// The message of the program, with the paths of the source.
    pub fn in_message(&self, bytes: Vec<u8>) -> Vec<u8> {
        if self.root.is_empty() {
            return bytes;
        }
        let mut out = Vec::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            out.extend_from_slice(self.in_text(chunk.valid()).as_bytes());
            out.extend_from_slice(chunk.invalid());
        }
        out
    }

    fn in_text(&self, text: &str) -> String {
        let folder = if self.name.is_empty() { &self.shown } else { "" };
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(&self.root) {
            let (before, found) = rest.split_at(at);
            out.push_str(before);
            let after = &found[self.root.len()..];
            let below = below_artefact(after);
            out.push_str(below.map_or(&self.root, |_| folder));
            rest = below.unwrap_or(after);
        }
        out.push_str(rest);
        if self.name.is_empty() { out } else { rename(&out, &self.name, &self.shown) }
    }
}

/// `a.py…` of `KEY/files/a.py…`. Debug symbols contain the folder of the compilation, `new-…/work/`.
fn below_artefact(path: &str) -> Option<&str> {
    let (key, rest) = path.split_once('/')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let rest = rest.strip_prefix("files/").or_else(|| rest.strip_prefix("work/"))?;
    key.chars().all(is_name).then_some(rest)
}

/// Replaces `name` with `shown` where it is a whole path.
pub fn rename(text: &str, name: &str, shown: &str) -> String {
    let joined = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '\\');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, found) = rest.split_at(at);
        let after = &found[name.len()..];
        // Without the folder of the artefact, `file:///c/artefacts/…/a.ts` is `file://a.ts`.
        let here = ["./", "file://"].iter().find_map(|prefix| before.strip_suffix(prefix));
        let here = here.unwrap_or(before);
        let alone = !here.ends_with(joined) && !here.ends_with('.') && !after.starts_with(joined);
        out.push_str(if alone { here } else { before });
        out.push_str(if alone { shown } else { name });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_cache_become_those_of_the_source() {
        let key = "0123456789abcdef".repeat(4);
        let of_file = OwnPaths {
            root: "/c/artefacts/".to_owned(),
            name: "Main.java".to_owned(),
            shown: "s/p/a.java".to_owned(),
        };
        let of_folder =
            OwnPaths { name: String::new(), shown: "s/p/f/".to_owned(), ..of_file.clone() };
        let table = [
            (
                &of_file,
                format!("File \"/c/artefacts/{key}/files/Main.java\", line 1"),
                "File \"s/p/a.java\", line 1",
            ),
            (&of_file, "at Main.main(Main.java:3)".to_owned(), "at Main.main(s/p/a.java:3)"),
            (&of_file, "/c/artefacts/new-Xy1/work/Main.java:3".to_owned(), "s/p/a.java:3"),
            (&of_file, "file:///c/artefacts/new-Xy1/work/Main.java:3".to_owned(), "s/p/a.java:3"),
            (&of_file, "file:///c/Main.java:3".to_owned(), "file:///c/Main.java:3"),
            (&of_file, "/c/artefacts/ /files/x".to_owned(), "/c/artefacts/ /files/x"),
            (
                &of_folder,
                format!("at /c/artefacts/{key}/files/b/c.js:3:1)"),
                "at s/p/f/b/c.js:3:1)",
            ),
        ];
        for (paths, text, expected) in table {
            assert_eq!(paths.in_text(&text), expected);
        }
        let bytes = b"\xff Main.java\n".to_vec();
        assert_eq!(of_file.in_message(bytes.clone()), b"\xff s/p/a.java\n");
        assert_eq!(OwnPaths::default().in_message(bytes.clone()), bytes);
    }
}
