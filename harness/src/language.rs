//! The table of languages: how each is compiled and run, as data.
