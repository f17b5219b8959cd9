//! Addresses of places in the page, which its script shows.

use std::fmt::Write as _;

use crate::show::page::clean;

/// The part of an address that names a place in the page: `p=klotski&s=solutions/a.rs`.
pub(super) fn fragment(parts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (key, value) in parts {
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(key);
        text.push('=');
        // The script finds names as it shows them.
        for byte in clean::name(value).bytes() {
            if byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte) {
                text.push(char::from(byte));
            } else {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}
