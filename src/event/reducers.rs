//! The description of a reducer that can be switched on and off.

/// A reducer, in words.
#[derive(Clone, Debug)]
pub struct ReducerDescription<'a> {
    /// The name that options and statistics use.
    pub name: &'a str,
    /// Its effect.
    pub description: &'a str,
    /// The kinds of input that it needs; empty if it needs none.
    pub needs: Vec<String>,
    /// How its number of tests grows with the input.
    pub cost: String,
    /// The strategies that use it.
    pub used_by: Vec<String>,
    /// The paper that it is from, or "here".
    pub source: &'a str,
}
