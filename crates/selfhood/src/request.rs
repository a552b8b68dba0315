//! A request of a command: a verb of the route list, with its path parameters, query and body.

use std::marker::PhantomData;

use serde::Serialize;
use serde_json::{Map, Value};
use server::client::Ask;
use wire::route::{KeyRequirement, ROUTES, Route};
use wire::verb::Verb;
use wire::{Code, Problem};

use crate::opening::fresh_name;

/// A request for the verb `V`; its type says which answer comes back.
pub(crate) struct Request<V> {
    verb: PhantomData<V>,
    route: &'static Route,
    path: String,
    query: Vec<String>,
    body: Option<Vec<u8>>,
}

/// The body of a request, made from flags: the server validates it, so that every door gives the same
/// messages.
#[derive(Default)]
pub(crate) struct Body(Map<String, Value>);

impl<V: Verb> Request<V> {
    /// A request with these path parameters in order.
    pub(crate) fn to(names: &[&str]) -> Result<Self, Problem> {
        let route = ROUTES.iter().find(|route| route.verb == V::NAME);
        let route = route
            .ok_or_else(|| Problem::new(Code::Internal, format!("there is no route for `{}`", V::NAME)))?;
        let mut names = names.iter();
        let segments = route.path.split('/').map(|segment| match segment.strip_prefix('{') {
            Some(_) => names.next().map(|name| encoded(name)).unwrap_or_default(),
            None => segment.to_owned(),
        });
        let path = segments.collect::<Vec<_>>().join("/");
        Ok(Self { verb: PhantomData, route, path, query: Vec::new(), body: None })
    }

    /// The same with `name` in the query, if there is a value.
    pub(crate) fn asking(mut self, name: &str, value: Option<impl ToString>) -> Self {
        self.query.extend(value.map(|value| format!("{name}={}", encoded(&value.to_string()))));
        self
    }

    /// The same with `body`.
    pub(crate) fn with_body(self, body: Body) -> Self {
        self.with_whole_body(&Value::Object(body.0))
    }

    /// The same with any JSON body.
    pub(crate) fn with_whole_body(mut self, body: &impl Serialize) -> Self {
        self.body = Some(serde_json::to_vec(body).unwrap_or_default());
        self
    }

    /// The request to send, with an `Idempotency-Key` where its route requires one.
    pub(crate) fn into_ask(self) -> Result<Ask, Problem> {
        let unknown = |_| Problem::new(Code::Internal, format!("no method `{}`", self.route.method));
        let method = self.route.method.parse().map_err(unknown)?;
        let path =
            if self.query.is_empty() { self.path } else { format!("{}?{}", self.path, self.query.join("&")) };
        let ask = Ask::new(method, path);
        let ask = match self.body {
            Some(body) => ask.with_json(body),
            None => ask,
        };
        match self.route.once {
            KeyRequirement::IfAsked => Ok(ask),
            KeyRequirement::Always => Ok(ask.once(fresh_name()?)),
        }
    }
}

impl Body {
    /// A body that starts with the content of a file.
    pub(crate) fn from_object(object: Map<String, Value>) -> Self {
        Self(object)
    }

    /// The same with `name`, if there is a value.
    pub(crate) fn with(mut self, name: &str, value: Option<impl Into<Value>>) -> Self {
        if let Some(value) = value {
            self.0.insert(name.to_owned(), value.into());
        }
        self
    }

    /// The same with the list `name`, unless it is empty.
    pub(crate) fn with_list<T: Clone + Into<Value>>(self, name: &str, items: &[T]) -> Self {
        let list: Vec<Value> = items.iter().cloned().map(Into::into).collect();
        self.with(name, (!list.is_empty()).then_some(list))
    }

    /// The same with `name`, if it isn't set yet.
    pub(crate) fn or(self, name: &str, default: impl Into<Value>) -> Self {
        if self.0.contains_key(name) { self } else { self.with(name, Some(default)) }
    }

    /// Whether `name` is set.
    pub(crate) fn says(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// `text` with everything but plain letters, digits and `-._~` percent-encoded.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use wire::verb;

    use super::*;

    #[test]
    fn names_stand_in_their_places_and_can_break_nothing() {
        fn path<V: Verb>(names: &[&str]) -> String {
            Request::<V>::to(names).unwrap().path
        }
        assert_eq!(path::<verb::ListPersonas>(&[]), "/personas");
        assert_eq!(path::<verb::InspectMemory>(&["nora", "mem:00"]), "/v1/personas/nora/memories/mem%3A00");
        assert_eq!(path::<verb::ShowPersona>(&["../x?y"]), "/personas/..%2Fx%3Fy");
        assert_eq!(path::<verb::RevokeKey>(&["ă"]), "/v1/keys/%C4%83");
    }

    #[test]
    fn only_what_was_given_is_asked_for() {
        let request = Request::<verb::ListMemories>::to(&["nora"]).unwrap();
        let request =
            request.asking("tag", Some("a&b")).asking("kind", None::<&str>).asking("limit", Some(3));
        assert_eq!(request.query, ["tag=a%26b", "limit=3"]);
    }
}
