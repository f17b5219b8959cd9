//! Names of files that a source puts together: `(name + ".in").c_str()`, `TASK ".in"`, `f"{name}.in"`.

/// The most stems to try. Each is a file in the working folder of every run.
const MOST_STEMS: usize = 16;

/// The longest text that is taken for a stem.
const LONGEST: usize = 32;

/// Texts that say how a file is opened or written, and not which.
const MODES: [&str; 12] =
    ["r", "w", "a", "rt", "wt", "rb", "wb", "rw", "ru", "utf8", "utf-8", "UTF-8"];

/// The endings without a stem, in quotes: `in` of `".in"` and of `"%s.in"`. Each once.
pub(super) fn endings(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    each_literal(text, |part| {
        if let Some((stem, ending)) = part.rsplit_once('.')
            && (stem.is_empty() || is_placeholder(stem))
            && !ending.is_empty()
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && !found.iter().any(|known| known == ending)
        {
            found.push(ending.to_owned());
        }
    });
    found
}

/// Whether the text stands for another one in a format: `%s`, `{}`, `{name}`, `${name}`, `$name`, `#{name}`.
fn is_placeholder(text: &str) -> bool {
    let is_name =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let braces = text.strip_prefix(['$', '#']).unwrap_or(text);
    let in_braces = braces.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    text == "%s"
        || in_braces.is_some_and(|inner| !inner.contains(['{', '}', '/']))
        || text.strip_prefix('$').is_some_and(is_name)
}

/// What may come before the ending: `first`, then the texts in quotes that are one word. Each once.
pub(super) fn stems(text: &str, first: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |stem: &str| {
        if found.len() < MOST_STEMS && !found.iter().any(|known| known == stem) {
            found.push(stem.to_owned());
        }
    };
    for stem in first {
        add(stem);
    }
    each_literal(text, |part| {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        let is_short = (1..=LONGEST).contains(&part.len());
        if is_short && part.bytes().all(is_word) && !MODES.contains(&part) {
            add(part);
        }
    });
    found
}

/// Calls `use_text` with each text that is between two quotes of a line.
pub(super) fn each_literal(text: &str, mut use_text: impl FnMut(&str)) {
    for line in text.lines() {
        if line.trim_start().starts_with("#include") {
            continue;
        }
        for quote in ['"', '\'', '`'] {
            // A name has no quotes, so every second part is between two of them, from one of both sides.
            line.split(quote).skip(1).for_each(&mut use_text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_put_together_in_any_language() {
        let table: [(&str, &[&str], &[&str]); 9] = [
            ("freopen((s + \".in\").c_str(), \"r\", stdin); open(\"gift\");", &["in"], &["gift"]),
            (
                "#define TASK \"hash\"\nifstream in(TASK \".in\"), out(TASK \".out\");",
                &["in", "out"],
                &["hash"],
            ),
            ("name='gift'\nopen(f'{name}.in')", &["in"], &["gift"]),
            ("open('%s.in' % name)", &["in"], &[]),
            ("open(`${NAME}.in`), \"$NAME.out\"", &["out", "in"], &[]),
            ("File.open(\"#{name}.in\")", &["in"], &[]),
            ("String NAME=\"gift\"; new FileReader(NAME+\".in\")", &["in"], &["gift"]),
            ("open('test.in'); open('{}/{}.in')", &[], &[]),
            ("print('.'); print('...')", &[], &[]),
        ];
        for (text, ends, words) in table {
            assert_eq!(endings(text), ends, "{text}");
            assert_eq!(stems(text, &[]), words, "{text}");
        }
    }

    #[test]
    fn the_number_of_stems_is_limited_and_the_given_ones_come_first() {
        let words: Vec<String> = (0..40).map(|n| format!("'word{n}'")).collect();
        let text = words.join(" ");
        let all = stems(&text, &["own", "folder", "own"]);
        assert_eq!(
            (all.len(), &all[..3]),
            (MOST_STEMS, &["own", "folder", "word0"].map(str::to_owned)[..])
        );
    }
}
