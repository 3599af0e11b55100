//! HCL: parsed and printed. No code of ours runs after the parser.

#![no_main]

#[path = "harness/mod.rs"]
#[macro_use]
mod harness;

use hcl_edit::Decorate;
use hcl_edit::expr::Expression;
use hcl_edit::structure::{Block, Body};
use hcl_edit::visit_mut::{VisitMut, visit_block_mut, visit_expr_mut};

/// Drops comments and white space around blocks and expressions.
struct Undecorated;

impl VisitMut for Undecorated {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.decor_mut().clear();
        visit_block_mut(self, block);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expression) {
        expression.decor_mut().clear();
        visit_expr_mut(self, expression);
    }
}

fn process(data: &[u8], goes_on: bool) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let Ok(mut body) = text.parse::<Body>() else { return false };
    if goes_on {
        harness::after(|| {
            let first = body.to_string();
            Undecorated.visit_body_mut(&mut body);
            std::hint::black_box((first, body.to_string()));
        });
    }
    true
}

target!(process);
