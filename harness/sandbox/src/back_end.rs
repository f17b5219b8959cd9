//! The combinations of protections that machines offer.

use crate::protection::Protection;

/// A kind of machine, named by the best protections that were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum BackEnd {
    /// Namespaces of root, limits by cgroup v2.
    RootCgroup2,
    /// Namespaces of root, limits by cgroup v1.
    RootCgroup1,
    /// Namespaces of root, without control groups that limit.
    Root,
    /// User namespaces, limits by a delegated cgroup v2.
    UserCgroup2,
    /// User namespaces, without control groups that limit.
    User,
    /// No namespaces: seccomp, Landlock and resource limits, as far as they exist.
    Plain,
}

/// Each back end with its name in reports and its description, in the order of the variants.
const TABLE: [(BackEnd, &str, &str); 6] = [
    (BackEnd::RootCgroup2, "root_cgroup2", "root with namespaces and cgroup v2"),
    (BackEnd::RootCgroup1, "root_cgroup1", "root with namespaces and cgroup v1"),
    (BackEnd::Root, "root", "root with namespaces, without control groups"),
    (BackEnd::UserCgroup2, "user_cgroup2", "user namespaces and a delegated cgroup v2"),
    (BackEnd::User, "user", "user namespaces, without control groups"),
    (BackEnd::Plain, "plain", "no namespaces: seccomp, Landlock and resource limits"),
];

impl BackEnd {
    /// All back ends.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Plain; TABLE.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = TABLE[index].0;
            index += 1;
        }
        all
    };

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Its protections in short.
    pub fn describe(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// Whether every machine of this kind has this protection. Of two alternatives, either counts.
    pub fn gives(self, protection: Protection) -> bool {
        match self {
            Self::RootCgroup2 | Self::RootCgroup1 | Self::UserCgroup2 => true,
            Self::Root | Self::User => protection.isolates(),
            Self::Plain => matches!(
                protection,
                Protection::NoNewPrivileges
                    | Protection::NoCapabilities
                    | Protection::Seccomp
                    | Protection::Landlock
                    | Protection::JudgeNotDumpable
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_back_end_has_one_row() {
        for (place, back_end) in BackEnd::ALL.into_iter().enumerate() {
            assert_eq!(back_end as usize, place, "{back_end:?}");
        }
    }
}
