//! Quotes texts for the files that an import writes.

/// A quoted text that both YAML and JSON read, without control characters.
pub(crate) fn quoted(text: &str) -> String {
    let clean: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect();
    serde_json::to_string(clean.trim()).unwrap_or_default()
}
