//! The API description as one page: every route with its request and answer, and every type.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};
use wire::Code;

use super::html::{self, escape, prose};

/// The page of `document`.
pub(crate) fn page(document: &Value) -> String {
    let mut body = format!(
        "<h1>Selfhood API</h1>\n<p>{}</p>\n<p>The same for programs: <a href=\"/openapi.json\"><code>/openapi.json</code></a> \
         (OpenAPI 3.1). Send the key as <code>x-api-key</code> or as <code>Authorization: Bearer</code>.</p>\n",
        prose(text(document.pointer("/info/description")))
    );
    for (topic, operations) in by_topic(document) {
        let _ = writeln!(body, "<h2>{}</h2>", escape(topic));
        for (method, path, operation) in operations {
            write_operation(&mut body, method, path, operation);
        }
    }
    write_types(&mut body, document);
    write_codes(&mut body);
    html::page("API", &body)
}

type Operation<'d> = (&'d str, &'d str, &'d Value);

/// Operations by topic, topics in the order of their first route.
fn by_topic(document: &Value) -> Vec<(&str, Vec<Operation<'_>>)> {
    let mut topics: Vec<(&str, Vec<Operation<'_>>)> = Vec::new();
    for (path, item) in members(document.get("paths")) {
        for (method, operation) in members(Some(item)) {
            let topic = text(operation.pointer("/tags/0"));
            let known = topics.iter().position(|(own, _)| *own == topic);
            match known.and_then(|at| topics.get_mut(at)) {
                Some((_, operations)) => operations.push((method, path, operation)),
                None => topics.push((topic, vec![(method, path, operation)])),
            }
        }
    }
    topics
}

fn write_operation(body: &mut String, method: &str, path: &str, operation: &Value) {
    let method = method.to_ascii_uppercase();
    let _ = writeln!(
        body,
        "<details id=\"{}\">\n<summary><code><span class=\"method\">{method}</span> {}</code> {}</summary>\n<p>{}</p>",
        escape(text(operation.get("operationId"))),
        escape(path),
        prose(text(operation.get("summary"))),
        prose(text(operation.get("description"))),
    );
    write_parameters(body, operation);
    if let Some(schema) = operation.pointer("/requestBody/content/application~1json/schema") {
        let _ = writeln!(body, "<p>Takes {}.</p>", kind(schema));
    }
    write_example(body, &method, path, operation);
    body.push_str("<table><tr><th>answers</th><th></th></tr>\n");
    for (status, answer) in members(operation.get("responses")) {
        let _ = writeln!(body, "<tr><td>{status}</td><td>{}</td></tr>", gives(answer));
    }
    body.push_str("</table>\n</details>\n");
}

fn write_parameters(body: &mut String, operation: &Value) {
    let parameters = operation.get("parameters").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if parameters.is_empty() {
        return;
    }
    body.push_str("<table><tr><th>parameter</th><th>in</th><th>type</th><th></th></tr>\n");
    for parameter in parameters {
        let required = parameter.get("required").and_then(Value::as_bool).unwrap_or(false);
        let _ = writeln!(
            body,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}{}</td></tr>",
            escape(text(parameter.get("name"))),
            escape(text(parameter.get("in"))),
            parameter.get("schema").map(kind).unwrap_or_default(),
            prose(text(parameter.get("description"))),
            if required { " <em>Required.</em>" } else { "" },
        );
    }
    body.push_str("</table>\n");
}

fn write_example(body: &mut String, method: &str, path: &str, operation: &Value) {
    let mut command = format!("curl -X {method} \"$SELFHOOD{path}\" -H \"x-api-key: $KEY\"");
    if operation.get("security").is_some() {
        command = format!("curl \"$SELFHOOD{path}\"");
    }
    if operation.get("requestBody").is_some() {
        command.push_str(" -H 'content-type: application/json' -d @request.json");
    }
    let _ = writeln!(body, "<pre>{}</pre>", escape(&command));
}

fn gives(answer: &Value) -> String {
    if let Some(target) = answer.get("$ref").and_then(Value::as_str) {
        return format!("{}, see <a href=\"#codes\">codes</a>", escape(name_of(target)));
    }
    let schema = members(answer.get("content")).next().and_then(|(_, content)| content.get("schema"));
    let description = prose(text(answer.get("description")));
    schema.map_or(description.clone(), |schema| format!("{description} {}", kind(schema)))
}

fn write_types(body: &mut String, document: &Value) {
    body.push_str("<h2 id=\"types\">Types</h2>\n");
    let types: BTreeMap<&str, &Value> = members(document.pointer("/components/schemas")).collect();
    for (name, schema) in types {
        let _ = writeln!(
            body,
            "<details id=\"type-{0}\">\n<summary><code>{0}</code> {1}</summary>",
            escape(name),
            prose(text(schema.get("description")))
        );
        write_properties(body, schema);
        body.push_str("</details>\n");
    }
}

fn write_properties(body: &mut String, schema: &Value) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        let _ = writeln!(body, "<p>{}</p>", kind(schema));
        return;
    };
    let required = schema.get("required").and_then(Value::as_array);
    body.push_str("<table><tr><th>property</th><th>type</th><th></th></tr>\n");
    for (name, property) in properties {
        let is_required = required.is_some_and(|names| names.iter().any(|required| required == name));
        let _ = writeln!(
            body,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}{}</td></tr>",
            escape(name),
            kind(property),
            prose(text(property.get("description"))),
            if is_required { " <em>Required.</em>" } else { "" },
        );
    }
    body.push_str("</table>\n");
}

fn write_codes(body: &mut String) {
    body.push_str("<h2 id=\"codes\">Codes</h2>\n<table><tr><th>code</th><th>status</th><th></th></tr>\n");
    for code in Code::ALL {
        let _ = writeln!(
            body,
            "<tr><td><a href=\"/docs/errors/{code}\"><code>{code}</code></a></td><td>{}</td><td>{}</td></tr>",
            code.http_status(),
            prose(code.title())
        );
    }
    body.push_str("</table>\n");
}

/// A short description of a type: its name, or its parts and bounds.
fn kind(schema: &Value) -> String {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let name = escape(name_of(target));
        return format!("<a href=\"#type-{name}\">{name}</a>");
    }
    let either = |branches: &Value| {
        let branches = branches.as_array().map_or(&[][..], Vec::as_slice);
        branches.iter().map(kind).collect::<Vec<_>>().join(" or ")
    };
    if let Some(branches) = schema.get("anyOf").or_else(|| schema.get("oneOf")) {
        return either(branches);
    }
    if let Some(only) = schema.get("const") {
        return format!("<code>{}</code>", escape(&only.to_string()));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let values = values.iter().map(|value| format!("<code>{}</code>", escape(&value.to_string())));
        return values.collect::<Vec<_>>().join(", ");
    }
    let plain = match schema.get("type") {
        Some(Value::String(one)) if one == "array" => {
            format!("list of {}", schema.get("items").map(kind).unwrap_or_default())
        }
        Some(Value::String(one)) => escape(one),
        Some(Value::Array(several)) => {
            several.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
        }
        _ => "anything".to_owned(),
    };
    format!("{plain}{}", bounds(schema))
}

fn bounds(schema: &Value) -> String {
    let known = ["format", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];
    let described = known.iter().filter_map(|name| {
        let bound = schema.get(*name)?;
        let bound = bound.as_str().map_or_else(|| bound.to_string(), str::to_owned);
        Some(format!("{name} <code>{}</code>", escape(&bound)))
    });
    let described: Vec<String> = described.collect();
    if described.is_empty() { String::new() } else { format!(", {}", described.join(", ")) }
}

fn name_of(target: &str) -> &str {
    target.rsplit('/').next().unwrap_or(target)
}

fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

fn members(value: Option<&Value>) -> impl Iterator<Item = (&str, &Value)> {
    let members: Option<&Map<String, Value>> = value.and_then(Value::as_object);
    members.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}
