//! The chart: where each production began and how far it got, with all ways that led there.

use super::rules::{FlatSymbol, Rules};
use crate::grammar::hash::FixedMap;
use crate::grammar::parser::{ParseError, StopCheck};

/// No item, no link.
pub(super) const NONE: u32 = u32::MAX;

/// A production begun at `origin` with `dot` of its symbols matched; the number of the set that
/// holds the item is the position it has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChartItem {
    /// The production, by number.
    pub production: u32,
    /// How many of its symbols are matched.
    pub dot: u32,
    /// The offset at which its match begins.
    pub origin: u32,
    /// The first of the ways that led here.
    pub links: u32,
}

/// A way that led to an item: the item one symbol before and, if the symbol was a rule, the
/// [`RuleMatch`] that it matched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The item with one symbol less.
    pub before: u32,
    /// The match of the symbol, or [`NONE`] for a text.
    pub whole: u32,
    /// The next way that led to the same item, or [`NONE`].
    pub next: u32,
}

/// A rule that matched from one place to another: the finished items that prove it.
#[derive(Clone, Debug)]
pub(super) struct RuleMatch {
    /// The rule that matched.
    pub rule: u32,
    /// The offset at which it begins.
    pub start: u32,
    /// The offset after its end.
    pub end: u32,
    /// The finished items, one for each production that matches; the derivation chooses among them.
    pub items: Vec<u32>,
}

/// All that Earley's algorithm finds out about an input.
#[derive(Debug)]
pub(super) struct Chart {
    pub items: Vec<ChartItem>,
    /// All ways that led to items.
    pub links: Vec<Link>,
    /// All matches of rules.
    pub matches: Vec<RuleMatch>,
    /// The matches by rule, start and end.
    by_span: FixedMap<(u32, u32, u32), u32>,
    /// The last set that has an item.
    furthest: u32,
}

/// The recogniser's state.
struct ChartBuilder<'a> {
    rules: &'a Rules,
    input: &'a [u8],
    chart: Chart,
    /// Items by (set, production, dot, origin).
    numbers: FixedMap<(u32, u32, u32, u32), u32>,
    /// Items by set.
    sets: Vec<Vec<u32>>,
    /// Items that wait for a rule, by (set, rule).
    waiting: FixedMap<(u32, u32), Vec<u32>>,
}

impl Chart {
    /// Runs the recogniser over the input.
    pub(super) fn fill(
        rules: &Rules,
        max_items: usize,
        input: &[u8],
        start: u32,
        stop_check: &mut StopCheck<'_>,
    ) -> Result<Chart, ParseError> {
        let chart = Chart {
            items: Vec::new(),
            links: Vec::new(),
            matches: Vec::new(),
            by_span: FixedMap::default(),
            furthest: 0,
        };
        let mut builder = ChartBuilder {
            rules,
            input,
            chart,
            numbers: FixedMap::default(),
            sets: vec![Vec::new(); input.len() + 1],
            waiting: FixedMap::default(),
        };
        builder.predict(start, 0);
        for set in 0..=input.len() {
            let mut next = 0;
            while let Some(&item) = builder.sets[set].get(next) {
                next += 1;
                let before = builder.chart.links.len();
                builder.advance(item, set as u32);
                // One item may complete for as many as wait.
                let steps = 1 + builder.chart.links.len() - before;
                if stop_check.must_stop(steps as u32) {
                    return Err(ParseError::Stopped { offset: set as u32 });
                }
                if builder.chart.items.len() + builder.chart.links.len() > max_items {
                    let (limit, offset) = (max_items, set as u32);
                    return Err(ParseError::TooAmbiguous { limit, offset });
                }
            }
            if next > 0 {
                builder.chart.furthest = set as u32;
            }
        }
        Ok(builder.chart)
    }

    /// The rule's match over the whole input, if there is one.
    pub(super) fn whole_match(&self, rule: u32, length: usize) -> Option<u32> {
        self.by_span.get(&(rule, 0, length as u32)).copied()
    }

    /// The last place that something led to.
    pub(super) fn furthest(&self) -> u32 {
        self.furthest
    }
}

impl ChartBuilder<'_> {
    /// Adds the productions of a rule that begin at an offset.
    fn predict(&mut self, rule: u32, at: u32) {
        let rules = self.rules;
        for &production in &rules.of_rule[rule as usize] {
            self.add((at, production, 0, at), NONE, NONE);
        }
    }

    /// Adds an item to a set, or a way that led to it.
    fn add(&mut self, key: (u32, u32, u32, u32), before: u32, whole: u32) {
        let (set, production, dot, origin) = key;
        let new = self.chart.items.len() as u32;
        let item = *self.numbers.entry(key).or_insert(new);
        if item == new {
            self.chart.items.push(ChartItem { production, dot, origin, links: NONE });
            self.sets[set as usize].push(item);
        }
        if before != NONE {
            let link = self.chart.links.len() as u32;
            let next = std::mem::replace(&mut self.chart.items[item as usize].links, link);
            self.chart.links.push(Link { before, whole, next });
        }
    }

    /// Processes an item: matches its next text, waits for its next rule, or finishes.
    fn advance(&mut self, number: u32, set: u32) {
        let rules = self.rules;
        let item = self.chart.items[number as usize];
        let production = &rules.productions[item.production as usize];
        let on = |set: u32| (set, item.production, item.dot + 1, item.origin);
        match production.symbols.get(item.dot as usize) {
            Some(FlatSymbol::Text(_, text)) => {
                if self.input[set as usize..].starts_with(text) {
                    self.add(on(set + text.len() as u32), number, NONE);
                }
            }
            Some(FlatSymbol::Rule(rule)) => {
                let waiting = self.waiting.entry((set, *rule)).or_default();
                waiting.push(number);
                if waiting.len() == 1 {
                    self.predict(*rule, set);
                }
                // A rule that matches nothing can have finished before this item came to wait for
                // it (the difficulty that J. Aycock and R. N. Horspool describe in "Practical
                // Earley Parsing", 2002).
                if let Some(&empty) = self.chart.by_span.get(&(*rule, set, set)) {
                    self.add(on(set), number, empty);
                }
            }
            None => self.complete(number, production.rule, item.origin, set),
        }
    }

    /// A production is finished: notes the match, and moves on all items that wait for the rule
    /// since `start`.
    fn complete(&mut self, number: u32, rule: u32, start: u32, end: u32) {
        let new = self.chart.matches.len() as u32;
        let whole = *self.chart.by_span.entry((rule, start, end)).or_insert(new);
        if whole != new {
            self.chart.matches[whole as usize].items.push(number);
            return;
        }
        self.chart.matches.push(RuleMatch { rule, start, end, items: vec![number] });
        // Those that come to wait in this very set later find the match by its span.
        let waiting = self.waiting.get(&(start, rule)).cloned().unwrap_or_default();
        for before in waiting {
            let item = self.chart.items[before as usize];
            self.add((end, item.production, item.dot + 1, item.origin), before, whole);
        }
    }
}
