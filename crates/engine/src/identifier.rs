//! New ids, from the injected clock and randomness.

use domain::{MemoryId, Timestamp};
use uuid::Uuid;
use vault::randomness::random_bytes;
use wire::Problem;

use crate::Engine;
use crate::error::no_randomness;

impl Engine {
    /// A version 7 UUID: ordered by time, random within a millisecond.
    pub(crate) fn new_uuid(&self, now: Timestamp) -> Result<Uuid, Problem> {
        let chance: [u8; 10] = random_bytes(self.randomness.as_ref()).map_err(|e| no_randomness(&e))?;
        let millis = u64::try_from(now.as_millis()).unwrap_or(0);
        Ok(uuid::Builder::from_unix_timestamp_millis(millis, &chance).into_uuid())
    }

    /// A UUID of 122 random bits, for ids that give access by themselves.
    pub(crate) fn random_uuid(&self) -> Result<Uuid, Problem> {
        let chance: [u8; 16] = random_bytes(self.randomness.as_ref()).map_err(|e| no_randomness(&e))?;
        Ok(uuid::Builder::from_random_bytes(chance).into_uuid())
    }

    /// A new id for something that only this process knows.
    pub fn fresh_id(&self, now: Timestamp) -> Result<String, Problem> {
        Ok(self.new_uuid(now)?.simple().to_string())
    }

    /// An id that no memory of the persona has, according to `is_taken`.
    pub(crate) fn new_memory_id(&self, is_taken: impl Fn(MemoryId) -> bool) -> Result<MemoryId, Problem> {
        loop {
            let id =
                MemoryId::from_random(random_bytes(self.randomness.as_ref()).map_err(|e| no_randomness(&e))?);
            if !is_taken(id) {
                return Ok(id);
            }
        }
    }
}
