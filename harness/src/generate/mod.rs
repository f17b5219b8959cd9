//! Creates test cases from `generators/generators.yaml`, and creates them again to compare.
//!
//! It stands next to the flow: it uses compile and run as judging does, and writes files that
//! discovery finds. [`GenerationPlan`] checks the whole file before any program is started; [`Maker`] runs
//! the programs; only [`CaseStore`] writes to `data/` and the cache. It deletes a case that it does not know only if
//! the user asks for that, and it prints nothing.

mod added;
mod before_judging;
mod command;
mod compare;
mod counts;
mod dialogue;
mod foreign;
mod maker;
mod materialise;
mod numbering;
mod plan;
mod programs;
mod reader;
mod recipe;
mod source;
mod store;
mod validator;
mod viva;
mod workplace;
mod yaml_text;

pub(crate) use added::{NewRecipe, RecipeAddition};
pub(crate) use dialogue::Dialogues;
pub(crate) use foreign::{ForeignMaker, TestResult};
pub(crate) use maker::{Maker, VALIDATORS};
pub(crate) use materialise::{MaterialiseError, has_unmade, materialise};
pub(crate) use plan::GenerationPlan;
pub(crate) use programs::{MakeError, build, captured, limits as program_limits, stdin, words};
pub(crate) use source::{check as check_grammar, files_in, grammar};
pub(crate) use store::{CaseStore, Discrepancy, Kept, LARGEST, Unknown};
pub(crate) use validator::ValidatorKind;
pub(crate) use viva::{HELP as VIVA_HELP, lacks_viva};

use crate::problem::GENERATORS as FILE;
