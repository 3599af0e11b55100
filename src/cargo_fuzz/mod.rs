//! A user's cargo-fuzz package: finding it, building its targets, opening them, and the commands that
//! reproduce a failure.
//!
//! [`Targets`] is the entry: it takes a [`TargetRequest`] and an [`Input`], and gives an
//! [`OpenTarget`](crate::session::target::OpenTarget). Programs and executables that belong to no
//! package are opened in the same way.
//!
//! This layer starts cargo, rustc, and (for [`decoded`]) a typed target that only prints its value;
//! code under test is run by the engine. It knows no arguments, exit codes or reports: errors are
//! enums, and what a user should know goes to a listener. It reads the environment variables and the
//! current folder that cargo itself uses.

mod build;
mod cargo;
mod choose;
mod command;
mod decoded;
mod existing_build;
mod failing;
mod find;
pub mod input;
mod input_check;
mod instrumentation;
pub mod listing;
pub mod open;
mod package;
pub mod reproduce;
mod request;
mod targets;
mod validator;

pub use build::{BuildError, shown_path};
pub use cargo::{end_tools, kill_tools};
pub use choose::ChooseError;
pub use decoded::decoded;
pub use existing_build::ExistingBuild;
pub use input::{Input, InputError};
pub use input_check::LookError;
pub use open::FuzzTargetError;
pub use package::PackageError;
pub use package::nearest::nearest;
pub use request::{CargoOptions, CommandLine, Sanitizer, Shown, TargetRequest, TargetSource};
pub use targets::{Effort, Targets};
pub use validator::{ValidatorError, ValidatorSource};
