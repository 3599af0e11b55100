//! The contents of a tree-sitter language's `node-types.json`: which children a node has, which of
//! them may be missing or occur several times, and which kinds are subtypes of others.
//!
//! Only named kinds are listed there, none of the tokens between them.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The children of a node with one field name, or all those without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildSlot {
    /// Whether there can be several.
    pub is_multiple: bool,
    /// Whether there is always one.
    pub is_required: bool,
    /// The named kinds that are allowed here; a supertype is listed by its own name.
    pub kinds: Vec<String>,
}

impl ChildSlot {
    /// Field and kinds, with the sign of a quantifier.
    fn shown(&self, field: &str) -> String {
        let sign = match (self.is_required, self.is_multiple) {
            (true, false) => "",
            (true, true) => "+",
            (false, false) => "?",
            (false, true) => "*",
        };
        let kinds = match &self.kinds[..] {
            // Only tokens of a fixed text may be there.
            [] => "token".to_owned(),
            [only] => only.clone(),
            several => format!("({})", several.join(" | ")),
        };
        if field.is_empty() { format!("{kinds}{sign}") } else { format!("{field}: {kinds}{sign}") }
    }
}

/// A language's kinds of nodes.
#[derive(Clone, Debug, Default)]
pub struct NodeTypes {
    slots: BTreeMap<String, BTreeMap<String, ChildSlot>>,
    subtypes: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct NodeEntry {
    #[serde(rename = "type")]
    kind: String,
    named: bool,
    #[serde(default)]
    fields: BTreeMap<String, Children>,
    children: Option<Children>,
    #[serde(default)]
    subtypes: Vec<Name>,
}

#[derive(Deserialize)]
struct Children {
    multiple: bool,
    required: bool,
    types: Vec<Name>,
}

#[derive(Deserialize)]
struct Name {
    #[serde(rename = "type")]
    kind: String,
    named: bool,
}

fn named(names: Vec<Name>) -> Vec<String> {
    names.into_iter().filter(|name| name.named).map(|name| name.kind).collect()
}

impl From<Children> for ChildSlot {
    fn from(children: Children) -> Self {
        ChildSlot {
            is_multiple: children.multiple,
            is_required: children.required,
            kinds: named(children.types),
        }
    }
}

impl NodeTypes {
    /// Reads the file's text.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        let entries: Vec<NodeEntry> = serde_json::from_str(text)?;
        let mut types = NodeTypes::default();
        for entry in entries.into_iter().filter(|entry| entry.named) {
            if !entry.subtypes.is_empty() {
                types.subtypes.insert(entry.kind, named(entry.subtypes));
                continue;
            }
            let fields =
                entry.fields.into_iter().map(|(field, slot)| (field, ChildSlot::from(slot)));
            let unnamed = entry.children.map(|slot| (String::new(), ChildSlot::from(slot)));
            types.slots.insert(entry.kind, fields.chain(unnamed).collect());
        }
        Ok(types)
    }

    /// Whether anything is known.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The slot of a child of `parent` with this field name (empty: none).
    pub fn slot(&self, parent: &str, field: &str) -> Option<&ChildSlot> {
        self.slots.get(parent)?.get(field)
    }

    /// The supertypes, by name, with the direct subtypes of each.
    pub fn supertypes(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.subtypes.iter().map(|(kind, subtypes)| (kind.as_str(), subtypes.as_slice()))
    }

    /// All named kinds with a definition of each: a supertype's subtypes, a node's children by
    /// field, nothing for a token.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, String)> {
        let supertypes = self.supertypes().map(|(kind, subtypes)| (kind, subtypes.join(" | ")));
        let nodes = self.slots.iter().map(|(kind, slots)| {
            // Children without a field name are last, since their place is not known.
            let (unnamed, fields): (Vec<_>, Vec<_>) =
                slots.iter().partition(|(field, _)| field.is_empty());
            let parts = fields.into_iter().chain(unnamed).map(|(field, slot)| slot.shown(field));
            (kind.as_str(), parts.collect::<Vec<_>>().join("  "))
        });
        supertypes.chain(nodes)
    }

    /// Whether a node of kind `kind` is allowed where one of `wanted` is required.
    pub fn fits(&self, kind: &str, wanted: &str) -> bool {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut todo = vec![wanted];
        while let Some(next) = todo.pop() {
            if next == kind {
                return true;
            }
            if seen.insert(next) {
                let subtypes = self.subtypes.get(next).into_iter().flatten();
                todo.extend(subtypes.map(String::as_str));
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_fit_through_supertypes() {
        let text = r#"[{"type": "_e", "named": true, "subtypes": [{"type": "_f", "named": true}]},
            {"type": "_f", "named": true, "subtypes": [{"type": "n", "named": true}]},
            {"type": "p", "named": true, "fields": {"v": {"multiple": false, "required": true,
                "types": [{"type": "_e", "named": true}, {"type": "-", "named": false}]}}},
            {"type": "-", "named": false}]"#;
        let types = NodeTypes::read(text).unwrap();
        assert!(types.fits("n", "_e") && types.fits("n", "n") && !types.fits("p", "_e"));
        let slot = types.slot("p", "v").unwrap();
        assert_eq!(
            slot,
            &ChildSlot { is_multiple: false, is_required: true, kinds: vec!["_e".into()] }
        );
        assert!(NodeTypes::read("{}").is_err());
    }

    #[test]
    fn children_are_shown_by_field_with_how_often_they_stand() {
        let text = r#"[{"type": "_e", "named": true, "subtypes": [{"type": "n", "named": true},
                {"type": "p", "named": true}]},
            {"type": "p", "named": true, "fields": {
                "v": {"multiple": true, "required": false,
                    "types": [{"type": "_e", "named": true}, {"type": "q", "named": true}]},
                "o": {"multiple": false, "required": true,
                    "types": [{"type": "-", "named": false}]}},
                "children": {"multiple": true, "required": true,
                    "types": [{"type": "n", "named": true}]}},
            {"type": "n", "named": true}, {"type": "-", "named": false}]"#;
        let types = NodeTypes::read(text).unwrap();
        let shown: Vec<_> = types.definitions().collect();
        let shown: Vec<_> = shown.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
        assert_eq!(shown, [("_e", "n | p"), ("n", ""), ("p", "o: token  v: (_e | q)*  n+")]);
    }
}
