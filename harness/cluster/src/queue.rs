//! Units of work, and the queues that they wait in.

/// A unit of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Unit {
    /// The run.
    pub run: String,
    /// The number in the run.
    pub number: usize,
}

/// The workers that a unit is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Queue {
    /// All of them.
    Any,
    /// Those of a class of machines.
    Class(String),
}

impl Queue {
    /// The start of its subjects. Only submitters write to them.
    fn prefix(&self) -> String {
        match self {
            Self::Any => "rejudge.work.any".to_owned(),
            Self::Class(class) => format!("rejudge.again.{}", token_of(class)),
        }
    }

    /// The name of the consumer.
    pub(crate) fn consumer(&self) -> String {
        match self {
            Self::Any => "workers".to_owned(),
            Self::Class(class) => format!("workers-{}", token_of(class)),
        }
    }

    pub(crate) fn subject(&self, run: &str, unit: usize) -> String {
        format!("{}.{run}.{unit}", self.prefix())
    }

    pub(crate) fn filter(&self) -> String {
        format!("{}.>", self.prefix())
    }
}

/// A part of a subject for the name of a class, which may have any characters.
fn token_of(class: &str) -> String {
    blake3::hash(class.as_bytes()).to_hex()[..16].to_owned()
}

/// Whether the text may be a part of a subject: letters, digits, `-` and `_`, at most 64.
#[must_use]
pub fn is_token(text: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&text.len()) && text.bytes().all(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_no_wildcards_dots_or_spaces() {
        for good in ["a", "run-1_B", &"x".repeat(64)] {
            assert!(is_token(good), "{good}");
        }
        for bad in ["", "a.b", "*", ">", "a b", "ä", &"x".repeat(65)] {
            assert!(!is_token(bad), "{bad}");
        }
    }

    #[test]
    fn classes_of_machines_have_subjects_of_their_own() {
        let class = Queue::Class("Intel(R) Xeon. > *".to_owned());
        let subject = class.subject("r", 7);
        assert!(subject.starts_with("rejudge.again."), "{subject}");
        assert!(subject.ends_with(".r.7"), "{subject}");
        assert!(subject.split('.').all(is_token), "{subject}");
        assert_eq!(Queue::Any.subject("r", 7), "rejudge.work.any.r.7");
    }
}
