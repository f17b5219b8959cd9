//! The paths that travel between machines: relative, with `/`, and never out of their folder.

/// Maximum length of a path, in bytes, and of each of its parts.
const PATH: usize = 4096;
const PART: usize = 255;

/// Why a path must not be used.
pub(super) fn fault(path: &str) -> Option<&'static str> {
    if path.is_empty() || path.len() > PATH {
        return Some("it is empty or too long");
    }
    path.split('/').find_map(|part| match part {
        "" => Some("it is absolute, or has an empty part"),
        "." | ".." => Some("it leads out of its folder"),
        _ if part.len() > PART => Some("a part of it is too long"),
        _ if part.contains('\0') => Some("it has a NUL"),
        _ => None,
    })
}

/// Whether a path that a user may have written stays in its folder.
pub(super) fn stays_inside(path: &str) -> bool {
    let path = path.trim_end_matches('/');
    path == "." || fault(path.strip_prefix("./").unwrap_or(path)).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_elsewhere_are_rejected() {
        for good in ["a", "a/b.in", "a/..b", "ä/ü"] {
            assert_eq!(fault(good), None, "{good}");
            assert!(stays_inside(good), "{good}");
        }
        for bad in ["", "/etc/passwd", "a//b", "../a", "a/../../b", "a/.", "a\0b", "a/"] {
            assert!(fault(bad).is_some(), "{bad}");
        }
        assert!(fault(&"x".repeat(256)).is_some());
        assert!(fault(&"x/".repeat(2048)).is_some());
        for inside in [".", "./a", "a/"] {
            assert!(stays_inside(inside), "{inside}");
        }
        for outside in ["..", "/", "./../a"] {
            assert!(!stays_inside(outside), "{outside}");
        }
    }
}
