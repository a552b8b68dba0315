//! A persona as one file for another deployment: its manifest, and both ends of the move.

use std::collections::BTreeMap;

use domain::{DeploymentDid, PersonaId, PersonaName, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::persona::PersonaView;

/// The format name, so that the signature is valid for nothing else.
pub const FORMAT: &str = "selfhood-persona-bundle";

/// `manifest.json` of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// Always `selfhood-persona-bundle`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The persona.
    pub persona: BundledPersona,
    /// The deployment it comes from.
    pub deployment_did: DeploymentDid,
    /// What it contains, and how many.
    pub counts: BTreeMap<String, usize>,
    /// What was left out, and how many.
    pub left_out: BTreeMap<String, usize>,
    /// Its files, with their hashes.
    pub parts: Vec<Part>,
}

/// The persona of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BundledPersona {
    /// Its id.
    pub id: PersonaId,
    /// The name of its folder.
    pub name: PersonaName,
    /// Its display name.
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

/// `POST /v1/personas/{p}/bundle`: signs the manifest of a bundle of this persona.
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

/// `POST /v1/personas/import`: creates a persona from another deployment's document and files.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportPersona {
    /// The original `persona.json`.
    pub document: Value,
    /// Its files by name, such as `IDENTITY.md`.
    #[serde(default)]
    pub files: BTreeMap<String, Text>,
    /// The name of its folder here; the original one when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<PersonaName>,
    /// Hash of the source, such as a bundle's manifest. Importing it again resumes: an existing persona of that name and
    /// hash is the answer, as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 100))]
    pub bundle: Option<String>,
}

/// The persona that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedPersona {
    /// It.
    pub persona: PersonaView,
    /// Whether it was made before, by an import of the same bundle.
    #[serde(default)]
    pub resumed: bool,
}
