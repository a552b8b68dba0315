//! Which revision of the protocol a request speaks, found from the request alone.
//!
//! Up to 2025-11-25 a client shakes hands first (`initialize`); from 2026-07-28 on every request says everything in its
//! `_meta`, and over HTTP once more in headers that must agree with it.

use axum::http::{HeaderMap, StatusCode};
use serde_json::{Map, Value, json};
use wire::rpc::{HEADER_MISMATCH, INVALID_PARAMS, Request, RpcError, UNSUPPORTED_VERSION};

/// The stateless revision.
pub(super) const MODERN: &str = "2026-07-28";
/// The revisions with a handshake, latest first.
pub(super) const WITH_HANDSHAKE: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// Where a request says which revision it speaks.
pub(super) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Where a request says what its client can do.
pub(super) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// Where a request says which client it is from.
pub(super) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

/// The era of a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Era {
    /// With a handshake.
    Handshake,
    /// Stateless, with what the client can do.
    Stateless(Map<String, Value>),
}

/// How a request came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transport {
    /// A line of a pipe: there are no headers.
    Stdio,
    /// A POST, whose headers must agree with it.
    Http,
}

/// An answer that is given before the method is looked at.
pub(super) type EarlyRefusal = (StatusCode, RpcError);

impl Era {
    /// The era of `request`.
    pub(super) fn of(
        request: &Request,
        headers: &HeaderMap,
        transport: Transport,
    ) -> Result<Self, EarlyRefusal> {
        let meta = request.params.get("_meta").and_then(Value::as_object);
        let in_meta = meta.and_then(|meta| meta.get(VERSION));
        let in_header =
            headers.get("mcp-protocol-version").and_then(|value| value.to_str().ok()).map(str::trim);
        let is_stateless =
            in_meta.is_some() || in_header == Some(MODERN) || request.method == "server/discover";
        if !is_stateless {
            return match in_header {
                Some(version) if transport == Transport::Http && !WITH_HANDSHAKE.contains(&version) => {
                    Err(unsupported(request, version))
                }
                Some(_) | None => Ok(Self::Handshake),
            };
        }
        let Some(version) = in_meta.and_then(Value::as_str) else {
            return Err(invalid(request, VERSION));
        };
        if transport == Transport::Http && in_header != Some(version) {
            let said = in_header.unwrap_or("nothing");
            return Err(mismatch(request, "MCP-Protocol-Version", said, version));
        }
        if version != MODERN {
            return Err(unsupported(request, version));
        }
        let Some(capabilities) = meta.and_then(|meta| meta.get(CAPABILITIES)).and_then(Value::as_object)
        else {
            return Err(invalid(request, CAPABILITIES));
        };
        if transport == Transport::Http {
            check_headers(request, headers)?;
        }
        Ok(Self::Stateless(capabilities.clone()))
    }
}

/// The revisions that are spoken here, latest first.
pub(super) fn versions() -> Vec<&'static str> {
    std::iter::once(MODERN).chain(WITH_HANDSHAKE).collect()
}

/// Refuses headers that name another method or another thing than the body.
fn check_headers(request: &Request, headers: &HeaderMap) -> Result<(), EarlyRefusal> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let named = match request.method.as_str() {
        "tools/call" | "prompts/get" => request.params.get("name"),
        "resources/read" => request.params.get("uri"),
        _ => None,
    };
    let said = [("mcp-method", Some(request.method.as_str())), ("mcp-name", named.and_then(Value::as_str))];
    for (header, body) in said {
        let Some(body) = body else { continue };
        let sent = text(header).map(decoded);
        if sent.as_deref() != Some(body) {
            return Err(mismatch(request, header, sent.as_deref().unwrap_or("nothing"), body));
        }
    }
    Ok(())
}

/// A header's value; what no header can carry as it is comes in Base64.
fn decoded(value: &str) -> String {
    use base64::Engine as _;
    let wrapped = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    let bytes = wrapped.and_then(|text| base64::engine::general_purpose::STANDARD.decode(text).ok());
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| value.to_owned())
}

fn mismatch(request: &Request, header: &str, said: &str, body: &str) -> EarlyRefusal {
    let detail = format!("the header `{header}` says {said}, but the message says {body}; send the same");
    (StatusCode::BAD_REQUEST, RpcError::new(request.id.clone(), HEADER_MISMATCH, detail))
}

fn invalid(request: &Request, missing: &str) -> EarlyRefusal {
    let detail = format!("`_meta` must have `{missing}`");
    (StatusCode::BAD_REQUEST, RpcError::new(request.id.clone(), INVALID_PARAMS, detail))
}

fn unsupported(request: &Request, version: &str) -> EarlyRefusal {
    let detail = format!("the revision `{version}` is not spoken here; use one of {}", versions().join(", "));
    let data = json!({ "supported": versions(), "requested": version });
    (StatusCode::BAD_REQUEST, RpcError::new(request.id.clone(), UNSUPPORTED_VERSION, detail).with(data))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, params: Value) -> Request {
        let Value::Object(params) = params else { panic!("an object") };
        Request { id: json!(1), method: method.to_owned(), params }
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn the_request_alone_says_which_era_it_is_of() {
        let meta = json!({ "_meta": { VERSION: MODERN, CAPABILITIES: {} } });
        let stateless = || Ok(Era::Stateless(Map::new()));
        let all = [("mcp-protocol-version", MODERN), ("mcp-method", "tools/list")];
        for (asked, sent, transport, expected) in [
            (request("initialize", json!({})), headers(&[]), Transport::Http, Ok(Era::Handshake)),
            (request("tools/list", json!({})), headers(&[]), Transport::Stdio, Ok(Era::Handshake)),
            (
                request("tools/list", json!({})),
                headers(&[("mcp-protocol-version", "2025-06-18")]),
                Transport::Http,
                Ok(Era::Handshake),
            ),
            (request("tools/list", meta.clone()), headers(&[]), Transport::Stdio, stateless()),
            (request("tools/list", meta.clone()), headers(&all), Transport::Http, stateless()),
            (request("tools/list", meta.clone()), headers(&[]), Transport::Http, Err(HEADER_MISMATCH)),
            (
                request("tools/list", meta.clone()),
                headers(&[("mcp-protocol-version", MODERN)]),
                Transport::Http,
                Err(HEADER_MISMATCH),
            ),
            (
                request("tools/list", json!({})),
                headers(&[("mcp-protocol-version", "1999-01-01")]),
                Transport::Http,
                Err(UNSUPPORTED_VERSION),
            ),
            (request("server/discover", json!({})), headers(&[]), Transport::Stdio, Err(INVALID_PARAMS)),
        ] {
            let era = Era::of(&asked, &sent, transport).map_err(|(_, error)| error.code);
            assert_eq!(era, expected, "{asked:?} {sent:?}");
        }
    }

    #[test]
    fn a_tool_is_named_in_its_header_too() {
        let params = json!({ "name": "recall", "_meta": { VERSION: MODERN, CAPABILITIES: {} } });
        let asked = request("tools/call", params);
        let sent = |name: &str| {
            headers(&[("mcp-protocol-version", MODERN), ("mcp-method", "tools/call"), ("mcp-name", name)])
        };
        for (name, is_answered) in [("recall", true), ("=?base64?cmVjYWxs?=", true), ("forget", false)] {
            assert_eq!(Era::of(&asked, &sent(name), Transport::Http).is_ok(), is_answered, "{name}");
        }
    }
}
