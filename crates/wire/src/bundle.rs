//! A persona as one file that another deployment takes in: its manifest, and the two ends of the move.

use std::collections::BTreeMap;

use domain::{DeploymentDid, PersonaId, PersonaName, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a bundle says it is, so that its signature holds for nothing else.
pub const FORMAT: &str = "selfhood-persona-bundle";

/// `manifest.json` of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// Always `selfhood-persona-bundle`.
    pub format: String,
    /// The version of this shape.
    pub version: u32,
    /// The persona.
    pub persona: BundledPersona,
    /// The deployment it comes from.
    pub deployment_did: DeploymentDid,
    /// How many of what are in it.
    pub counts: BTreeMap<String, usize>,
    /// How many of what were left out.
    pub left_out: BTreeMap<String, usize>,
    /// Its files, with their hashes.
    pub parts: Vec<Part>,
}

/// Whose bundle it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BundledPersona {
    /// It.
    pub id: PersonaId,
    /// The name of its folder.
    pub name: PersonaName,
    /// What people call it.
    pub display_name: String,
}

/// A file of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Part {
    /// Its name in the archive.
    pub path: String,
    /// SHA-256 of its bytes, hexadecimal.
    pub sha256: String,
    /// How many bytes it has.
    pub bytes: u64,
}

/// `POST /v1/personas/{p}/bundle`: signs the manifest of a bundle that was made of this persona.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignBundle {
    /// The manifest.
    pub manifest: Manifest,
}

/// `signature.json` of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BundleSignature {
    /// The `did:key` of the operator.
    pub signer: String,
    /// Ed25519 over the canonical JSON of the manifest, base64url.
    pub signature: String,
}

/// `POST /v1/personas/import`: makes a persona of another deployment's document and files.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportPersona {
    /// `persona.json` as it was.
    pub document: Value,
    /// Its files by name, such as `IDENTITY.md`.
    #[serde(default)]
    pub files: BTreeMap<String, Text>,
    /// The name of its folder here; the one it had when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<PersonaName>,
}
