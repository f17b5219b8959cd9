//! The loop of editing and judging, on a pseudo-terminal: what users see on the screen.

mod add;
mod again;
mod colours;
mod compilers;
mod pages;
mod report;
mod search;
mod shells;
mod terminal;
mod traceback;
mod width;
