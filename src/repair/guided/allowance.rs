//! How hard a repair by guidance tries.

/// How hard each stage tries, in candidates.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Edits tried by each stage.
    pub edits: usize,
    /// Pairs of edits.
    pub pairs: usize,
    /// Ways past one fault that each stage looks at before the best is followed.
    pub partials: usize,
    /// Cuts, further and further on, at which a prefix is tried once it is not viable at one.
    pub probes: u32,
    /// Faults that are mended, those of abandoned ways included.
    pub faults: usize,
    /// Whether items are rather dropped than mended.
    pub drops: bool,
}

impl Allowance {
    /// For validators that cost microseconds a test.
    pub const QUICK: Allowance =
        Allowance { edits: 1500, pairs: 3000, partials: 8, probes: 20, faults: 100, drops: false };
    /// When time is short: what lies between right and right is rather dropped than mended.
    pub const HASTY: Allowance =
        Allowance { edits: 60, pairs: 0, partials: 2, probes: 4, faults: 100, drops: true };
    /// For deletions alone: what they can't mend early is rather dropped.
    pub const DELETIONS: Allowance =
        Allowance { edits: 200, pairs: 0, partials: 4, probes: 20, faults: 30, drops: true };
    /// For validators that cost a process a test.
    pub const SLOW: Allowance =
        Allowance { edits: 200, pairs: 40, partials: 2, probes: 4, faults: 40, drops: false };
}
