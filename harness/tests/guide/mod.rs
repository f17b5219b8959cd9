//! Checks the guide and the other documents: runs their transcripts, compares their tables with the program, and
//! follows their links.

mod links;
mod markdown;
mod options;
mod pages;
mod report;
mod settings;
mod tables;
mod transcripts;
