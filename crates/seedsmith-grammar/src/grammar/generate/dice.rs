//! Dice: where the choices of a draw come from.

/// Where choices come from.
pub trait Dice {
    /// A number below `bound`; 0 for a bound of 0 or 1.
    fn below(&mut self, bound: usize) -> usize;

    /// Whether characters that mean something somewhere (quotes, brackets, blanks) and such that
    /// no one writes are wanted as often as letters.
    fn is_wild(&self) -> bool {
        false
    }
}

/// How many rules more a draw is given: mostly few, as both throws have to be high.
pub fn random_depth(dice: &mut dyn Dice) -> usize {
    let most = dice.below(4);
    let more = dice.below(4);
    if dice.below(2) == 0 { most.min(more) } else { most + more }
}
