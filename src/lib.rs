//! seedsmith: shrinks crashing inputs, repairs invalid seeds, generalizes failures.
