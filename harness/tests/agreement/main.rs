//! Do the solutions agree with the second opinions? Each module includes the sources in process,
//! compares them over all small inputs and over random ones, and prints what it compared.
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
