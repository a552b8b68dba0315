//! AWS KMS, or what speaks like it, as the service that wraps keys. A key never leaves it: 32 bytes go there
//! and come back encrypted, bound to the name of what they are.

use std::fmt;

use reqwest::{Method, Url};
use serde_json::{Value, json};
use vault::encoding::{base64_standard, from_base64_standard, hex};
use vault::hash::sha256;
use vault::key_directory::{KeyService, KeyServiceError};
use zeroize::Zeroizing;

use crate::Clock;
use crate::blocking::wait;
use crate::bucket::host;
use crate::credentials::AwsCredentials;
use crate::error::{Reason, RemoteError};
use crate::http::{self, Http, Outgoing};
use crate::region::amazon_endpoint;
use crate::signing::{Scope, Unsigned};

/// One key of AWS KMS.
pub struct AwsKms {
    endpoint: Url,
    key: String,
    scope: Scope,
    credentials: AwsCredentials,
    clock: Clock,
}

impl AwsKms {
    /// The key with the ARN or alias `key`. The region is that of the ARN; `endpoint` names a service that is not
    /// Amazon's own.
    pub fn new(
        key: &str,
        region: Option<&str>,
        endpoint: Option<&str>,
        credentials: AwsCredentials,
        clock: Clock,
    ) -> Result<Self, RemoteError> {
        let failed = |reason| RemoteError { service: format!("AWS KMS, key {key}"), reason };
        // arn:PARTITION:kms:REGION:ACCOUNT:key/ID
        let of_arn = key.strip_prefix("arn:").and_then(|rest| rest.split(':').nth(2));
        let region = of_arn.or(region).filter(|region| !region.is_empty());
        let region = region.ok_or(Reason::Address("name the whole ARN of the key, or AWS_REGION"));
        let region = region.map_err(failed)?.to_owned();
        let own = amazon_endpoint("kms", &region);
        let endpoint = http::address(endpoint.unwrap_or(&own)).map_err(failed)?;
        let scope = Scope { region, service: "kms" };
        Ok(Self { endpoint, key: key.to_owned(), scope, credentials, clock })
    }

    /// The field `wanted` of the answer to `action`.
    fn ask(&self, action: &str, body: &Value, wanted: &str) -> Result<Zeroizing<Vec<u8>>, KeyServiceError> {
        let asking = async {
            let http = Http::new(&self.endpoint, String::new()).map_err(|error| error.reason)?;
            let text = http.text(|| self.outgoing(action, body)).await.map_err(|error| error.reason)?;
            let text = Zeroizing::new(text);
            let answer: Value = serde_json::from_str(&text).map_err(|_| Reason::Malformed("JSON"))?;
            let found = answer.get(wanted).and_then(Value::as_str).and_then(from_base64_standard);
            found.map(Zeroizing::new).ok_or(Reason::Malformed("an answer of KMS"))
        };
        wait(asking).map_err(|reason| KeyServiceError::new(reason.to_string()))
    }

    fn outgoing(&self, action: &str, body: &Value) -> Outgoing {
        let body = body.to_string().into_bytes();
        let headers = vec![
            ("content-type".to_owned(), "application/x-amz-json-1.1".to_owned()),
            ("host".to_owned(), host(&self.endpoint)),
            ("x-amz-target".to_owned(), format!("TrentService.{action}")),
        ];
        let payload = hex(&sha256(&[&body]));
        let unsigned = Unsigned { method: "POST", path: self.endpoint.path(), query: &[], headers, payload };
        let headers = unsigned.signed(&self.credentials, &self.scope, (self.clock)());
        Outgoing { method: Method::POST, url: self.endpoint.clone(), headers, body }
    }
}

impl KeyService for AwsKms {
    fn label(&self) -> String {
        format!("aws-kms {}", self.key)
    }

    fn wrap(&self, holds: &str, key: &[u8; 32]) -> Result<Vec<u8>, KeyServiceError> {
        let context = json!({ "selfhood": holds });
        let plain = base64_standard(key);
        let body = json!({ "KeyId": self.key, "Plaintext": plain, "EncryptionContext": context });
        self.ask("Encrypt", &body, "CiphertextBlob").map(|wrapped| wrapped.to_vec())
    }

    fn unwrap(&self, holds: &str, wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, KeyServiceError> {
        let (context, blob) = (json!({ "selfhood": holds }), base64_standard(wrapped));
        let body = json!({ "KeyId": self.key, "CiphertextBlob": blob, "EncryptionContext": context });
        self.ask("Decrypt", &body, "Plaintext")
    }
}

impl fmt::Debug for AwsKms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AwsKms({})", self.key)
    }
}
