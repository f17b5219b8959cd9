//! Families of growth, from constant to exponential.

use std::fmt;
use std::str::FromStr;

use crate::notice::nearest;

/// A family of growth, from the slowest to the fastest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    One,
    Log,
    Linear,
    Linearithmic,
    RootTimes,
    Square,
    SquareLog,
    Cube,
    Exponential,
}

use Family::{Cube, Exponential, Linear, Linearithmic, Log, One, RootTimes, Square, SquareLog};

impl Family {
    /// All families, from the slowest to the fastest growth.
    pub(crate) const ALL: [Self; 9] =
        [One, Log, Linear, Linearithmic, RootTimes, Square, SquareLog, Cube, Exponential];

    /// The value of the family at `n` as a fraction of its value at `top`; `n` and `top` are at least 1.
    pub(crate) fn share(self, n: f64, top: f64) -> f64 {
        let ratio = n / top;
        // Of `n + 1`, because the logarithm of 1 is zero, but a size of 1 has a cost.
        let logs = (n + 1.0).ln() / (top + 1.0).ln();
        match self {
            One => 1.0,
            Log => logs,
            Linear => ratio,
            Linearithmic => ratio * logs,
            RootTimes => ratio * ratio.sqrt(),
            Square => ratio * ratio,
            SquareLog => ratio * ratio * logs,
            Cube => ratio * ratio * ratio,
            Exponential => (n - top).exp2(),
        }
    }

    /// The family times a logarithm, if it is a family.
    pub(crate) const fn times_log(self) -> Option<Self> {
        match self {
            One => Some(Log),
            Linear => Some(Linearithmic),
            Square => Some(SquareLog),
            _ => None,
        }
    }

    /// The usual notation.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            One => "1",
            Log => "log n",
            Linear => "n",
            Linearithmic => "n log n",
            RootTimes => "n√n",
            Square => "n²",
            SquareLog => "n² log n",
            Cube => "n³",
            Exponential => "2ⁿ",
        }
    }

    /// The notation in ASCII.
    const fn plain(self) -> &'static str {
        match self {
            RootTimes => "n sqrt n",
            Square => "n^2",
            SquareLog => "n^2 log n",
            Cube => "n^3",
            Exponential => "2^n",
            other => other.name(),
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that is not the name of a family.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("not one of `{}`{}", Family::ALL.map(Family::plain).join("`, `"), meant(*.nearest))]
pub(crate) struct UnknownFamily {
    nearest: Option<&'static str>,
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

impl FromStr for Family {
    type Err = UnknownFamily;

    fn from_str(text: &str) -> Result<Self, UnknownFamily> {
        let key = |text: &str| -> String {
            let text = text.to_lowercase();
            let inner = text.strip_prefix("o(").and_then(|rest| rest.strip_suffix(')'));
            let kept = inner.unwrap_or(&text).chars();
            kept.filter(|c| !c.is_whitespace() && !"*·^()".contains(*c)).collect()
        };
        let wanted = key(text);
        let spelt = |family: &Self| {
            let more: &[&str] = match family {
                RootTimes => &["n1.5", "n3/2"],
                Log => &["ln n"],
                Linearithmic => &["n ln n"],
                _ => &[],
            };
            let names = [family.name(), family.plain()];
            names.iter().chain(more).any(|name| key(name) == wanted)
        };
        let unknown = || UnknownFamily { nearest: nearest(text, Self::ALL.map(Self::plain)) };
        Self::ALL.into_iter().find(spelt).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_recognised_in_any_usual_notation() {
        let table = [
            ("1", One),
            ("O(1)", One),
            ("log n", Log),
            ("N Log N", Linearithmic),
            ("n*log(n)", Linearithmic),
            ("O(n log n)", Linearithmic),
            ("n sqrt(n)", RootTimes),
            ("n√n", RootTimes),
            ("n^1.5", RootTimes),
            ("n²", Square),
            ("n^2", Square),
            ("n^2 log n", SquareLog),
            ("n³", Cube),
            ("2^n", Exponential),
            ("2ⁿ", Exponential),
        ];
        for (text, family) in table {
            assert_eq!(text.parse(), Ok(family), "{text}");
        }
        for family in Family::ALL {
            assert_eq!(family.name().parse(), Ok(family));
            assert_eq!(family.plain().parse(), Ok(family));
        }
        let error = "n logn n".parse::<Family>().unwrap_err();
        assert_eq!(error.nearest, Some("n log n"));
        assert!("".parse::<Family>().is_err());
    }

    #[test]
    fn each_family_grows_faster_than_the_one_before() {
        for two in Family::ALL.windows(2) {
            let (slow, fast) = (two[0].share(100.0, 1e4), two[1].share(100.0, 1e4));
            assert!(fast < slow, "{two:?}: {slow} {fast}");
            assert!((two[1].share(1e4, 1e4) - 1.0).abs() < 1e-12);
        }
    }
}
