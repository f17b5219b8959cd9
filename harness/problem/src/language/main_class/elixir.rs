//! The module of an Elixir source that starts: one with a function `main` without parameters.

use super::{ClassNames, main_or_first};

/// The module `Main` if it has a function `main`, otherwise the first module that has one.
pub(in crate::language) fn elixir(text: &str) -> ClassNames {
    let (mut module, mut found) = ("", Vec::new());
    for line in text.lines().map(str::trim_start) {
        if let Some(rest) = line.strip_prefix("defmodule ") {
            module = rest.split([' ', ',']).next().unwrap_or_default();
        } else if let Some(rest) = line.strip_prefix("def main") {
            let rest = rest.trim_start();
            let is_plain =
                rest.starts_with("do") || rest.starts_with("()") || rest.starts_with(',');
            if is_plain && !module.is_empty() {
                found.push(module);
            }
        }
    }
    ClassNames { file_stem: None, main_class: main_or_first(&found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_with_main_starts() {
        let table = [
            ("defmodule A do\n  def main do\n  end\nend\n", Some("A")),
            ("defmodule A.B do\n  def main(), do: 1\nend\n", Some("A.B")),
            (
                "defmodule A do\n def main, do: 1\nend\ndefmodule Main do\n def main do\n end\nend\n",
                Some("Main"),
            ),
            ("defmodule A do\n  def main(x), do: x\n  defp main do\n  end\nend\n", None),
            ("IO.puts(1)\n", None),
        ];
        for (text, name) in table {
            assert_eq!(elixir(text).main_class.as_deref(), name, "{text}");
        }
    }
}
