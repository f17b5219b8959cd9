//! Re-judges every solution over its test cases, under judge-style limits.
