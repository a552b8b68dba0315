//! A canary in every text field of every route of the list, in its query and in its path: the log and the counters hold
//! none of them, whether the request was accepted or refused.

use axum::http::Request;
use serde_json::{Map, Value, json};
use server::{Config, Limits};

use crate::fixture::{Fixture, TENANT, memory};

/// What never ends, and what would end the persona that the others ask.
const LEFT_OUT: [&str; 2] = ["follow_events", "delete_persona"];
/// How deep a body is made up.
const DEPTH: usize = 8;

/// Which fields a body has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fields {
    /// All, so that every text is sent at least once.
    Every,
    /// Those that may hold any words, and what else must be there: so that it is accepted, where that can be guessed.
    Likely,
    /// What must be there, and this one of the others.
    With(usize),
}

/// Makes up requests, with words that no other request has.
struct Planter<'a> {
    definitions: &'a Value,
    fields: Fields,
    planted: usize,
}

impl Planter<'_> {
    fn canary(&mut self) -> String {
        self.planted += 1;
        canary(self.planted)
    }

    /// A value as the schema wants it, with canaries for texts.
    fn value(&mut self, name: &str, schema: &Value, depth: usize) -> Value {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().unwrap();
            let definition = self.definitions[name].clone();
            return if depth > DEPTH { Value::Null } else { self.value(name, &definition, depth + 1) };
        }
        for several in ["anyOf", "oneOf", "allOf"] {
            let of = schema[several].as_array().into_iter().flatten();
            if let Some(first) = of.clone().find(|one| one["type"] != "null") {
                return self.value(name, first, depth + 1);
            }
        }
        if let Some(fixed) = schema.get("const").or_else(|| schema["enum"].get(0)) {
            return fixed.clone();
        }
        let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or_default();
        match kind {
            "object" => self.object(schema, depth),
            "array" => json!([self.value(name, &schema["items"], depth + 1)]),
            "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(1)),
            "boolean" => json!(false),
            "null" => Value::Null,
            _ => self.text(name, schema).into(),
        }
    }

    fn text(&mut self, name: &str, schema: &Value) -> String {
        match (self.fields, schema["format"].as_str(), name) {
            (Fields::Likely, Some("date-time"), _) | (Fields::Likely, _, "eventAt" | "at" | "now") => {
                "2026-02-19T12:00:00.000Z".to_owned()
            }
            (Fields::Likely, Some("uuid"), _) => "0198c0de-0000-7000-9000-000000000000".to_owned(),
            (Fields::Likely, _, "tenantId") => TENANT.to_owned(),
            (Fields::Likely, _, "subject" | "into" | "SubjectRef") => format!("guest:{}", self.canary()),
            (Fields::Every | Fields::Likely | Fields::With(_), _, _) => self.canary(),
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let Some(properties) = schema["properties"].as_object() else {
            let word = self.canary();
            return json!({ "key": word });
        };
        let mut made = Map::new();
        for (number, (name, property)) in properties.iter().enumerate() {
            let wanted = required.contains(&name.as_str())
                || match self.fields {
                    Fields::Every => true,
                    Fields::Likely => is_free(property),
                    Fields::With(one) => depth == 0 && number == one,
                };
            if wanted {
                made.insert(name.clone(), self.value(name, property, depth + 1));
            }
        }
        made.into()
    }
}

/// Whether a field may hold any words.
fn is_free(schema: &Value) -> bool {
    let is_text = schema["type"] == "string" || schema["type"][0] == "string";
    is_text && ["pattern", "format", "enum", "const"].iter().all(|name| schema.get(name).is_none())
}

fn canary(number: usize) -> String {
    format!("kanarienvogel{number:06}x")
}

/// What one persona has that paths name.
struct CreatedRecords {
    persona: String,
    memory: String,
}

fn path(template: &str, known: &CreatedRecords, planter: &mut Planter<'_>) -> String {
    let parts = template.split('/').map(|part| match part {
        "{p}" => known.persona.clone(),
        "{id}" => known.memory.clone(),
        part if part.starts_with('{') => planter.canary(),
        part => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("/")
}

fn query(operation: &Value, planter: &mut Planter<'_>) -> String {
    let of = operation["parameters"].as_array().into_iter().flatten();
    let texts = of.filter(|one| one["in"] == "query" && planter.fields != Fields::Likely);
    let names: Vec<&str> = texts.filter_map(|one| one["name"].as_str()).collect();
    let pairs: Vec<String> = names.iter().map(|name| format!("{name}={}", planter.canary())).collect();
    if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
}

#[tokio::test]
async fn no_text_of_any_route_is_in_the_log_or_in_the_counters() {
    let limits = Limits { requests_per_second: 1_000_000, burst: 1_000_000, ..Limits::default() };
    let fixture = Fixture::with(Config { limits, ..Config::default() }).await;
    let persona = fixture.maya().await;
    let remembered = fixture.remember(&persona, "The lobby serves strong coffee.").await;
    let known = CreatedRecords { persona, memory: remembered };
    let description = fixture.ask("GET", "/openapi.json", None).await.json();
    let (mut texts, mut accepted, mut requests) = (0, 0, 0);
    for (template, operations) in description["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            if LEFT_OUT.iter().any(|left| operation["operationId"] == *left) {
                continue;
            }
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let alone = (0..top_level(&description, schema)).map(Fields::With);
            for fields in [Fields::Every, Fields::Likely].into_iter().chain(alone) {
                let definitions = &description["components"]["schemas"];
                let mut planter = Planter { definitions, fields, planted: texts };
                let path = path(template, &known, &mut planter) + &query(operation, &mut planter);
                let body = (!schema.is_null()).then(|| planter.value("", schema, 0));
                let mut request: Request<_> = fixture.request(&method.to_uppercase(), &path, body);
                let once = planter.canary();
                request.headers_mut().insert("idempotency-key", once.parse().unwrap());
                request.headers_mut().insert("x-user-name", planter.canary().parse().unwrap());
                texts = planter.planted;
                requests += 1;
                accepted += usize::from(fixture.send(request).await.status.is_success());
            }
        }
    }
    // What was accepted goes on in the background, and is logged there.
    fixture.ask("POST", &format!("/v1/personas/{}/memories", known.persona), Some(memory("The end."))).await;
    let (log, counters) = (crate::logs::page().text(), fixture.server.metrics().text());
    assert!(log.lines().count() > requests && counters.lines().count() > 50);
    assert!(requests > 300 && accepted > 60, "{accepted} of {requests} requests were accepted");
    assert!(texts > 1_500, "{texts} texts");
    let said: Vec<String> = (1..=texts)
        .map(canary)
        .filter(|word| log.contains(word) || counters.contains(word))
        .take(20)
        .collect();
    let lines: Vec<&str> = log.lines().filter(|line| said.iter().any(|word| line.contains(word))).collect();
    tracing::info!("control: {}", canary(0));
    assert!(crate::logs::page().text().contains(&canary(0)), "a word that is logged would be found");
    assert!(said.is_empty(), "{said:?} of {texts} in {lines:#?}");
}

/// How many fields a body has on its first level.
fn top_level(description: &Value, schema: &Value) -> usize {
    let name = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
    let schema = name.map_or(schema, |name| &description["components"]["schemas"][name]);
    schema["properties"].as_object().map_or(0, Map::len)
}
