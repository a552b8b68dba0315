//! Consents of subjects: give, list and withdraw.

use std::collections::BTreeSet;

use domain::{ConsentBasis, PrivacyClass, SubjectConsent, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::subject::WithdrawalAnswer;

/// `POST /v1/personas/{p}/subjects/{s}/consents`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveConsent {
    /// The consent basis of memories stored under it: `explicit-consent` when absent, or one that `[consent]`
    /// adds.
    #[serde(default = "ConsentBasis::explicit_consent")]
    pub basis: ConsentBasis,
    /// The privacy classes that may be stored: `guest-pii`, `staff-pii` or `sensitive-pii`.
    #[schemars(length(min = 1))]
    pub classes: BTreeSet<PrivacyClass>,
    /// How it was given, such as "signed the form at the desk on 3 May"; sealed under the person's own key.
    #[schemars(length(min = 1, max = 280))]
    pub how: Text,
}

/// `GET /v1/personas/{p}/subjects/{s}/consents`, and the answer to a new consent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsentList {
    /// The consents, oldest first; those with `withdrawnAt` are no longer valid.
    pub data: Vec<SubjectConsent>,
}

/// `DELETE /v1/personas/{p}/subjects/{s}/consents`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConsentWithdrawal {
    /// The consents afterwards, oldest first; none of them is valid.
    pub data: Vec<SubjectConsent>,
    /// What happened to the memories.
    pub memories: WithdrawalAnswer,
}
