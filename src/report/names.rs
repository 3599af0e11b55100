//! Names for stacks in reports of many targets: the debug information of each executable is read
//! once, when a stack of it is first shown.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::session::stack::{StackLine, named};
use seedsmith_engine::exec::executable::symbolize::Symbolizer;
use seedsmith_engine::signature::Signature;

/// The debug information of executables. Stacks of one that cannot be read are addresses.
#[derive(Default)]
pub struct Names {
    open: HashMap<PathBuf, Option<Symbolizer>>,
}

impl Names {
    /// The stack of a failure of `executable`. Costs tens of milliseconds the first time.
    pub fn stack(&mut self, executable: Option<&Path>, signature: &Signature) -> Vec<StackLine> {
        let symbolizer = match executable {
            Some(path) if !signature.frames.is_empty() => {
                let open = || Symbolizer::open(path).ok();
                self.open.entry(path.to_owned()).or_insert_with(open).as_ref()
            }
            _ => None,
        };
        named(symbolizer, &signature.frames)
    }
}
