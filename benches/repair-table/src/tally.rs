//! The results of pairs, and lines of the tables.

/// The result of one pair.
#[derive(Clone)]
pub struct Row {
    /// Validator, damage and file.
    pub name: String,
    pub is_valid: bool,
    /// Distance to the damaged input.
    pub edits: usize,
    pub damaged_bytes: usize,
    /// Distance to the valid original.
    pub off: usize,
    pub kept: f64,
    pub runs: u64,
    pub ms: f64,
    pub was_stopped: bool,
}

impl Row {
    /// 1 minus the distance to the damaged input as a share of it; 0 where nothing valid was found.
    fn similarity(&self) -> f64 {
        if self.is_valid { 1.0 - self.edits as f64 / self.damaged_bytes as f64 } else { 0.0 }
    }

    fn is_repaired(&self) -> bool {
        self.is_valid && self.similarity() >= 0.5
    }

    pub fn print(&self, strategy: &str, name: &str) {
        println!(
            "  {strategy} {name} edits {} off {} kept {:.3} runs {} {:.0} ms{}{}",
            self.edits,
            self.off,
            self.kept,
            self.runs,
            self.ms,
            if self.was_stopped { " stopped" } else { "" },
            if self.is_repaired() { "" } else { " NOT REPAIRED" }
        );
    }
}

pub const HEADER: &str = "| validator | damage | strategy | pairs | valid | repaired | share | kept | distance | runs | mean ms | max ms | out of time |
|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|";

/// Pairs, in an order that is the same for all strategies.
#[derive(Clone, Default)]
pub struct Tally {
    pub rows: Vec<Row>,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.rows.extend(other.rows);
    }

    fn count(&self, is_one: impl Fn(&Row) -> bool) -> usize {
        self.rows.iter().filter(|row| is_one(row)).count()
    }

    fn mean(&self, value: impl Fn(&Row) -> f64) -> f64 {
        self.rows.iter().map(value).sum::<f64>() / self.rows.len().max(1) as f64
    }

    fn runs(&self) -> u64 {
        self.rows.iter().map(|row| row.runs).sum()
    }

    pub fn print(&self, name: &str, damage: &str, strategy: &str) {
        println!(
            "| {name} | {damage} | {strategy} | {} | {} | {} | {:.1} % | {:.3} | {:.2} | {} | {:.1} | {:.0} | {} |",
            self.rows.len(),
            self.count(|row| row.is_valid),
            self.count(Row::is_repaired),
            100.0 * self.mean(|row| f64::from(u8::from(row.is_repaired()))),
            self.mean(|row| row.kept),
            self.mean(|row| row.off as f64),
            self.runs(),
            self.mean(|row| row.ms),
            self.rows.iter().map(|row| row.ms).fold(0.0, f64::max),
            self.count(|row| row.was_stopped),
        );
    }

    /// One strategy against another on the same pairs, those on which it is worse by name.
    pub fn compare(&self, name: &str, other: &Tally, other_name: &str) {
        for (row, other) in self.rows.iter().zip(&other.rows) {
            if row.similarity() < other.similarity() {
                println!(
                    "# {}: {name} {} edits, {other_name} {}, of {} bytes",
                    row.name, row.edits, other.edits, row.damaged_bytes
                );
            }
        }
        let pairs = self.rows.iter().zip(&other.rows);
        let not_worse = |is_not_worse: fn(&Row, &Row) -> bool| {
            let count = pairs.clone().filter(|(row, other)| is_not_worse(row, other)).count();
            100.0 * count as f64 / self.rows.len().max(1) as f64
        };
        println!(
            "{name} against {other_name}, {} pairs: {:.4} of its runs; mean similarity to the damaged input {:.4} and {:.4}, \
             not worse in {:.1} % of the pairs; kept {:.4} and {:.4}, not worse in {:.1} %; \
             distance to the valid original {:.2} and {:.2} ({:.3})",
            self.rows.len(),
            self.runs() as f64 / other.runs().max(1) as f64,
            self.mean(Row::similarity),
            other.mean(Row::similarity),
            not_worse(|row, other| row.similarity() >= other.similarity()),
            self.mean(|row| row.kept),
            other.mean(|row| row.kept),
            not_worse(|row, other| row.kept >= other.kept - 1e-9),
            self.mean(|row| row.off as f64),
            other.mean(|row| row.off as f64),
            self.mean(|row| row.off as f64) / other.mean(|row| row.off as f64),
        );
    }
}
