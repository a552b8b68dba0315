//! The parameters of a role besides its model.

use std::time::Duration;

use domain::{Text, Tokens};
use engine::Clock;
use engine::converse::Tools;
use wire::Problem;

use crate::config::catalogue::Entry;
use crate::config::layers::Layers;
use crate::config::value::{Raw, Switch, Value};

/// What `[roles.NAME]` sets besides its model.
#[derive(Clone)]
pub(crate) struct RoleOptions {
    /// Whether prompts state the time.
    pub(crate) clock: Clock,
    /// Whether the persona's tools are offered.
    pub(crate) tools: Tools,
    /// What is added to prompts.
    pub(crate) context: Option<Text>,
    /// The longest answer, in tokens.
    pub(crate) max_tokens: Option<u32>,
    /// The sampling temperature.
    pub(crate) temperature: Option<f64>,
    /// The size of its window.
    pub(crate) context_window: Option<Tokens>,
    /// The time limit of a reading.
    pub(crate) timeout: Option<Duration>,
}

impl RoleOptions {
    pub(super) fn take(layers: &mut Layers<'_>, role: &str) -> Result<Self, Problem> {
        let is_stated = field::<Switch>(layers, role, "inject_datetime")?.is_none_or(|switch| switch.0);
        let has_tools = field::<Switch>(layers, role, "tools")?.is_none_or(|switch| switch.0);
        Ok(Self {
            clock: if is_stated { Clock::Stated } else { Clock::Hidden },
            tools: if has_tools { Tools::Offered } else { Tools::None },
            context: field::<String>(layers, role, "context")?.map(Text::new),
            max_tokens: field::<Length>(layers, role, "max_tokens")?.map(|length| length.0),
            temperature: field::<Temperature>(layers, role, "temperature")?.map(|own| own.0),
            context_window: field::<Length>(layers, role, "context_window")?.map(|length| Tokens(length.0)),
            timeout: field::<Seconds>(layers, role, "timeout")?.map(|seconds| seconds.0),
        })
    }
}

fn field<T: Value>(layers: &mut Layers<'_>, role: &str, field: &str) -> Result<Option<T>, Problem> {
    let key = format!("roles.{role}.{field}");
    layers.take(&Entry { key: &key, flag: None, environment: &[] })
}

fn number(raw: &Raw) -> Option<f64> {
    match raw {
        Raw::Number(number) => number.to_string().parse().ok(),
        Raw::Fraction(number) | Raw::Text(number) => number.parse().ok(),
        Raw::Switch(_) | Raw::List(_) => None,
    }
}

/// A sampling temperature.
struct Temperature(f64);

impl Value for Temperature {
    fn read(raw: &Raw) -> Result<Self, String> {
        number(raw)
            .filter(|number: &f64| (0.0..=2.0).contains(number))
            .map(Self)
            .ok_or_else(|| "must be a number from 0 to 2".to_owned())
    }

    fn shown(&self) -> String {
        self.0.to_string()
    }
}

/// The time limit of a reading; bounded, since every recall would wait for it.
struct Seconds(Duration);

impl Value for Seconds {
    fn read(raw: &Raw) -> Result<Self, String> {
        number(raw)
            .filter(|number: &f64| (0.1..=60.0).contains(number))
            .map(|number| Self(Duration::from_secs_f64(number)))
            .ok_or_else(|| "must be a number of seconds from 0.1 to 60".to_owned())
    }

    fn shown(&self) -> String {
        self.0.as_secs_f64().to_string()
    }
}

/// A number of tokens.
struct Length(u32);

impl Value for Length {
    fn read(raw: &Raw) -> Result<Self, String> {
        let number = raw.whole_number().and_then(|number| u32::try_from(number).ok());
        number
            .filter(|number| *number > 0)
            .map(Self)
            .ok_or_else(|| "must be a whole number above 0".to_owned())
    }

    fn shown(&self) -> String {
        self.0.to_string()
    }
}
