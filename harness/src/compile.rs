//! Builds sources into artefacts, and keeps them by the content that made them.
