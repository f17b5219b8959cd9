//! The names of old COCI and old USACO: `TASK.in.3` and `I.3`, and `TASK.in.1a` and `I.1a` for case `a` of group 1.

/// The names of the case of COCI and of its answer; `None`: the file is not an input.
pub(super) fn reads(name: &str) -> Option<(String, String)> {
    let (task, id) = name.split_once(".in.")?;
    let is_input = !task.is_empty() && !id.is_empty();
    is_input.then(|| (grouped(task, id), format!("{task}.out.{id}")))
}

/// The same of USACO.
pub(super) fn reads_initials(name: &str) -> Option<(String, String)> {
    let id = name.strip_prefix("I.").filter(|id| !id.is_empty())?;
    Some((grouped("", id), format!("O.{id}")))
}

/// The name of a case: letters after a number tell the cases of a group apart.
fn grouped(task: &str, id: &str) -> String {
    let name = match task {
        "" => id.to_owned(),
        task => format!("{task}.{id}"),
    };
    let number = id.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if number.len() < id.len() && is_number(number) { format!("{number}/{name}") } else { name }
}

/// Whether the text is a number of at most nine digits.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())
}
