//! Benchmarks only: see the files in `benches/`.
