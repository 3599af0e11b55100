//! The example of the manual: the total of an order, with three bugs for a fuzzer to find.

use serde_json::Value;

/// Returns the total of an order, in cents, or `None` if the text is no order.
pub fn total(text: &str) -> Option<u64> {
    let order: Value = serde_json::from_str(text).ok()?;
    let mut total = 0;
    for item in order.get("items")?.as_array()? {
        total += price(item)?;
    }
    if let Some(discount) = order.get("discount") {
        // The first bug: a discount of more than 100 %.
        total = total * 100_u64.checked_sub(discount.as_u64()?).unwrap() / 100;
    }
    if let Some(currency) = order.get("currency") {
        // The second bug: three bytes of a text are not always whole characters.
        let currency = currency.as_str()?;
        if currency.len() > 3 && &currency[..3] != "EUR" {
            return None;
        }
    }
    Some(total)
}

/// Returns the price of an item times its count, in cents.
fn price(item: &Value) -> Option<u64> {
    let cents = (item.get("price")?.as_f64()? * 100.0) as u64;
    let count = item.get("count").map_or(Some(1), Value::as_u64)?;
    // The third bug: a pack without a content.
    match item.get("pack") {
        Some(pack) => Some(cents * count / pack.as_u64()?),
        None => cents.checked_mul(count),
    }
}
