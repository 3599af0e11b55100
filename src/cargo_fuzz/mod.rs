//! A user's cargo-fuzz package: finding it, building its targets, opening them, and the commands that
//! reproduce a failure.
//!
//! [`Targets`] is the entry: it takes a [`TargetRequest`] and an [`Input`], and gives an
//! [`OpenTarget`](crate::session::target::OpenTarget). Programs and executables that belong to no
//! package are opened in the same way.
//!
//! This layer starts cargo, rustc, and (for [`decoded`]) a typed target that only prints its value;
//! code under test is run by the engine. It knows no arguments, exit codes or reports: errors are
//! enums, and notes for a user go to a reporter. It reads the environment variables and the current
//! folder that cargo itself uses.

mod build;
mod cargo;
mod choose;
mod command;
mod decoded;
mod existing_build;
mod failing;
mod find;
pub(crate) mod input;
mod input_check;
mod instrumentation;
pub(crate) mod listing;
pub(crate) mod open;
mod package;
pub(crate) mod reproduce;
mod request;
mod targets;
mod validator;

pub(crate) use build::{BuildError, shown_path};
pub(crate) use cargo::{end_tools, kill_tools};
pub(crate) use choose::ChooseError;
pub(crate) use decoded::decoded;
pub(crate) use existing_build::ExistingBuild;
pub(crate) use input::{Input, InputError};
pub(crate) use input_check::LookError;
pub(crate) use open::FuzzTargetError;
pub(crate) use package::PackageError;
pub(crate) use package::nearest::nearest;
pub(crate) use request::{
    CargoOptions, CommandLine, Sanitizer, Shown, TargetRequest, TargetSource,
};
pub(crate) use targets::{Effort, Targets};
pub(crate) use validator::{ValidatorError, ValidatorSource};
