//! The transit engine of Vault, or of what speaks like it, as the service that wraps keys.

use std::fmt;

use reqwest::{Method, Url};
use serde_json::{Value, json};
use vault::encoding::{base64_standard, from_base64_standard};
use vault::key_directory::{KeyService, KeyServiceError};
use zeroize::Zeroizing;

use crate::blocking::wait;
use crate::credentials::Token;
use crate::error::{Reason, RemoteError};
use crate::http::{self, Http, Outgoing};

/// One key of a transit engine.
pub struct VaultTransit {
    address: Url,
    mount: String,
    key: String,
    token: Token,
}

impl VaultTransit {
    /// The key that `url` names: the server's address, the path the engine is mounted at, and the key's name, such as
    /// `https://vault.example.org:8200/transit/selfhood`. A namespace stands before the mount.
    pub fn new(url: &str, token: Token) -> Result<Self, RemoteError> {
        let failed = |reason| RemoteError { service: "Vault transit".to_owned(), reason };
        let mut address = http::address(url).map_err(failed)?;
        let path = address.path().trim_matches('/').to_owned();
        let (mount, key) = path
            .rsplit_once('/')
            .ok_or(Reason::Address(
                "name mount and key, such as https://vault.example.org:8200/transit/selfhood",
            ))
            .map_err(failed)?;
        let (mount, key) = (mount.to_owned(), key.to_owned());
        address.set_path("");
        Ok(Self { address, mount, key, token })
    }

    /// The field `wanted` of the answer to `action`.
    fn ask(&self, action: &str, body: &Value, wanted: &str) -> Result<Zeroizing<String>, KeyServiceError> {
        let asking = async {
            let http = Http::new(&self.address, String::new()).map_err(|error| error.reason)?;
            let text = http.text(|| self.outgoing(action, body)).await.map_err(|error| error.reason)?;
            let text = Zeroizing::new(text);
            let answer: Value = serde_json::from_str(&text).map_err(|_| Reason::Malformed("JSON"))?;
            let found = answer.get("data").and_then(|data| data.get(wanted)).and_then(Value::as_str);
            found.map(|text| Zeroizing::new(text.to_owned())).ok_or(Reason::Malformed("an answer of transit"))
        };
        wait(asking).map_err(|reason| KeyServiceError::new(reason.to_string()))
    }

    fn outgoing(&self, action: &str, body: &Value) -> Outgoing {
        let mut url = self.address.clone();
        url.set_path(&format!("/v1/{}/{action}/{}", self.mount, self.key));
        let headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("x-vault-token".to_owned(), self.token.expose().to_owned()),
            ("x-vault-request".to_owned(), "true".to_owned()),
        ];
        Outgoing { method: Method::POST, url, headers, body: body.to_string().into_bytes() }
    }
}

impl KeyService for VaultTransit {
    fn label(&self) -> String {
        format!("vault-transit {}{}/{}", self.address, self.mount, self.key)
    }

    fn wrap(&self, holds: &str, key: &[u8; 32]) -> Result<Vec<u8>, KeyServiceError> {
        let bound = base64_standard(holds.as_bytes());
        let body = json!({ "plaintext": base64_standard(key), "associated_data": bound });
        self.ask("encrypt", &body, "ciphertext").map(|wrapped| wrapped.as_bytes().to_vec())
    }

    fn unwrap(&self, holds: &str, wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, KeyServiceError> {
        let wrapped = std::str::from_utf8(wrapped)
            .map_err(|_| KeyServiceError::new("the wrapped key is no text of Vault's".to_owned()))?;
        let body = json!({ "ciphertext": wrapped, "associated_data": base64_standard(holds.as_bytes()) });
        let plain = self.ask("decrypt", &body, "plaintext")?;
        let bytes = from_base64_standard(&plain).map(Zeroizing::new);
        bytes.ok_or_else(|| KeyServiceError::new("its answer is not base64".to_owned()))
    }
}

impl fmt::Debug for VaultTransit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VaultTransit({}{}/{})", self.address, self.mount, self.key)
    }
}
