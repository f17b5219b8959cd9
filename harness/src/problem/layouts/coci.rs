//! The names of old COCI: `TASK.in.3`, and `TASK.in.1a` for case `a` of group 1.

/// The names of the case and of its answer; `None`: the file is not an input.
pub(super) fn reads(name: &str) -> Option<(String, String)> {
    let (task, number) = name.rsplit_once(".in.")?;
    let digits = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let case = match number.len() - digits.len() {
        0 => format!("{task}.{number}"),
        // The letter tells the cases of a group apart.
        1 => format!("{digits}/{task}.{number}"),
        _ => return None,
    };
    let is_input = is_number(digits) && !task.is_empty();
    is_input.then(|| (case, format!("{task}.out.{number}")))
}

/// Whether the text is a number of at most nine digits.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())
}
