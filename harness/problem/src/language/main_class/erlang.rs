//! The module of an Erlang source: the compiler demands that the file is named after it.

use super::ClassNames;

/// The module that `-module(…).` declares.
pub(in crate::language) fn erlang(text: &str) -> ClassNames {
    let declared = text.lines().find_map(|line| line.trim_start().strip_prefix("-module("));
    let name = declared.and_then(|rest| rest.split_once(')')).map(|(name, _)| name.trim());
    let name = name.map(|name| name.trim_matches('\'').to_owned());
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '.');
    let name = name.filter(|name| !name.is_empty() && name.chars().all(plain));
    ClassNames { file_stem: name.clone(), main_class: name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_is_the_declared_one() {
        let table = [
            ("% x\n-module(sum).\n-export([main/0]).\n", Some("sum")),
            ("  -module( 'Main' ).\n", Some("Main")),
            ("-module('../x').\n", None),
            ("main(_) -> ok.\n", None),
        ];
        for (text, name) in table {
            let name = name.map(str::to_owned);
            let expected = ClassNames { file_stem: name.clone(), main_class: name };
            assert_eq!(erlang(text), expected, "{text}");
        }
    }
}
