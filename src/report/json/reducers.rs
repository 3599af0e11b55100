//! The reducers that can be switched on and off.

use super::Json;
use crate::reduce::Reducer;
use crate::reduce::registry::used_by;
use crate::report::events::JsonEvent;
use crate::report::summary::reducers::needs;

impl Json {
    /// Writes a line for each reducer.
    pub fn reducers(&mut self, listed: &[&Reducer]) {
        for reducer in listed {
            self.write(JsonEvent::ReducerListed {
                name: reducer.name(),
                description: reducer.description(),
                needs: needs(reducer),
                cost: reducer.cost().to_string(),
                used_by: used_by(reducer),
                source: reducer.source(),
            });
        }
    }
}
