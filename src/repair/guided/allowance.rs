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
    /// Tests without a text that is right further on than all before it, after which items are rather
    /// dropped than mended, and after as many again the rest is left to deletions. It is looked at between
    /// faults.
    pub stalled_tests: u64,
}

/// Tests for that where a test costs microseconds. Nothing else than the clock ends a search there that steps
/// back from fault to fault in vain: one file of the public corpus took 12,133 to 36,863 tests in a second, as
/// fast as the machine was, and 732,471 without a limit, for a text that was never closer. With 1,000 or 2,000
/// tests another file, which needs 3,009 in all, is given up too and takes 12,787 with deletions; with 4,000
/// and 8,000 no other file changes (2026-11-23, docs/notes/2026-11-22-repair-by-messages.md).
const STALLED_TESTS: u64 = 3200;

impl Allowance {
    /// For validators that cost microseconds a test: a fault may take some thousand of them, because that is
    /// milliseconds.
    pub const QUICK: Allowance = Allowance {
        edits: 1500,
        pairs: 3000,
        partials: 8,
        probes: 20,
        faults: 100,
        drops: false,
        stalled_tests: STALLED_TESTS,
    };
    /// When time is short: a fault between two right parts is rather dropped than mended, because a whole
    /// text with an item less is better than a prefix.
    pub const HASTY: Allowance = Allowance {
        edits: 60,
        pairs: 0,
        partials: 2,
        probes: 4,
        faults: 100,
        drops: true,
        stalled_tests: u64::MAX,
    };
    /// For deletions alone: faults that they can't mend early are rather dropped, because gaps are filled afterwards.
    pub const DELETIONS: Allowance = Allowance {
        edits: 200,
        pairs: 0,
        partials: 4,
        probes: 20,
        faults: 30,
        drops: true,
        stalled_tests: u64::MAX,
    };
    /// For validators that cost a process a test: a fault takes some hundred of them at most, because each is a
    /// millisecond or more.
    pub const SLOW: Allowance = Allowance {
        edits: 200,
        pairs: 40,
        partials: 2,
        probes: 4,
        faults: 40,
        drops: false,
        stalled_tests: u64::MAX,
    };
}
