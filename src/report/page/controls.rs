//! What searches, filters and sorts the rows of a page. It is hidden until the page's script shows it.

use maud::{Markup, html};

use super::frame::Text;

/// A value of a choice, and how it is shown. The text may come from a target and is escaped; values are ours. An empty value is the one that hides nothing.
pub(super) type Choice<'c> = (&'c str, &'c str);

/// A search, filters and an order, in a bar that stays at the top of the window. Each has a label that is not
/// shown.
///
/// The search looks into the elements of the class `name` of each row. A filter is its name, a label and choices:
/// a row is shown if its attribute `data-NAME` has the chosen value. An order is `+` or `-` and the name of such an
/// attribute, which is a number.
pub(super) fn controls(
    search: &str,
    filters: &[(&str, &str, &[Choice<'_>])],
    orders: &[Choice<'_>],
) -> Markup {
    let options = |choices: &[Choice<'_>]| {
        html! { @for (value, shown) in choices { option value=(value) { (Text(shown)) } } }
    };
    html! {
        div.controls hidden {
            input #search type="search" placeholder=(search) aria-label=(search);
            @for (name, label, choices) in filters {
                select.filter id=(name) aria-label=(label) { (options(choices)) }
            }
            @if !orders.is_empty() { select #order aria-label="Order" { (options(orders)) } }
            output #count.meta {}
        }
        "\n"
    }
}
