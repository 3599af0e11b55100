//! What nodes of a tree are called.
//!
//! A name comes from the grammar alone. Names of places and of keys are made of these.

use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::is_of_token;
use seedsmith_grammar::{NodeId, NodeKind, Tree};

use crate::generalize::draws::sampler::Sampler;

/// How the name of a rule begins that is another rule without its title.
pub(super) const ROOT: &str = "root_";

/// Whether a name is of a token with many texts: its letters are capitals.
pub(super) fn is_token(name: &str) -> bool {
    !name.contains(' ') && is_of_token(name)
}

/// Whether a name is that of a rule: in angle brackets, and not in capitals as tokens are.
pub(super) fn is_rule(name: &str) -> bool {
    name.starts_with('<') && !name.contains(' ') && name.contains(char::is_lowercase)
}

/// Whether a text is an operator of two numbers or of a number: one or two of the usual marks.
pub(super) fn is_operator(text: &[u8]) -> bool {
    matches!(text.len(), 1 | 2) && text.iter().all(|byte| b"+-*/%^&|!~".contains(byte))
}

/// What a node is called, and whether it has one text only, which is its name then.
///
/// Texts of the grammar are in double quotation marks. `None` for nodes that are neither rules nor
/// tokens.
pub(super) fn name(tree: &Tree, id: NodeId, language: &Sampler) -> Option<(Name, bool)> {
    let node = tree.node(id);
    match node.kind {
        NodeKind::Rule { .. } => {
            let own = language.name(language.symbol(node)?);
            // The part without a title before those with one, such as the root table of TOML, is one of them.
            let is_rule = |name: &&str| language.grammar().rule_named(name).is_some();
            let name = own.strip_prefix(ROOT).filter(is_rule).unwrap_or(&own);
            Some((written(name), false))
        }
        NodeKind::Token(token) => {
            let token = language.grammar().tokens.get(token as usize)?;
            match &token.literal {
                Some(literal) => Some((format!("{literal:?}").into(), true)),
                None => Some((written(&language.name(language.symbol(node)?)), false)),
            }
        }
        _ => None,
    }
}

/// A name as patterns write it: no word of the input's language.
///
/// So no name of a rule looks like a text of the input.
fn written(name: &str) -> Name {
    format!("<{name}>").into()
}
