//! Earley's parser, for grammars without a lexer: any context-free grammar, ambiguous or not.
//!
//! Of several derivations the one with the fewest rules wins; of several of those the one whose
//! choices come first (alternatives in their order, then long parts to the left). J. Earley,
//! "An Efficient Context-Free Parsing Algorithm" (CACM 1970), with rules that can be empty
//! treated as soon as they are known to be.
//!
//! Time is at most cubic in the length of the input, quadratic for unambiguous grammars and linear
//! for most that people write; memory is the chart, which is bounded by
//! [`EarleyParser::max_items`]. There is no error recovery: an input is in the language or it is
//! not.

mod chart;
mod lightest;
mod rules;

use super::model::{Grammar, RuleId, TokenId};
use super::parser::{ParseError, Parsed, StopCheck, SyntaxError, SyntaxProblem};
use crate::structure::trees::builder::TreeBuilder;
use crate::structure::trees::tree::NodeKind;
use chart::Chart;
use lightest::NoTree;
use rules::Rules;
use std::sync::Arc;

/// Items and links of a chart, at most: less than 1 GB with all that is worked out on them.
///
/// An input that needs more ends with [`ParseError::TooAmbiguous`].
const MAX_CHART_ITEMS: usize = 8_000_000;

/// An Earley parser for one grammar.
#[derive(Clone, Debug)]
pub(crate) struct EarleyParser {
    /// The grammar, for those who ask.
    grammar: Arc<Grammar>,
    /// The grammar as flat productions.
    rules: Rules,
    /// Items and links of the chart beyond which a parse is given up.
    pub max_items: usize,
}

impl EarleyParser {
    /// A parser for a grammar whose tokens all have a literal text and whose rules have neither
    /// groups nor quantifiers, as the fuzzingbook front end makes them; nothing for others.
    pub(crate) fn new(grammar: Arc<Grammar>) -> Option<Self> {
        let rules = Rules::of(&grammar)?;
        Some(EarleyParser { grammar, rules, max_items: MAX_CHART_ITEMS })
    }

    /// The grammar that is run.
    pub(crate) fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// Parses the whole input from the rule `start` on. A line end after it is hidden where the
    /// grammar has no room for one: editors put it there, and DDSET strips it. Input that doesn't
    /// derive from the rule gives a tree with one error leaf and the offset up to which it could
    /// have.
    ///
    /// Of an ambiguous input the derivation with the fewest rules is given.
    #[cfg(test)]
    pub fn parse(&self, input: &[u8], start: RuleId) -> Result<Parsed, ParseError> {
        self.parse_while(input, start, &|| true)
    }

    /// The same as long as `keep_going`, which is asked every few thousand items, says yes.
    ///
    /// Fails with [`ParseError::TooLong`] beyond 4 GiB, [`ParseError::Stopped`] where `keep_going`
    /// says no, and [`ParseError::TooAmbiguous`] beyond the bound on items. An input that is not in
    /// the language is no failure but a result with an error.
    pub(crate) fn parse_while(
        &self,
        input: &[u8],
        start: RuleId,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Parsed, ParseError> {
        if input.len() > super::parser::MAX_INPUT_BYTES {
            return Err(ParseError::TooLong { bytes: input.len() });
        }
        let mut stop_check = StopCheck::new(keep_going);
        let chart = Chart::fill(&self.rules, self.max_items, input, start.0, &mut stop_check)?;
        let mut builder = TreeBuilder::new();
        let mut errors = Vec::new();
        let stripped =
            input.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let ends = [input.len(), stripped.unwrap_or(input).len()];
        let found = ends.into_iter().find_map(|end| Some((chart.whole_match(start.0, end)?, end)));
        match found {
            Some((root, end)) => {
                lightest::grow(&self.rules, &chart, root, &mut builder, &mut stop_check).map_err(
                    |why| match why {
                        NoTree::Stopped => ParseError::Stopped { offset: end as u32 },
                        NoTree::TooLarge => {
                            let limit = lightest::MAX_RULES as usize;
                            ParseError::TooAmbiguous { limit, offset: 0 }
                        }
                    },
                )?;
                if end < input.len() {
                    builder.leaf(NodeKind::Trivia(TokenId::EOF.0), end as u32, input.len() as u32);
                }
            }
            None => {
                let offset = chart.furthest();
                errors.push(SyntaxError { offset, problem: SyntaxProblem::NoAlternative });
                if !input.is_empty() {
                    builder.leaf(NodeKind::Error, 0, input.len() as u32);
                }
            }
        }
        let tree = builder.finish(input.len() as u32);
        Ok(Parsed {
            tree,
            errors,
            unrecorded_errors: 0,
            unread_tokens: 0,
            shortened_predictions: 0,
            effort: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::grammar::fuzzingbook;
    use crate::structure::trees::tree::{NodeId, Tree};

    fn parse(grammar: &str, input: &str) -> (Tree, bool) {
        let (grammar, start) = fuzzingbook::load_text("g", grammar).unwrap();
        let parser = EarleyParser::new(Arc::new(grammar)).unwrap();
        let parsed = parser.parse(input.as_bytes(), start).unwrap();
        assert_eq!(parsed.tree.render(input.as_bytes()), input.as_bytes());
        let is_valid = parsed.is_valid();
        (parsed.tree, is_valid)
    }

    const EXPRESSION: &str = r#"{"<start>": ["<expr>"],
        "<expr>": ["<expr> + <expr>", "<expr> * <expr>", "(<expr>)", "<int>"],
        "<int>": ["<digit><int>", "<digit>"],
        "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}"#;

    #[test]
    fn ambiguous_grammars_are_parsed() {
        assert!(parse(EXPRESSION, "1 + ((2 * 30 + 4))").1);
        assert!(!parse(EXPRESSION, "1 + ").1);
        assert!(!parse(EXPRESSION, "").1);
    }

    #[test]
    fn the_shortest_derivation_wins() {
        let grammar = r#"{"<start>": ["<a>"], "<a>": ["<b>", "<a>", "x<e>x"],
            "<b>": ["<c>"], "<c>": ["xx"], "<e>": ["", "<e><e>"]}"#;
        let (tree, is_valid) = parse(grammar, "xx");
        assert!(is_valid);
        // start, a, and then "x" e "x" (three rules) rather than b, c (four).
        let rules = tree.ids().filter(|&id| tree.rule(id).is_some()).count();
        assert_eq!(rules, 3);
    }

    #[test]
    fn errors_say_how_far_it_went() {
        let (tree, is_valid) = parse(EXPRESSION, "(1 + x)");
        assert!(!is_valid);
        assert_eq!(tree.node(tree.children(NodeId::ROOT)[0]).kind, NodeKind::Error);
    }

    #[test]
    fn a_line_end_that_the_grammar_does_not_know_is_hidden() {
        let (tree, is_valid) = parse(EXPRESSION, "(1)\r\n");
        assert!(is_valid);
        assert_eq!(tree.span(tree.children(NodeId::ROOT)[0]), 0..3);
        assert!(!parse(EXPRESSION, "(1)\n\n").1 && !parse(EXPRESSION, "\n").1);
        let lines = r#"{"<start>": ["<line>\n", "<line>\n<start>"], "<line>": ["a<line>", ""]}"#;
        assert_eq!(parse(lines, "aa\n\n").0.children(NodeId::ROOT).len(), 1);
    }

    #[test]
    fn rules_that_double_each_other_and_match_nothing_make_no_endless_tree() {
        let doubling = |count: usize| {
            let rules: Vec<String> =
                (0..count).map(|at| format!("\"<{at}>\": [\"<{0}><{0}>\"]", at + 1)).collect();
            let last = format!("\"<{count}>\": [\"\"]");
            let text = format!("{{\"<start>\": [\"<0>\"], {}, {last}}}", rules.join(", "));
            let (grammar, start) = fuzzingbook::load_text("g", &text).unwrap();
            EarleyParser::new(Arc::new(grammar)).unwrap().parse(b"", start)
        };
        assert!(doubling(10).unwrap().is_valid());
        for count in [30, 100] {
            assert!(matches!(doubling(count), Err(ParseError::TooAmbiguous { .. })), "{count}");
        }
    }

    #[test]
    fn a_parse_ends_wherever_the_caller_says_so() {
        let (grammar, start) = fuzzingbook::load_text("g", EXPRESSION).unwrap();
        let parser = EarleyParser::new(Arc::new(grammar)).unwrap();
        let input = "1 + ".repeat(60) + "1";
        let asked = Cell::new(0);
        let parse = |most: u32| {
            asked.set(0);
            let keep_going = || {
                asked.set(asked.get() + 1);
                asked.get() <= most
            };
            parser.parse_while(input.as_bytes(), start, &keep_going).map(|parsed| parsed.is_valid())
        };
        assert_eq!(parse(u32::MAX), Ok(true));
        let all = asked.get();
        assert!(all > 4, "{all}");
        for most in 0..all {
            assert!(matches!(parse(most), Err(ParseError::Stopped { .. })), "{most} of {all}");
            assert_eq!(asked.get(), most + 1);
        }
    }

    #[test]
    fn deep_input_is_no_trouble() {
        let grammar = r#"{"<start>": ["<a>"], "<a>": ["(<a>)", ""]}"#;
        let input = "(".repeat(50_000) + &")".repeat(50_000);
        assert!(parse(grammar, &input).1);
    }
}
