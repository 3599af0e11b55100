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
    /// Tests without a text that is right further on than all before it, after which the rest is left to
    /// deletions. It is looked at between faults.
    pub stalled_tests: u64,
}

/// Where a test costs microseconds nothing else than the clock would end a search that steps back from fault to fault
/// in vain. One of 848 damaged files (graphviz-rust, multi 006) took 13,000 to 33,000 tests in its second and 732,471
/// without a limit of time, for the same text as with 11,000. With 1,000 to 8,000 tests here all other files have the same
/// text and the same number of tests (2026-11-23, docs/notes/2026-11-22-repair-by-messages.md).
const STALLED_TESTS: u64 = 2000;

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
    /// When time is short: what lies between right and right is rather dropped than mended, because a whole
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
    /// For deletions alone: what they can't mend early is rather dropped, because gaps are filled afterwards.
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
