//! How an executable can be run, and why not in process.

/// How an executable can be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExecutableKind {
    /// The runtime can be injected.
    LibFuzzer,
    /// It may be a libFuzzer executable, but its symbol table was removed.
    Stripped,
    /// It takes no preloaded library.
    Static,
    /// It has symbols, and libFuzzer's interface is not among them.
    Other,
}

impl ExecutableKind {
    /// Why the runtime can't be injected, in words.
    pub fn reason(self) -> &'static str {
        match self {
            ExecutableKind::LibFuzzer => "it can",
            ExecutableKind::Stripped => "its symbol table was stripped",
            ExecutableKind::Static => "it is statically linked",
            ExecutableKind::Other => "it has no LLVMFuzzerTestOneInput",
        }
    }
}
