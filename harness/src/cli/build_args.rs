//! The languages and the compiler of a command, and the options that set them.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::stream;
use super::temporary::no_temporary_folder;
use crate::cache::Cache;
use crate::compile::{CompileOptions, Compiler};
use crate::config::{CompileSettings, Repository};
use crate::language::{Languages, Profile};

/// The languages of a repository, or of files outside one.
pub(crate) fn languages(repository: Option<&Repository>) -> Result<Languages> {
    let settings = repository.map(|repository| repository.config.languages.clone());
    Ok(Languages::load(&settings.unwrap_or_default())?)
}

/// How sources are compiled
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct BuildArgs {
    /// Compiler options
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "PROFILE",
        help_heading = "Compiling",
        hide_short_help = true
    )]
    profile: ProfileArg,
    /// Ignore cached compilations and compile again
    #[arg(long, help_heading = "Compiling", hide_short_help = true)]
    no_compile_cache: bool,
}

impl BuildArgs {
    /// The compiler of a repository, or of files outside one.
    pub(crate) fn compiler(&self, repository: Option<&Repository>) -> Result<Compiler> {
        let include = repository.map(|repository| {
            let folders = repository.config.include.iter();
            folders.map(|folder| repository.root.join(folder)).collect::<Vec<PathBuf>>()
        });
        let options = CompileOptions {
            profile: match self.profile {
                ProfileArg::Judge => Profile::Judge,
                ProfileArg::Debug => Profile::Debug,
                ProfileArg::Sanitize => Profile::Sanitize,
            },
            include: include.unwrap_or_default(),
            online_judge: repository.is_some_and(|one| one.config.defaults.online_judge),
            colors: stream::colors(),
            fresh: self.no_compile_cache,
            room: repository
                .map_or_else(|| CompileSettings::default().room(), |one| one.config.compile.room()),
        };
        let cache = Cache::open().map_err(|error| no_temporary_folder(&error))?;
        if let Some(warning) = cache.warning() {
            stream::warn(warning);
        }
        Ok(Compiler::new(cache, options)?)
    }

    /// Whether sources are compiled for debugging.
    pub(crate) fn is_debug(&self) -> bool {
        matches!(self.profile, ProfileArg::Debug)
    }

    /// The command-line arguments that set how sources are compiled.
    pub(crate) fn words(&self) -> Vec<String> {
        let profile = match self.profile {
            ProfileArg::Judge => return Vec::new(),
            ProfileArg::Debug => "debug",
            ProfileArg::Sanitize => "sanitize",
        };
        vec!["--profile".to_owned(), profile.to_owned()]
    }
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ProfileArg {
    /// The options of contest judges
    #[default]
    Judge,
    /// Run-time checks and debug symbols, no optimisation
    Debug,
    /// The sanitizers of the language's compiler
    Sanitize,
}
