//! How the tests of packages of other tools are made, as their files describe it: commands, copies, and the solution
//! that computes the answers. This is data; `generate` runs the programs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::problem::{Additions, Interactor, Streams};

/// The plans that programs printed, by the programs.
pub type PrintedPlans = BTreeMap<PathBuf, String>;

/// How the tests of a package are made.
#[derive(Debug, Default)]
pub struct TestRecipes {
    /// The tests, in the order of the package.
    pub tests: Vec<TestRecipe>,
    /// A program that writes all inputs to its folder.
    pub writer: Option<InputWriter>,
    /// The programs that print test plans, which were not run. The tests of these plans are missing.
    pub plan_programs: Vec<PathBuf>,
    /// The program that computes the answers.
    pub solution: Option<PathBuf>,
    /// Where the solution reads the input and writes the answer.
    pub streams: Streams,
    /// The folder of the package in which its generators run, in a copy of the package. `None`: they run alone.
    pub current: Option<&'static str>,
    /// What the sources of the package may include.
    pub additions: Additions,
    /// The program that talks with solutions. If a checker decides, it reads as answer what this program writes about the
    /// solution; otherwise answers are empty.
    pub interactor: Option<Interactor>,
}

/// How one test is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestRecipe {
    /// The name for messages.
    pub name: String,
    /// The path of the input, below the package's folder.
    pub input: String,
    /// The path of the answer, below the package's folder.
    pub answer: String,
    /// Where the input comes from.
    pub source: TestSource,
    /// Where the answer comes from.
    pub answered: TestAnswer,
    /// The input validators and their arguments.
    pub validators: Vec<(PathBuf, Vec<String>)>,
}

/// Where an input comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestSource {
    /// It is in the package.
    Stored,
    /// A copy of this file.
    Copy(PathBuf),
    /// The output of a program.
    Made(TestCommand),
}

/// Where an answer comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TestAnswer {
    /// The solution of the package computes it.
    #[default]
    Solved,
    /// This solution computes it.
    SolvedBy(PathBuf),
    /// A copy of this file.
    Copy(PathBuf),
}

/// A program that makes an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCommand {
    /// The source file.
    pub program: PathBuf,
    /// The whole command line; its first word names the program.
    pub line: String,
    /// The file that the program writes instead of its standard output.
    pub file: Option<String>,
}

/// A program that writes inputs.
#[derive(Debug)]
pub struct InputWriter {
    /// The source file.
    pub program: PathBuf,
    /// What the names of inputs begin with.
    pub prefix: String,
    /// The folders of inputs and answers, below the package's folder.
    pub folders: [&'static str; 2],
    /// The input validators with their arguments.
    pub validators: Vec<(PathBuf, Vec<String>)>,
}
