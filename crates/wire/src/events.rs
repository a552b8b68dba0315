//! What a listener hears of `GET /v1/events`.

use domain::PersonaName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The data of the events `here` (how things stand) and `changed` (something was written since).
///
/// It says that something changed and never what: whoever may see it asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// The persona.
    pub persona: PersonaName,
    /// Grows with everything that is written for it.
    pub revision: u64,
}
