//! From features to code: which functions and lines a corpus reaches, and as LCOV.
//!
//! Counters become places through the executable's debug information, which the engine reads; this
//! file only counts. A block that the compiler copied counts in each function that has a copy.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use seedsmith_engine::internal::Symbol;
use seedsmith_engine::internal::{BUCKETS, FeatureText, features};

/// A function with instrumented blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionReach {
    /// Its name.
    pub name: String,
    /// Its source file, where that is known.
    pub file: Option<String>,
    /// The first line of its blocks, where that is known.
    pub line: Option<u32>,
    /// Its blocks; copies that are inlined into other functions count too.
    pub blocks: usize,
    /// Those that some input reaches.
    pub reached: usize,
}

/// What a corpus reaches of the user's code and of its crates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodeReach {
    /// By file, line and name.
    pub functions: Vec<FunctionReach>,
    /// For each file and line with blocks, how many inputs reach one of them.
    pub lines: BTreeMap<String, BTreeMap<u32, u32>>,
}

/// How many inputs reach each of `count` counters.
///
/// An input that reaches a counter counts once, whatever the counter's value. Features of counters
/// beyond `count` are left out.
pub(crate) fn inputs_by_counter<'f>(
    lists: impl IntoIterator<Item = &'f FeatureText>,
    count: usize,
) -> Vec<u32> {
    let mut inputs = vec![0u32; count];
    for feature in lists.into_iter().flat_map(features) {
        if let Some(reaching) = inputs.get_mut((feature / BUCKETS) as usize) {
            *reaching += 1;
        }
    }
    inputs
}

impl CodeReach {
    /// The reached code, if `inputs[n]` inputs reach the block of counter n, which is in the functions `places[n]`. Code of language runtimes is left out.
    ///
    /// Costs a look at each place. Of lines with several blocks the block that most inputs reach
    /// counts.
    pub(crate) fn of(places: &[Vec<Symbol>], inputs: &[u32]) -> Self {
        let mut functions: BTreeMap<(Option<&str>, &str), FunctionReach> = BTreeMap::new();
        let mut lines: BTreeMap<String, BTreeMap<u32, u32>> = BTreeMap::new();
        for (place, inputs) in places.iter().zip(inputs) {
            let mut seen = BTreeSet::new();
            for symbol in place.iter().filter(|symbol| symbol.own) {
                let key = (symbol.file.as_deref(), symbol.function.as_str());
                // A recursive function may be inlined into itself.
                if seen.insert(key) {
                    let function = functions.entry(key).or_insert_with(|| FunctionReach {
                        name: symbol.function.clone(),
                        file: symbol.file.clone(),
                        line: symbol.line,
                        blocks: 0,
                        reached: 0,
                    });
                    function.blocks += 1;
                    function.reached += usize::from(*inputs > 0);
                    function.line = match (function.line, symbol.line) {
                        (Some(one), Some(other)) => Some(one.min(other)),
                        (one, other) => one.or(other),
                    };
                }
                if let (Some(file), Some(line)) = (&symbol.file, symbol.line) {
                    let reaching = lines.entry(file.clone()).or_default().entry(line).or_default();
                    *reaching = (*reaching).max(*inputs);
                }
            }
        }
        let mut functions: Vec<FunctionReach> = functions.into_values().collect();
        functions.sort_by(|one, other| {
            (&one.file, one.line, &one.name).cmp(&(&other.file, other.line, &other.name))
        });
        CodeReach { functions, lines }
    }

    /// Functions, and those of them that are reached.
    pub(crate) fn function_counts(&self) -> (usize, usize) {
        let reached = self.functions.iter().filter(|one| one.reached > 0).count();
        (self.functions.len(), reached)
    }

    /// Lines with blocks, and those of them that are reached.
    pub(crate) fn line_counts(&self) -> (usize, usize) {
        let lines = || self.lines.values().flat_map(BTreeMap::values);
        (lines().count(), lines().filter(|inputs| **inputs > 0).count())
    }

    /// The same as LCOV's tracefile, where a count is a number of inputs.
    ///
    /// Only functions whose line is known are listed: the format has no other (`geninfo(1)`,
    /// section FILES).
    pub(crate) fn lcov(&self) -> String {
        let mut text = String::new();
        let mut write = |line: std::fmt::Arguments<'_>| {
            text.write_fmt(line).expect("a string takes everything");
            text.push('\n');
        };
        for (file, lines) in &self.lines {
            write(format_args!("SF:{file}"));
            let functions = self.functions.iter().filter(|one| one.file.as_ref() == Some(file));
            let named: Vec<(&FunctionReach, u32)> =
                functions.filter_map(|one| Some((one, one.line?))).collect();
            for (function, line) in &named {
                write(format_args!("FN:{line},{}", function.name));
            }
            for (function, _) in &named {
                write(format_args!("FNDA:{},{}", usize::from(function.reached > 0), function.name));
            }
            let hit = named.iter().filter(|(function, _)| function.reached > 0).count();
            write(format_args!("FNF:{}\nFNH:{hit}", named.len()));
            for (line, inputs) in lines {
                write(format_args!("DA:{line},{inputs}"));
            }
            let hit = lines.values().filter(|inputs| **inputs > 0).count();
            write(format_args!("LF:{}\nLH:{hit}\nend_of_record", lines.len()));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(function: &str, line: u32, own: bool) -> Symbol {
        let file = Some("src/a.rs".to_owned());
        Symbol { function: function.to_owned(), file, line: Some(line), column: None, own }
    }

    fn reach() -> CodeReach {
        let places = [
            vec![symbol("parse", 4, true)],
            // `digit` is inlined into `parse`.
            vec![symbol("digit", 20, true), symbol("parse", 6, true)],
            vec![symbol("digit", 21, true)],
            vec![symbol("core::fmt", 1, false)],
        ];
        let lists = [FeatureText::of(&[0, 8]), FeatureText::of(&[11]), FeatureText::of(&[24])];
        let inputs = inputs_by_counter(&lists, places.len());
        assert_eq!(inputs, [1, 2, 0, 1]);
        CodeReach::of(&places, &inputs)
    }

    #[test]
    fn a_block_counts_for_its_function_and_for_those_that_it_is_inlined_into() {
        let reach = reach();
        let found = reach.functions.iter();
        let found: Vec<_> =
            found.map(|one| (one.name.as_str(), one.line, one.blocks, one.reached)).collect();
        assert_eq!(found, [("parse", Some(4), 2, 2), ("digit", Some(20), 2, 1)]);
        assert_eq!((reach.function_counts(), reach.line_counts()), ((2, 2), (4, 3)));
    }

    #[test]
    fn lcov_has_the_number_of_inputs_that_reach_each_line() {
        let expected = "SF:src/a.rs\nFN:4,parse\nFN:20,digit\nFNDA:1,parse\nFNDA:1,digit\nFNF:2\n\
            FNH:2\nDA:4,1\nDA:6,2\nDA:20,2\nDA:21,0\nLF:4\nLH:3\nend_of_record\n";
        assert_eq!(reach().lcov(), expected);
    }
}
