//! Checks a JSON value against one of our own schemas and reports every problem with its position.
//!
//! The published schema is the only source of rules, so the two can't drift apart. Only the keywords our
//! types generate are supported; a test ensures that.

use std::collections::BTreeMap;
use std::sync::{OnceLock, PoisonError, RwLock};

use regex_lite::Regex;
use serde_json::{Map, Value};

use crate::problem::{Problem, ProblemCode};
use crate::{TimelineId, Timestamp};

/// Every problem of `value` under `schema`, in the order of the schema's properties.
#[must_use]
pub fn check(schema: &Value, value: &Value) -> Vec<Problem> {
    found(schema, value, Lengths::AsWritten)
}

/// The same, with lengths counted without leading and trailing white space, as texts are stored.
#[must_use]
pub fn check_trimmed(schema: &Value, value: &Value) -> Vec<Problem> {
    found(schema, value, Lengths::Trimmed)
}

fn found(schema: &Value, value: &Value, lengths: Lengths) -> Vec<Problem> {
    let mut found = Vec::new();
    Checker { root: schema, lengths, found: &mut found }.check(schema, value, &ValuePath::Whole);
    found
}

/// How the lengths of texts are counted. A JSON Schema counts them as written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lengths {
    AsWritten,
    Trimmed,
}

/// The current position in the value; formatted only when there is a problem.
enum ValuePath<'a> {
    Whole,
    Property(&'a ValuePath<'a>, &'a str),
    Item(&'a ValuePath<'a>, usize),
}

impl ValuePath<'_> {
    fn pointer(&self) -> String {
        match self {
            Self::Whole => String::new(),
            Self::Property(of, name) => child(&of.pointer(), name),
            Self::Item(of, position) => format!("{}/{position}", of.pointer()),
        }
    }
}

struct Checker<'a> {
    root: &'a Value,
    lengths: Lengths,
    found: &'a mut Vec<Problem>,
}

impl Checker<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &ValuePath<'_>) {
        let Some(rules) = schema.as_object() else { return };
        let target = rule(rules, "$ref").and_then(Value::as_str);
        if let Some(definition) = target.and_then(|target| definition(self.root, target)) {
            self.check(definition, value, at);
        }
        if !self.has_right_type(rules, value, at) || !self.is_allowed(rules, value, at) {
            return;
        }
        self.check_alternatives(rules, value, at);
        match value {
            Value::String(text) => self.check_text(rules, text, at),
            Value::Number(number) => self.check_number(rules, number.as_f64().unwrap_or(f64::NAN), at),
            Value::Array(items) => self.check_array(rules, items, at),
            Value::Object(properties) => self.check_object(rules, properties, at),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn has_right_type(&mut self, rules: &Map<String, Value>, value: &Value, at: &ValuePath<'_>) -> bool {
        let allowed = match rule(rules, "type") {
            Some(Value::Array(names)) => names.as_slice(),
            Some(name) => std::slice::from_ref(name),
            None => return true,
        };
        let mut names = allowed.iter().filter_map(Value::as_str);
        let fits = names.any(|name| is_of_type(value, name));
        if !fits {
            let allowed: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
            let message = format!("must be {}, not {}", list_words(&allowed), type_of(value));
            self.report(ProblemCode::WrongType, at, message);
        }
        fits
    }

    /// Whether the value is one of those an enumeration lists, written as `enum`, `const` or a `oneOf` of them.
    fn is_allowed(&mut self, rules: &Map<String, Value>, value: &Value, at: &ValuePath<'_>) -> bool {
        let listed = match (rule(rules, "enum"), rule(rules, "const"), rule(rules, "oneOf")) {
            (Some(Value::Array(values)), _, _) => values.iter().collect(),
            (_, Some(only), _) => vec![only],
            (_, _, Some(Value::Array(branches))) => branches.iter().flat_map(constants).collect(),
            _ => return true,
        };
        let fits = listed.contains(&value);
        if !fits {
            let names: Vec<String> = listed.iter().map(ToString::to_string).collect();
            self.report(ProblemCode::NotOneOf, at, format!("must be one of {}", names.join(", ")));
        }
        fits
    }

    /// `anyOf` is used where a value may be absent, or where it may have one of several types. The problems
    /// of the best-matching branch are reported: one whose type fits, and of those the one with the fewest
    /// problems.
    fn check_alternatives(&mut self, rules: &Map<String, Value>, value: &Value, at: &ValuePath<'_>) {
        let Some(branches) = rule(rules, "anyOf").and_then(Value::as_array) else { return };
        let may_be_null = |branch: &&Value| branch.get("type").and_then(Value::as_str) == Some("null");
        if value.is_null() && branches.iter().any(|branch| may_be_null(&branch)) {
            return;
        }
        let tried = branches.iter().filter(|branch| !may_be_null(branch)).map(|branch| {
            let mut found = Vec::new();
            Checker { root: self.root, lengths: self.lengths, found: &mut found }.check(branch, value, at);
            found
        });
        let distance = |found: &Vec<Problem>| {
            let is_other_type =
                |it: &Problem| it.code == ProblemCode::WrongType && it.pointer == at.pointer();
            (found.iter().any(is_other_type), found.len())
        };
        let nearest = tried.min_by_key(distance).unwrap_or_default();
        self.found.extend(nearest);
    }

    fn check_text(&mut self, rules: &Map<String, Value>, text: &str, at: &ValuePath<'_>) {
        let counted = match self.lengths {
            Lengths::AsWritten => text,
            Lengths::Trimmed => text.trim(),
        };
        let least = rule(rules, "minLength").and_then(Value::as_u64);
        if least == Some(1) && counted.is_empty() && !text.is_empty() {
            self.report(ProblemCode::TooShort, at, "must have at least 1 character that isn't a space");
        } else {
            self.check_count(rules, &CHARACTERS, counted.chars().count(), at);
        }
        if let Some(pattern) = rule(rules, "pattern").and_then(Value::as_str)
            && !matches_pattern(pattern, text)
        {
            self.report(ProblemCode::BadFormat, at, format!("must match {pattern}"));
        }
        let wanted = match rule(rules, "format").and_then(Value::as_str) {
            Some("date-time") if text.parse::<Timestamp>().is_err() => {
                "must be an instant with a time zone, such as 2026-04-22T14:18:42.000Z"
            }
            Some("uuid") if text.parse::<TimelineId>().is_err() => "must be a UUID",
            _ => return,
        };
        self.report(ProblemCode::BadFormat, at, wanted);
    }

    fn check_number(&mut self, rules: &Map<String, Value>, number: f64, at: &ValuePath<'_>) {
        let bound = |name: &str| rule(rules, name).and_then(Value::as_f64);
        let broken = [
            bound("minimum").filter(|least| number < *least).map(|least| format!("must be at least {least}")),
            bound("maximum")
                .or_else(|| largest(rules))
                .filter(|most| number > *most)
                .map(|most| format!("must be at most {most}")),
            bound("exclusiveMinimum")
                .filter(|low| number <= *low)
                .map(|low| format!("must be greater than {low}")),
        ];
        for message in broken.into_iter().flatten() {
            self.report(ProblemCode::OutOfRange, at, message);
        }
    }

    fn check_array(&mut self, rules: &Map<String, Value>, items: &[Value], at: &ValuePath<'_>) {
        self.check_count(rules, &ITEMS, items.len(), at);
        if let Some(schema) = rule(rules, "items") {
            for (position, item) in items.iter().enumerate() {
                self.check(schema, item, &ValuePath::Item(at, position));
            }
        }
    }

    fn check_object(
        &mut self,
        rules: &Map<String, Value>,
        properties: &Map<String, Value>,
        at: &ValuePath<'_>,
    ) {
        self.check_count(rules, &PROPERTIES, properties.len(), at);
        for name in
            rule(rules, "required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
        {
            if !properties.contains_key(name) {
                let place = ValuePath::Property(at, name);
                self.report(ProblemCode::MissingField, &place, format!("`{name}` is required"));
            }
        }
        for (name, value) in properties {
            let place = ValuePath::Property(at, name);
            if let Some(schema) = rule(rules, "propertyNames") {
                self.check(schema, &Value::String(name.clone()), &place);
            }
            match rule(rules, "properties").and_then(|known| known.get(name)) {
                Some(schema) => self.check(schema, value, &place),
                None => self.check_additional(rules, name, value, &place),
            }
        }
    }

    fn check_additional(
        &mut self,
        rules: &Map<String, Value>,
        name: &str,
        value: &Value,
        at: &ValuePath<'_>,
    ) {
        let patterns = rule(rules, "patternProperties").and_then(Value::as_object);
        if patterns.is_some_and(|patterns| patterns.keys().any(|pattern| matches_pattern(pattern, name))) {
            return;
        }
        match rule(rules, "additionalProperties") {
            Some(Value::Bool(false)) => {
                let way_out = if patterns.is_some() { "; names of your own start with `x-`" } else { "" };
                self.report(
                    ProblemCode::UnknownField,
                    at,
                    format!("`{name}` is not a known property{way_out}"),
                );
            }
            Some(schema) => self.check(schema, value, at),
            None => {}
        }
    }

    fn check_count(
        &mut self,
        rules: &Map<String, Value>,
        limits: &CountLimits,
        count: usize,
        at: &ValuePath<'_>,
    ) {
        let CountLimits { least, most, unit } = limits;
        let bound =
            |name: &str| rule(rules, name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        if let Some(least) = bound(least).filter(|least| count < *least) {
            self.report(ProblemCode::TooShort, at, format!("must have at least {least} {unit}, has {count}"));
        }
        if let Some(most) = bound(most).filter(|most| count > *most) {
            self.report(ProblemCode::TooLong, at, format!("must have at most {most} {unit}, has {count}"));
        }
    }

    fn report(&mut self, code: ProblemCode, at: &ValuePath<'_>, message: impl Into<String>) {
        self.found.push(Problem::error(code, at.pointer(), message));
    }
}

/// The two rules of a schema that limit a count, and what is counted.
struct CountLimits {
    least: &'static str,
    most: &'static str,
    unit: &'static str,
}

const CHARACTERS: CountLimits = CountLimits { least: "minLength", most: "maxLength", unit: "characters" };
const ITEMS: CountLimits = CountLimits { least: "minItems", most: "maxItems", unit: "items" };
const PROPERTIES: CountLimits =
    CountLimits { least: "minProperties", most: "maxProperties", unit: "properties" };

/// The values a branch of a `oneOf` allows: enumerations are written one constant, or a few, to a branch.
fn constants(branch: &Value) -> impl Iterator<Item = &Value> {
    let listed = branch.get("enum").and_then(Value::as_array).into_iter().flatten();
    branch.get("const").into_iter().chain(listed)
}

/// A rule of a schema by name. Most schemas have two or three, and a linear search is faster than hashing.
fn rule<'s>(rules: &'s Map<String, Value>, name: &str) -> Option<&'s Value> {
    rules.iter().find(|(own, _)| *own == name).map(|(_, rule)| rule)
}

/// The target of a `$ref`.
fn definition<'s>(root: &'s Value, target: &str) -> Option<&'s Value> {
    match target.strip_prefix("#/$defs/") {
        Some(name) => root.get("$defs")?.get(name),
        None => root.pointer(target.strip_prefix('#')?),
    }
}

/// The largest number of the integer type that `rules` name, where a float can tell it apart.
fn largest(rules: &Map<String, Value>) -> Option<f64> {
    match rule(rules, "format").and_then(Value::as_str)? {
        "uint8" => Some(f64::from(u8::MAX)),
        "uint16" => Some(f64::from(u16::MAX)),
        "uint32" => Some(f64::from(u32::MAX)),
        _ => None,
    }
}

/// The pointer to the property `name` of the value at `at`, escaped as in RFC 6901.
pub(crate) fn child(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => type_of(value) == name,
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn list_words(names: &[&str]) -> String {
    let with_article = |name: &&str| match *name {
        "null" => "null".to_owned(),
        "integer" | "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    };
    names.iter().map(with_article).collect::<Vec<_>>().join(" or ")
}

/// There are only a few patterns, all from our own types, so each is compiled once and kept.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    static COMPILED: OnceLock<RwLock<BTreeMap<String, Option<Regex>>>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(RwLock::default);
    let matches = |regex: &Option<Regex>| regex.as_ref().is_some_and(|regex| regex.is_match(text));
    if let Some(regex) = compiled.read().unwrap_or_else(PoisonError::into_inner).get(pattern) {
        return matches(regex);
    }
    let mut compiled = compiled.write().unwrap_or_else(PoisonError::into_inner);
    matches(compiled.entry(pattern.to_owned()).or_insert_with(|| Regex::new(pattern).ok()))
}
