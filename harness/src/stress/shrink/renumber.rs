//! New numbers for labels when some of them are dropped.

/// New numbers of the labels, and the line that is deleted for another reason.
#[derive(Debug, Clone)]
pub(super) struct Renumbering {
    /// The new label of each old one; `None`: it is dropped.
    pub(super) new: Vec<Option<i64>>,
    pub(super) left: usize,
    pub(super) without: Option<usize>,
}

/// Only these labels stay.
pub(super) fn kept(labels: &[bool]) -> Renumbering {
    let mut left = 0;
    let new = labels.iter().map(|stays| {
        stays.then(|| {
            left += 1;
            left - 1
        })
    });
    let new = new.collect();
    Renumbering { new, left: usize::try_from(left).unwrap_or(0), without: None }
}

/// One label becomes another one.
pub(super) fn merged(
    number: usize,
    label: usize,
    into: usize,
    without: Option<usize>,
) -> Renumbering {
    let labels: Vec<bool> = (0..number).map(|one| one != label).collect();
    let mut renumbering = kept(&labels);
    renumbering.new[label] = renumbering.new.get(into).copied().flatten();
    Renumbering { without, ..renumbering }
}
