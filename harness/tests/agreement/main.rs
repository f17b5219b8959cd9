//! Compares the solutions with independent ones. Each module includes the sources in this process,
//! compares them on all small inputs and on random ones, and prints the number of comparisons.
//!
//! `cargo test` compares a sample; `cargo test --release --test agreement -- --ignored --nocapture`
//! compares everything.

mod cases;
mod klotski;
mod klotski_boards;
mod klotskisteps;
mod matrixrotation;
mod random;
mod slidingpuzzle;
mod treeoflife;
