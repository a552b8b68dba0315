//! Schemas of requests and answers, generated once per type.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use schemars::JsonSchema;
use serde_json::Value;

type SchemaCache = Mutex<HashMap<TypeId, Arc<Value>>>;

/// The schema of `T`.
pub fn of<T: JsonSchema + 'static>() -> Arc<Value> {
    static MADE: OnceLock<SchemaCache> = OnceLock::new();
    let mut made = MADE.get_or_init(SchemaCache::default).lock().unwrap_or_else(PoisonError::into_inner);
    made.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(domain::schema::schema_of::<T>())).clone()
}
