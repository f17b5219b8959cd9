//! What a source can use, of all that can be precompiled.

use super::class_data::ClassDataPlan;
use super::header::HeaderPlan;
use super::{FileKind, MadeFile};
use crate::compile::store::ArtifactStore;
use crate::compile::{CompileError, CompileRequest};
use crate::sandbox::{Job, RunJob};

/// Everything that is needed to make a file.
#[derive(Debug)]
pub(in crate::compile) enum MakingPlan {
    Header(HeaderPlan),
    Classes(ClassDataPlan),
}

impl MakingPlan {
    /// The plan for a source that `job` compiles. `None`: it cannot use a file.
    pub(in crate::compile) fn of(request: &CompileRequest<'_>, job: &Job) -> Option<Self> {
        if !request.own_flags.is_empty() {
            return None;
        }
        let header = HeaderPlan::of(request, job).map(Self::Header);
        header.or_else(|| ClassDataPlan::of(request, job).map(Self::Classes))
    }

    pub(in crate::compile) fn key(&self) -> &str {
        match self {
            Self::Header(plan) => plan.key(),
            Self::Classes(plan) => plan.key(),
        }
    }

    pub(super) fn kind(&self) -> FileKind {
        match self {
            Self::Header(_) => FileKind::Header,
            Self::Classes(_) => FileKind::Classes,
        }
    }

    /// Makes the file and stores it. `None`: it is of no use.
    pub(super) fn make(
        &self,
        store: &ArtifactStore,
        run: &mut RunJob<'_>,
    ) -> Result<Option<MadeFile>, CompileError> {
        match self {
            Self::Header(plan) => plan.make(store, run),
            Self::Classes(plan) => plan.make(store, run),
        }
    }
}
