//! One line of a scene: a verb, names, quoted words, words with a value, and a JSON body.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::verb::{SHAPES, Shape, Verb};

/// One thing that happens.
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) verb: Verb,
    pub(crate) names: Vec<String>,
    /// What stands in quotation marks.
    pub(crate) said: Option<String>,
    options: BTreeMap<String, String>,
    pub(crate) body: Option<Value>,
}

impl Step {
    /// Reads the steps in `lines`, of which the first is line `first` of its file. Indented lines and
    /// closing brackets go on with the step before.
    pub(crate) fn read_all(lines: &[String], first: usize) -> Result<Vec<Self>, String> {
        let mut texts: Vec<(usize, String)> = Vec::new();
        for (n, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match texts.last_mut().filter(|_| line.starts_with([' ', '}'])) {
                Some((_, text)) => *text = format!("{text}\n{line}"),
                None => texts.push((first + n, line.clone())),
            }
        }
        let read = |(line, text): (usize, String)| {
            Self::read(line, &text).map_err(|what| format!("line {line}: {what}"))
        };
        texts.into_iter().map(read).collect()
    }

    fn read(line: usize, text: &str) -> Result<Self, String> {
        let (word, mut rest) = first_word(text);
        let shape = SHAPES.iter().find(|shape| shape.word == word);
        let shape = shape.ok_or_else(|| format!("there is no verb `{word}`"))?;
        let (names, options) = (Vec::new(), BTreeMap::new());
        let mut step = Self { line, verb: shape.verb, names, said: None, options, body: None };
        while !rest.trim_start().is_empty() {
            rest = step.read_part(shape, rest.trim_start())?;
        }
        if step.names.len() != shape.names {
            return Err(format!("`{word}` takes {} names, not {}", shape.names, step.names.len()));
        }
        Ok(step)
    }

    /// Reads one part from the start of `text` and gives what is left.
    fn read_part<'t>(&mut self, shape: &Shape, text: &'t str) -> Result<&'t str, String> {
        let mut json = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        if text.starts_with(['"', '{']) {
            let value = json.next().unwrap_or(Ok(Value::Null)).map_err(|error| error.to_string())?;
            let rest = &text[json.byte_offset()..];
            match value.as_str() {
                Some(said) => self.said = Some(said.to_owned()),
                None => self.body = Some(value),
            }
            return Ok(rest);
        }
        let (word, rest) = first_word(text);
        if self.names.len() < shape.names {
            self.names.push(word.to_owned());
            return Ok(rest);
        }
        if !shape.options.contains(&word) {
            return Err(format!("`{}` can't be told `{word}`", shape.word));
        }
        let (value, mut rest) = first_word(rest);
        let mut value = value.to_owned();
        if word == "at" {
            let (time, after) = first_word(rest);
            value = format!("{value} {time}");
            rest = after;
        }
        self.options.insert(word.to_owned(), value);
        Ok(rest)
    }

    /// The value of an option, if it was given.
    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    /// The body's properties; none without a body.
    pub(crate) fn body(&self) -> Value {
        self.body.clone().unwrap_or_else(|| Value::Object(serde_json::Map::new()))
    }
}

/// The first word of `text`, and what is left.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

#[test]
fn a_step_is_read_in_its_parts() {
    let lines = ["recall \"Any \\\"fish\\\"?\" for guest:ana at 2026-04-22 12:00 in s1", "", "sign"];
    let steps = Step::read_all(&lines.map(str::to_owned), 7).unwrap();
    assert_eq!((steps[0].line, steps[1].line), (7, 9));
    assert_eq!(steps[0].said.as_deref(), Some("Any \"fish\"?"));
    let options = ["for", "at", "in", "as"].map(|name| steps[0].option(name));
    assert_eq!(options, [Some("guest:ana"), Some("2026-04-22 12:00"), Some("s1"), None]);
    let lines = ["remember a {", "  \"gist\": \"b\"", "}"];
    let steps = Step::read_all(&lines.map(str::to_owned), 1).unwrap();
    assert_eq!((steps.len(), steps[0].body()), (1, serde_json::json!({ "gist": "b" })));
}

#[test]
fn a_step_that_can_not_be_understood_says_why() {
    for (text, mistake) in [
        ("remember", "line 1: `remember` takes 1 names, not 0"),
        ("sign loudly", "line 1: `sign` can't be told `loudly`"),
        ("remember a {\"gist\": }", "line 1: expected value at line 1 column 10"),
    ] {
        assert_eq!(Step::read_all(&[text.to_owned()], 1).err().unwrap(), mistake);
    }
}
