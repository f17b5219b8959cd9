//! The output of `rejudge run`, human-readable and machine-readable, with a sample for every verdict.

mod disagreement;
mod ends;
mod points;
mod reports;
mod selected;
mod shown;
mod standard_input;
mod verdicts;
