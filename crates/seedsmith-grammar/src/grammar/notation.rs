//! A grammar's rules written out for people, in the notation that `.g4` files use.

use super::model::{
    Alternative, Bounds, Grammar, QuantifierId, RuleId, Term, Token, TokenId, for_each_term,
};

/// A rule's definition in one line: the text after its colon.
pub fn definition(grammar: &Grammar, rule: RuleId) -> String {
    alternatives(grammar, &grammar.rule(rule).alternatives)
}

/// A repeated or optional part, with its sign.
pub fn quantified(grammar: &Grammar, id: QuantifierId) -> String {
    let rule = grammar.rule(grammar.quantifier(id).rule);
    let mut shown = String::new();
    for_each_term(&rule.alternatives, &mut |part| {
        if matches!(part, Term::Repeat { id: found, .. } if *found == id) {
            shown = term(grammar, part);
        }
    });
    shown
}

fn alternatives(grammar: &Grammar, all: &[Alternative]) -> String {
    let each = |one: &Alternative| {
        let mut parts: Vec<String> = one.terms.iter().map(|part| term(grammar, part)).collect();
        if one.right_associative {
            parts.insert(0, "<assoc=right>".to_owned());
        }
        parts.extend(one.label.iter().map(|label| format!("# {label}")));
        parts.join(" ")
    };
    all.iter().map(each).collect::<Vec<_>>().join(" | ")
}

fn term(grammar: &Grammar, term: &Term) -> String {
    match term {
        Term::Token(id) => token(grammar, *id),
        Term::Any => ".".to_owned(),
        Term::Set { tokens, negated } => {
            let names: Vec<String> = tokens.iter().map(|id| token(grammar, *id)).collect();
            format!("{}({})", if *negated { "~" } else { "" }, names.join(" | "))
        }
        Term::Rule { rule, .. } => grammar.rule(*rule).name.clone(),
        Term::Group(body) => format!("({})", alternatives(grammar, body)),
        Term::Repeat { id, body } => {
            let quantifier = grammar.quantifier(*id);
            let sign = match quantifier.bounds {
                Bounds::Optional => '?',
                Bounds::Star => '*',
                Bounds::Plus => '+',
            };
            let lazy = if quantifier.greedy { "" } else { "?" };
            let inner = alternatives(grammar, body);
            match &body[..] {
                [Alternative { terms, label: None, .. }] if terms.len() == 1 => {
                    format!("{inner}{sign}{lazy}")
                }
                _ => format!("({inner}){sign}{lazy}"),
            }
        }
    }
}

/// A token by its text if it always has the same, else by its name.
pub fn token(grammar: &Grammar, id: TokenId) -> String {
    match grammar.tokens.get(id.index()) {
        Some(Token { literal: Some(text), .. }) => {
            format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
        }
        _ if id == TokenId::EOF => "EOF".to_owned(),
        _ => grammar.token_name(id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::g4;

    #[test]
    fn rules_are_written_as_they_were_read() {
        let lines = [
            "'{' (pair (',' pair)*)? '}'",
            "ID '=' ('x' | ~(ID) | .) # one | b* # two",
            "ID+? | <assoc=right> b '\\'' b",
        ];
        let [a, c, b] = lines;
        let text =
            format!("grammar T; a: {a} EOF; pair: {c}; b: {b}; ID: [a-z]+; Q: '\\'' | '\"';");
        let text = text.replace("Q: '\\'' | '\"'", "Q: '\\''");
        let grammar = g4::load_texts(&[("t.g4", &text)]).unwrap();
        let shown: Vec<String> = (0..3).map(|rule| definition(&grammar, RuleId(rule))).collect();
        assert_eq!(shown[0], format!("{a} EOF"));
        assert_eq!(shown[1], c);
        assert_eq!(shown[2], b);
        let parts: Vec<String> = (0..2).map(|id| quantified(&grammar, QuantifierId(id))).collect();
        assert_eq!(parts, ["(pair (',' pair)*)?", "(',' pair)*"]);
    }
}
