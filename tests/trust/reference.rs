//! What must be there after so many steps, as the store that is plain maps has it.

use std::sync::Arc;

use serde_json::Value;
use store::{Memory, Scope, Store, StoreError};
use vault::randomness::OsRandomness;

use crate::workload;
use crate::world::{INARA, make_persona, scope, signer};

/// The reference, some steps in.
pub(crate) struct Reference {
    store: Store,
    scope: Scope,
    steps: u64,
}

impl Reference {
    pub(crate) async fn new() -> Self {
        let store = Store::Memory(Memory::new(signer(), Arc::new(OsRandomness)));
        make_persona(&store, INARA).await.unwrap();
        Self { store, scope: scope(INARA), steps: 0 }
    }

    async fn advance(&mut self, steps: u64) {
        while self.steps < steps {
            workload::take(&self.store, &self.scope, self.steps).await.unwrap();
            self.steps += 1;
        }
    }

    /// Finds out how many steps `found` shows: all that were acknowledged, or the one more that was under
    /// way. Anything else is reported as what is wrong.
    pub(crate) async fn recognise(&mut self, found: &Value, acknowledged: u64) -> Result<u64, String> {
        let mut difference = String::new();
        for steps in [acknowledged, acknowledged + 1] {
            self.advance(steps).await;
            let expected = dump(&self.store, &self.scope).await.unwrap();
            match first_difference(&expected, found) {
                None => return Ok(steps),
                Some(place) => difference = place,
            }
        }
        Err(format!("{acknowledged} steps were acknowledged, but the records differ at {difference}"))
    }
}

/// Everything a persona has. When its log was signed is left out: closing a store signs it once more, and
/// the store proves its signatures itself.
pub(crate) async fn dump(store: &Store, scope: &Scope) -> Result<Value, StoreError> {
    let mut dumped = store::dump(store, scope).await?;
    if let Some(parts) = dumped.as_object_mut() {
        parts.remove("checkpoints");
    }
    Ok(dumped)
}

/// Where two dumps differ first; places only, never words.
pub(crate) fn first_difference(expected: &Value, found: &Value) -> Option<String> {
    if expected == found {
        return None;
    }
    let inside = match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => expected.iter().find_map(|(name, value)| {
            first_difference(value, found.get(name).unwrap_or(&Value::Null))
                .map(|rest| format!("/{name}{rest}"))
        }),
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            let mut pairs = expected.iter().zip(found).enumerate();
            pairs.find_map(|(at, (expected, found))| {
                first_difference(expected, found).map(|rest| format!("/{at}{rest}"))
            })
        }
        (Value::Array(expected), Value::Array(found)) => {
            Some(format!(" ({} expected, {} found)", expected.len(), found.len()))
        }
        _ => None,
    };
    Some(inside.unwrap_or_default())
}
