//! A request of a command: a verb of the route list, with its path parameters, query and body.

use std::marker::PhantomData;

use serde_json::Value;
use server::client::Ask;
use wire::fields::Fields;
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

    /// The same with `query`.
    pub(crate) fn with_query(mut self, query: Fields<V::Query>) -> Self {
        for (name, value) in query.into_object() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            self.query.push(format!("{name}={}", encoded(&text)));
        }
        self
    }

    /// The same with `body`.
    pub(crate) fn with_body(mut self, body: Fields<V::Request>) -> Self {
        self.body = Some(serde_json::to_vec(&Value::Object(body.into_object())).unwrap_or_default());
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

/// `text` with everything but plain letters, digits and `-._~` percent-encoded.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use wire::fields::fields;
    use wire::memory::MemoryFilter;
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
        let request = request.with_query(fields!(MemoryFilter {
            tag: Some("a&b"),
            kind: None::<&str>,
            limit: Some(3)
        }));
        let mut query = request.query;
        query.sort();
        assert_eq!(query, ["limit=3", "tag=a%26b"]);
    }
}
