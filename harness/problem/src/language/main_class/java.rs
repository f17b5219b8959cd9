//! The names in a Java source.

mod entry;

use entry::{JavaEntry, entry, words_before};

use super::tokens::{Literals, tokens};
use super::{ClassNames, Preference, dotted_after, is_name, with_package};

/// The longest chain of classes that inherit a `main`.
const GENERATIONS: usize = 32;

/// The names in the Java source `stem`.java, for the release of the installed Java: the file is named after its public class,
/// and the program starts in the class that is first in the order of [`Preference`].
pub(in crate::language) fn java(source: &str, stem: &str, release: Option<u32>) -> ClassNames {
    let tokens = tokens(source, Literals::Java);
    let package = dotted_after(&tokens, "package");
    let declared = JavaSource::read(&tokens, release);
    if declared.has_main_outside {
        // The class that the compiler adds has the name of the file, which must be an identifier.
        let fits = is_name(stem) && stem.chars().all(|c| c.is_alphanumeric() || c == '_');
        let name = if fits { stem } else { "Main" };
        return ClassNames { file_stem: Some(name.to_owned()), main_class: Some(name.to_owned()) };
    }
    let outermost = || declared.classes.iter().filter(|class| class.is_outermost());
    let public = outermost().find(|class| class.is_public);
    let named = outermost().find(|class| class.name == stem);
    let file = public.or(named).or_else(|| outermost().next());
    let main = declared.main(stem);
    ClassNames {
        file_stem: file.map(|class| class.name.to_owned()),
        main_class: main.map(|main| with_package(package.as_deref(), &main)),
    }
}

/// Where a class is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClassPlace {
    Outermost,
    /// In the class with this index.
    Member(usize),
    /// In a method; nothing starts there.
    Local,
}

/// A class, interface, enum or record.
#[derive(Debug)]
struct JavaClass<'a> {
    name: &'a str,
    place: ClassPlace,
    /// The number of open braces around it.
    depth: usize,
    is_public: bool,
    is_interface: bool,
    /// Whether Java can create an object of it.
    is_concrete: bool,
    /// The class that it extends, and the interfaces.
    parents: Vec<&'a str>,
    main: Option<JavaEntry>,
}

impl JavaClass<'_> {
    fn is_outermost(&self) -> bool {
        self.place == ClassPlace::Outermost
    }
}

/// The declarations of a source.
struct JavaSource<'a> {
    classes: Vec<JavaClass<'a>>,
    /// Whether a `main` is in no class.
    has_main_outside: bool,
}

impl<'a> JavaSource<'a> {
    fn read(tokens: &[&'a str], release: Option<u32>) -> Self {
        let mut found = Self { classes: Vec::new(), has_main_outside: false };
        let mut open: Vec<usize> = Vec::new();
        let mut depth = 0_usize;
        for (at, &token) in tokens.iter().enumerate() {
            match token {
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    open.retain(|class| found.classes[*class].depth < depth);
                }
                "class" | "interface" | "enum" | "record" => {
                    let around = open.last().copied();
                    if let Some(class) = found.class(tokens, at, depth, around) {
                        open.push(found.classes.len());
                        found.classes.push(class);
                    }
                }
                "main" => found.add_main(tokens, at, depth, open.last().copied(), release),
                _ => {}
            }
        }
        found
    }

    /// The class whose keyword is the token `at`.
    fn class(
        &self,
        tokens: &[&'a str],
        at: usize,
        depth: usize,
        around: Option<usize>,
    ) -> Option<JavaClass<'a>> {
        if at > 0 && tokens[at - 1] == "." {
            return None;
        }
        let name = *tokens.get(at + 1).filter(|name| is_name(name))?;
        let place = match around {
            None => ClassPlace::Outermost,
            Some(outer) if self.classes[outer].depth + 1 == depth => ClassPlace::Member(outer),
            Some(_) => ClassPlace::Local,
        };
        let words: Vec<&str> = words_before(&tokens[..at]).collect();
        let is_inner = match place {
            ClassPlace::Outermost => false,
            ClassPlace::Member(outer) => {
                !words.contains(&"static") && !self.classes[outer].is_interface
            }
            ClassPlace::Local => true,
        };
        Some(JavaClass {
            name,
            place,
            depth,
            is_public: words.contains(&"public"),
            is_interface: tokens[at] == "interface",
            is_concrete: tokens[at] == "class" && !words.contains(&"abstract") && !is_inner,
            parents: parents(&tokens[at + 2..]),
            main: None,
        })
    }

    /// Notes the `main` at the token `at` if it can start a program.
    fn add_main(
        &mut self,
        tokens: &[&str],
        at: usize,
        depth: usize,
        around: Option<usize>,
        release: Option<u32>,
    ) {
        let class = around.map(|class| &mut self.classes[class]);
        let is_in_interface = class.as_ref().is_some_and(|class| class.is_interface);
        let Some(found) = entry(tokens, at, is_in_interface, release) else {
            return;
        };
        match class {
            Some(class) if class.depth + 1 == depth => {
                class.main = Some(class.main.map_or(found, |old| old.min(found)));
            }
            None if depth == 0 => self.has_main_outside = true,
            _ => {}
        }
    }

    /// The binary name of the class that starts.
    fn main(&self, stem: &str) -> Option<String> {
        let starts = self.classes.iter().enumerate().filter_map(|(index, class)| {
            let path = self.path(index)?;
            let main = self.main_of(index, GENERATIONS)?;
            let fits = main != JavaEntry::OfObject || class.is_concrete;
            let preference = if class.is_outermost() && class.is_public {
                Preference::Public
            } else {
                Preference::of(class.name, stem, !class.is_outermost())
            };
            fits.then_some((preference, main, path))
        });
        let first = starts.min_by_key(|(preference, main, _)| (*preference, *main));
        first.map(|(_, _, path)| path)
    }

    /// The `main` of a class, its own or inherited. The static methods of an interface are not inherited.
    fn main_of(&self, index: usize, generations: usize) -> Option<JavaEntry> {
        let class = &self.classes[index];
        let own = class.main;
        if own.is_some() || generations == 0 {
            return own;
        }
        let named = |parent: &&str| self.classes.iter().position(|class| class.name == *parent);
        let parents = class.parents.iter().filter_map(named);
        let inherited = parents.filter_map(|parent| {
            let main = self.main_of(parent, generations - 1)?;
            let passes = main == JavaEntry::OfObject || !self.classes[parent].is_interface;
            passes.then_some(main)
        });
        inherited.min()
    }

    /// The binary name of a class; `None` for a local one.
    fn path(&self, index: usize) -> Option<String> {
        let class = &self.classes[index];
        match class.place {
            ClassPlace::Outermost => Some(class.name.to_owned()),
            ClassPlace::Member(outer) => Some(format!("{}${}", self.path(outer)?, class.name)),
            ClassPlace::Local => None,
        }
    }
}

/// The names of the types after `extends` and `implements`, without packages and type arguments.
fn parents<'a>(header: &[&'a str]) -> Vec<&'a str> {
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut is_listed = false;
    let body = header.iter().take_while(|token| !matches!(**token, "{" | ";"));
    for &token in body {
        match token {
            "<" | "(" => depth += 1,
            ">" | ")" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            "extends" | "implements" => is_listed = true,
            "permits" => is_listed = false,
            "." => {
                names.pop();
            }
            _ if is_listed && is_name(token) => names.push(token),
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests;
