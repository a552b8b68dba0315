//! The events of `GET /v1/events`.

use domain::PersonaName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The data of the events `here` (the current state) and `changed` (a write since).
///
/// It says that something changed and never what: clients with access fetch it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// The persona.
    pub persona: PersonaName,
    /// Grows with every write.
    pub revision: u64,
}
