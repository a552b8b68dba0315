//! A seal that only this deployment can put on something it hands out and gets back, on whichever of its nodes.

use crate::Engine;
use crate::call::Call;

impl Engine {
    /// The seal of `fields` for the caller; the same fields have another one for every key and every purpose.
    #[must_use]
    pub fn seal(&self, call: &Call, purpose: &str, fields: &[&str]) -> [u8; 32] {
        self.pepper.tag(purpose, &sealed(call, fields))
    }

    /// Whether `seal` is the seal of `fields`, compared in constant time.
    #[must_use]
    pub fn is_sealed(&self, call: &Call, purpose: &str, fields: &[&str], seal: &[u8]) -> bool {
        self.pepper.matches(purpose, &sealed(call, fields), seal)
    }
}

fn sealed<'a>(call: &'a Call, fields: &[&'a str]) -> Vec<&'a [u8]> {
    let caller = [call.caller.tenant.as_str(), call.caller.actor.as_str()];
    caller.into_iter().chain(fields.iter().copied()).map(str::as_bytes).collect()
}
