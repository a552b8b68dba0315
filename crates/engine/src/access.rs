//! Access control: API keys, sign-in, operators, and the rules for who sees a memory.

pub(crate) mod law;
pub(crate) mod authenticate;
pub(crate) mod check_tenant;
pub(crate) mod known_keys;
pub(crate) mod keys;
pub(crate) mod operators;
pub(crate) mod revocations;
pub(crate) mod sign_in;
pub(crate) mod operator_only;
pub(crate) mod key_subject;
pub(crate) mod seal;
