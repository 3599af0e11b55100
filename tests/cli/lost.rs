//! Results whose place is lost: they are in another place that is printed.
