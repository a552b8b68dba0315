//! How a role answers, besides which model does.

use domain::Text;
use engine::Clock;
use engine::converse::Tools;
use wire::Problem;

use crate::config::catalogue::Entry;
use crate::config::layers::Layers;
use crate::config::value::{Raw, Switch, Value};

/// What `[roles.NAME]` says besides its model.
#[derive(Clone)]
pub(crate) struct Manner {
    /// Whether prompts tell the time.
    pub(crate) clock: Clock,
    /// Whether the persona's tools are offered.
    pub(crate) tools: Tools,
    /// What is added to prompts.
    pub(crate) context: Option<Text>,
    /// The longest answer.
    pub(crate) max_tokens: Option<u32>,
}

impl Manner {
    pub(super) fn take(layers: &mut Layers<'_>, role: &str) -> Result<Self, Problem> {
        let is_told = field::<Switch>(layers, role, "inject_datetime")?.is_none_or(|switch| switch.0);
        let has_tools = field::<Switch>(layers, role, "tools")?.is_none_or(|switch| switch.0);
        Ok(Self {
            clock: if is_told { Clock::Told } else { Clock::Untold },
            tools: if has_tools { Tools::Offered } else { Tools::None },
            context: field::<String>(layers, role, "context")?.map(Text::new),
            max_tokens: field::<Length>(layers, role, "max_tokens")?.map(|length| length.0),
        })
    }
}

fn field<T: Value>(layers: &mut Layers<'_>, role: &str, field: &str) -> Result<Option<T>, Problem> {
    let key = format!("roles.{role}.{field}");
    layers.take(&Entry { key: &key, flag: None, environment: &[] })
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
