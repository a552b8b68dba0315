//! From a method to its answer, in the shape of the era that asks.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};
use wire::persona::PersonaDetails;
use wire::rpc::{self, INVALID_PARAMS, METHOD_NOT_FOUND, MISSING_CAPABILITY, Request, RpcError};
use wire::verb;
use wire::{Code, Problem};

use super::era::{Era, WITH_HANDSHAKE, versions};
use super::profile::Profile;
use super::question::Questions;
use super::session::{Ask, Session};
use super::tool::{Invalid, Outcome, ToolInput};
use super::{Reply, prompts, resources};

/// Where results of the stateless revision say who gives them.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// How long what holds nobody's words may be kept by a client: an hour, in milliseconds.
const AN_HOUR: u32 = 3_600_000;

/// Whether a client may keep a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// It holds nobody's words.
    Public,
    /// It may contain personal data: a cached copy would escape erasure.
    Never,
}

/// What a method gives, before its era shapes it.
enum MethodResult {
    /// A result.
    Result(Value, Keep),
    /// The client's person has to be asked first.
    Asks(Questions),
}

type DispatchResult = Result<MethodResult, RpcError>;

/// Answers `request`.
pub(super) async fn respond(session: &Session, era: Era, profile: Profile, request: Request) -> Reply {
    let id = request.id.clone();
    let answered = match (&era, request.method.as_str()) {
        (Era::Handshake, "initialize") => initialize(session, profile, &request).await,
        (Era::Handshake, "ping") => Ok(MethodResult::Result(json!({}), Keep::Never)),
        (Era::Stateless(_), "server/discover") => discover(session, profile, &request).await,
        (_, "tools/list") => Ok(MethodResult::Result(json!({ "tools": profile.listed() }), Keep::Public)),
        (_, "tools/call") => call_tool(session, &era, profile, request).await,
        (_, "prompts/list") => {
            Ok(MethodResult::Result(json!({ "prompts": profile.prompts() }), Keep::Public))
        }
        #[cfg(feature = "conformance")]
        (_, "prompts/get") if profile == Profile::Conformance => conformance_prompt(&request),
        (_, "prompts/get") => get_prompt(session, &request).await,
        (_, "resources/list") => {
            let listed = resources::listed(session, profile).await;
            named(&request, listed.map(|resources| json!({ "resources": resources })))
        }
        (_, "resources/templates/list") => {
            let templates = resources::templates(session, profile);
            Ok(MethodResult::Result(json!({ "resourceTemplates": templates }), Keep::Never))
        }
        (_, "resources/read") => read_resource(session, &era, profile, &request).await,
        (_, method) => Err(RpcError::new(
            id.clone(),
            METHOD_NOT_FOUND,
            format!("the method `{method}` is not known here"),
        )),
    };
    match (answered, era) {
        (Ok(given), era) => {
            Reply { status: StatusCode::OK, body: Some(rpc::answer(&id, &shaped(given, &era))) }
        }
        (Err(error), Era::Handshake) => Reply::refused(StatusCode::OK, error),
        (Err(error), Era::Stateless(_)) => {
            let status = match error.code {
                METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
                MISSING_CAPABILITY => StatusCode::BAD_REQUEST,
                _ => StatusCode::OK,
            };
            Reply::refused(status, error)
        }
    }
}

/// A result in the shape of its era.
fn shaped(given: MethodResult, era: &Era) -> Value {
    let (mut result, kind, keep) = match given {
        MethodResult::Result(result, keep) => (result, "complete", Some(keep)),
        MethodResult::Asks(Questions { requests, state }) => {
            let mut asks = Map::from_iter([("inputRequests".to_owned(), Value::Object(requests))]);
            asks.extend(state.map(|state| ("requestState".to_owned(), json!(state))));
            (Value::Object(asks), "input_required", None)
        }
    };
    let (Era::Stateless(_), Some(own)) = (era, result.as_object_mut()) else { return result };
    own.insert("resultType".to_owned(), json!(kind));
    let (ttl, scope) = match keep {
        Some(Keep::Public) => (AN_HOUR, "public"),
        Some(Keep::Never) | None => (0, "private"),
    };
    if keep.is_some() {
        own.insert("ttlMs".to_owned(), json!(ttl));
        own.insert("cacheScope".to_owned(), json!(scope));
    }
    let meta = own.entry("_meta").or_insert_with(|| json!({}));
    if let Some(meta) = meta.as_object_mut() {
        meta.insert(SERVER_INFO.to_owned(), server_info());
    }
    result
}

fn server_info() -> Value {
    json!({ "name": "selfhood", "title": "Selfhood", "version": env!("CARGO_PKG_VERSION") })
}

fn capabilities() -> Value {
    json!({ "tools": {}, "prompts": {}, "resources": {} })
}

async fn initialize(session: &Session, profile: Profile, request: &Request) -> DispatchResult {
    let asked = request.params.get("protocolVersion").and_then(Value::as_str).unwrap_or_default();
    let version = WITH_HANDSHAKE.iter().find(|version| **version == asked).unwrap_or(&WITH_HANDSHAKE[0]);
    let instructions = instructions(session, profile).await.map_err(|problem| refused(request, &problem))?;
    let result = json!({
        "protocolVersion": version,
        "capabilities": capabilities(),
        "serverInfo": server_info(),
        "instructions": instructions,
    });
    Ok(MethodResult::Result(result, Keep::Never))
}

async fn discover(session: &Session, profile: Profile, request: &Request) -> DispatchResult {
    let instructions = instructions(session, profile).await.map_err(|problem| refused(request, &problem))?;
    let result = json!({
        "supportedVersions": versions(),
        "capabilities": capabilities(),
        "instructions": instructions,
    });
    Ok(MethodResult::Result(result, Keep::Never))
}

/// The instructions for a model about the whole server.
async fn instructions(session: &Session, profile: Profile) -> Result<String, Problem> {
    let PersonaDetails { persona, .. } = session.ask::<verb::ShowPersona>(Ask::default()).await?;
    Ok(profile.instructions(&persona.display_name))
}

async fn call_tool(session: &Session, era: &Era, profile: Profile, mut request: Request) -> DispatchResult {
    let name = request.params.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let Some(tool) = profile.tools().iter().find(|tool| tool.name == name) else {
        return Err(RpcError::new(request.id, INVALID_PARAMS, format!("there is no tool `{name}`")));
    };
    let state = request.params.remove("requestState").and_then(|state| state.as_str().map(str::to_owned));
    let mut object = |name: &str| match request.params.remove(name) {
        Some(Value::Object(object)) => object,
        Some(_) | None => Map::new(),
    };
    let given = ToolInput {
        arguments: Value::Object(object("arguments")),
        responses: object("inputResponses"),
        state,
        meta: object("_meta"),
        capabilities: match era {
            Era::Handshake if session.can_ask => Map::from_iter([("elicitation".to_owned(), json!({}))]),
            Era::Handshake => Map::new(),
            Era::Stateless(capabilities) => capabilities.clone(),
        },
    };
    match (tool.run)(session, given).await {
        Ok(outcome) => made(&request.id, outcome),
        Err(problem) => Ok(MethodResult::Result(refusal(profile, &problem), Keep::Never)),
    }
}

/// What a call came to, in the shape of a result.
fn made(id: &Value, outcome: Outcome) -> DispatchResult {
    Ok(match outcome {
        Outcome::Asks(questions) => MethodResult::Asks(questions),
        Outcome::Invalid(Invalid { code, message, data }) => {
            return Err(RpcError { id: id.clone(), code, message, data });
        }
        #[cfg(feature = "conformance")]
        Outcome::Whole(result) => MethodResult::Result(result, Keep::Never),
        Outcome::Done { value, text, meta } => {
            let mut result = json!({
                "content": [{ "type": "text", "text": text }],
                "structuredContent": value,
            });
            if let (false, Some(result)) = (meta.is_empty(), result.as_object_mut()) {
                result.insert("_meta".to_owned(), Value::Object(meta));
            }
            MethodResult::Result(result, Keep::Never)
        }
    })
}

/// A refusal as a model reads it: the code and the way out.
fn refusal(profile: Profile, problem: &Problem) -> Value {
    let text = profile.refusal(problem);
    json!({
        "content": [{ "type": "text", "text": text }],
        "isError": true,
        "_meta": { "selfhood/code": problem.code, "selfhood/errors": problem.errors },
    })
}

/// A prompt that the conformance suite asks for.
#[cfg(feature = "conformance")]
fn conformance_prompt(request: &Request) -> DispatchResult {
    let name = request.params.get("name").and_then(Value::as_str).unwrap_or_default();
    let arguments = request.params.get("arguments").cloned().unwrap_or_default();
    let responses = request.params.get("inputResponses").and_then(Value::as_object).cloned();
    match super::conformance::prompt(name, &arguments, &responses.unwrap_or_default()) {
        Ok(outcome) => made(&request.id, outcome),
        Err(problem) => Err(RpcError::new(request.id.clone(), INVALID_PARAMS, problem.detail)),
    }
}

async fn get_prompt(session: &Session, request: &Request) -> DispatchResult {
    let name = request.params.get("name").and_then(Value::as_str).unwrap_or_default();
    let arguments = request.params.get("arguments").cloned().unwrap_or_default();
    match prompts::get(session, name, &arguments).await {
        Ok(prompt) => Ok(MethodResult::Result(prompt, Keep::Never)),
        Err(problem) if problem.code == Code::NotFound => {
            Err(RpcError::new(request.id.clone(), INVALID_PARAMS, problem.detail))
        }
        Err(problem) => Err(refused(request, &problem)),
    }
}

async fn read_resource(session: &Session, era: &Era, profile: Profile, request: &Request) -> DispatchResult {
    let uri = request.params.get("uri").and_then(Value::as_str).unwrap_or_default();
    match resources::read(session, profile, uri).await {
        Ok(contents) => Ok(MethodResult::Result(contents, Keep::Never)),
        Err(problem) if problem.code.http_status() == 404 => {
            let code = match era {
                Era::Handshake => problem.code.mcp_code(),
                Era::Stateless(_) => INVALID_PARAMS,
            };
            let error = RpcError::new(request.id.clone(), code, problem.detail);
            Err(error.with(json!({ "uri": uri, "code": problem.code })))
        }
        Err(problem) => Err(refused(request, &problem)),
    }
}

fn named(request: &Request, listed: Result<Value, Problem>) -> DispatchResult {
    listed.map(|value| MethodResult::Result(value, Keep::Never)).map_err(|problem| refused(request, &problem))
}

fn refused(request: &Request, problem: &Problem) -> RpcError {
    RpcError::of(request.id.clone(), problem)
}
