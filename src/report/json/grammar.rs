//! Lines about reducers, grammars and parses.
//!
//! The commands `reducers` and `grammar` write them. No target is run for any of these lines.

use super::Json;
use super::lines::{JsonEvent, JsonNode, JsonRule, JsonSyntaxError, JsonToken};
use crate::event::{BuiltinGrammar, GrammarDescription, ParsedFile, ReducerDescription};

impl Json {
    /// Writes `reducer_listed` for each reducer, in the order of the table.
    /// `needs` is empty if the reducer works on every input; `source` is a paper, or `here`.
    pub(super) fn reducers(&mut self, listed: &[ReducerDescription<'_>]) {
        for one in listed {
            self.write(JsonEvent::ReducerListed {
                name: one.name,
                description: one.description,
                needs: one.needs.clone(),
                cost: one.cost.clone(),
                used_by: one.used_by.clone(),
                source: one.source,
            });
        }
    }

    /// Writes `builtin` for each grammar that comes with the program, in the order of the table.
    /// Each of the `aliases` can be given to `--grammar` in place of the name.
    pub(super) fn grammars(&mut self, listed: &[BuiltinGrammar<'_>]) {
        for one in listed {
            let BuiltinGrammar { name, aliases, about } = *one;
            self.write(JsonEvent::Builtin { name, aliases, about });
        }
    }

    /// Writes `grammar`: its rules and tokens with their shortest texts, which are null where there is none.
    /// Tokens with a fixed text are left out, except those of a tree-sitter parser. `notices` are remarks for
    /// people, as parts of the grammar file that are not supported.
    pub(super) fn grammar(&mut self, shown: &GrammarDescription) {
        let rules = shown.rules.iter().map(|rule| JsonRule {
            name: &rule.name,
            definition: &rule.definition,
            minimal: rule.minimal.as_deref(),
            reachable: rule.is_reachable,
        });
        let tokens = shown
            .tokens
            .iter()
            .map(|token| JsonToken { name: &token.name, minimal: token.minimal.as_deref() });
        self.write(JsonEvent::Grammar {
            name: &shown.name,
            start: &shown.start,
            rules: rules.collect(),
            tokens: tokens.collect(),
            unused_fragments: &shown.unused_fragments,
            notices: &shown.notices,
            complete: shown.is_complete,
        });
    }

    /// Writes `parsed`: the errors, and the tree as a list of nodes in preorder, each with the index of its parent.
    /// Offsets are in bytes; lines and columns count from 1. The line of a large input has megabytes.
    /// `valid` is true if there is no error. Hidden text, as blanks and comments, has nodes too.
    pub(super) fn parsed(&mut self, parsed: &ParsedFile<'_>) {
        let errors = parsed.errors.iter().map(|error| JsonSyntaxError {
            line: error.line,
            column: error.column,
            message: &error.message,
        });
        let nodes = parsed.nodes.iter().map(|node| JsonNode {
            kind: node.kind,
            name: node.name,
            start: node.start,
            end: node.end,
            parent: node.parent,
        });
        self.write(JsonEvent::Parsed {
            input: &parsed.input.to_string_lossy(),
            bytes: parsed.bytes.len(),
            valid: parsed.errors.is_empty(),
            errors: errors.collect(),
            errors_left_out: parsed.errors_left_out,
            nodes: nodes.collect(),
        });
    }
}
