//! `channels.json`: where messages of a tenant's personas go.
//!
//! ```json
//! {
//!   "notification_room": "x7k2m9qp",
//!   "nextcloud_talk": { "url": "https://cloud.example.org", "secret": "…" },
//!   "webhook": { "url": "https://example.org/hooks/selfhood", "secret": "…" }
//! }
//! ```

use reqwest::Url;
use serde::Deserialize;
use vault::shared_secret::SharedSecret;

/// The channels for messages.
#[derive(Debug, Default)]
pub struct Channels {
    /// Every channel, in the order messages are sent.
    pub all: Vec<Channel>,
}

/// One channel for messages.
#[derive(Debug)]
pub struct Channel {
    pub(crate) kind: Kind,
    pub(crate) url: Url,
    pub(crate) secret: SharedSecret,
    pub(crate) reach: AllowedAddresses,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A Nextcloud Talk room, through a bot.
    TalkRoom,
    /// A webhook, signed according to Standard Webhooks.
    Webhook,
}

/// Which addresses a channel may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AllowedAddresses {
    /// Only addresses reachable from the whole internet, with TLS.
    Public,
    /// Also this machine and its network, and without TLS.
    Anywhere,
}

impl Channel {
    /// The kind of channel.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self.kind {
            Kind::TalkRoom => "nextcloud-talk",
            Kind::Webhook => "webhook",
        }
    }
}

/// Why a text is not a valid `channels.json`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotChannels {
    /// It is not JSON of the expected form.
    #[error("channels.json: line {line}: {rule}")]
    Json {
        /// The line number.
        line: usize,
        /// The problem.
        rule: &'static str,
    },
    /// A room is named without its server.
    #[error("channels.json: `notification_room` needs `nextcloud_talk` with `url` and `secret`")]
    NoServer,
    /// An address is not allowed.
    #[error(
        "channels.json: `{0}.url` is not an allowed address; write `https://…`, or allow a private one with `allow_private`"
    )]
    Address(&'static str),
    /// A secret is too easy to guess.
    #[error("channels.json: `{0}.secret` is empty")]
    NoSecret(&'static str),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChannelFile {
    #[serde(default)]
    notification_room: Option<String>,
    #[serde(default)]
    nextcloud_talk: Option<Server>,
    #[serde(default)]
    webhook: Option<Server>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Server {
    url: String,
    secret: String,
    #[serde(default)]
    allow_private: bool,
}

impl Channels {
    /// Parses `channels.json`.
    pub fn read(text: &str) -> Result<Self, NotChannels> {
        let written: ChannelFile = serde_json::from_str(text).map_err(|error| NotChannels::Json {
            line: error.line(),
            rule: if error.is_data() { "a field is not as it has to be" } else { "it is not valid JSON" },
        })?;
        let mut all = Vec::new();
        let room =
            written.notification_room.map(|room| room.trim().to_owned()).filter(|room| !room.is_empty());
        if let Some(room) = room {
            let server = written.nextcloud_talk.ok_or(NotChannels::NoServer)?;
            all.push(server.channel(Kind::TalkRoom, "nextcloud_talk", Some(&room))?);
        }
        if let Some(webhook) = written.webhook {
            all.push(webhook.channel(Kind::Webhook, "webhook", None)?);
        }
        Ok(Self { all })
    }
}

impl Server {
    fn channel(self, kind: Kind, name: &'static str, room: Option<&str>) -> Result<Channel, NotChannels> {
        let reach = if self.allow_private { AllowedAddresses::Anywhere } else { AllowedAddresses::Public };
        let mut url = Url::parse(self.url.trim()).map_err(|_| NotChannels::Address(name))?;
        let is_spoken =
            url.scheme() == "https" || (url.scheme() == "http" && reach == AllowedAddresses::Anywhere);
        let is_plain = url.username().is_empty() && url.password().is_none();
        if !is_spoken || !is_plain || url.host().is_none() {
            return Err(NotChannels::Address(name));
        }
        if self.secret.is_empty() {
            return Err(NotChannels::NoSecret(name));
        }
        if let Some(room) = room {
            let mut path = url.path_segments_mut().map_err(|()| NotChannels::Address(name))?;
            path.pop_if_empty()
                .extend(["ocs", "v2.php", "apps", "spreed", "api", "v1", "bot", room, "message"]);
        }
        Ok(Channel { kind, url, secret: SharedSecret::new(self.secret), reach })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_on_its_server_and_no_name_of_a_room_leaves_its_place() {
        for (room, path) in [
            ("x7k2", "/nc/ocs/v2.php/apps/spreed/api/v1/bot/x7k2/message"),
            ("../../x", "/nc/ocs/v2.php/apps/spreed/api/v1/bot/..%2F..%2Fx/message"),
        ] {
            let text = serde_json::json!({
                "notification_room": room,
                "nextcloud_talk": { "url": "https://cloud.example.org/nc/", "secret": "s" },
            });
            let channels = Channels::read(&text.to_string()).unwrap();
            assert_eq!(channels.all.first().map(|channel| channel.url.path()), Some(path));
        }
    }

    #[test]
    fn a_forbidden_address_is_refused_by_name_and_an_empty_room_means_none() {
        for (text, expected) in [
            ("{}", None),
            (r#"{"notification_room": " "}"#, None),
            (r#"{"notification_room": "a"}"#, Some("notification_room")),
            (r#"{"webhook": {"url": "http://example.org", "secret": "s"}}"#, Some("webhook.url")),
            (
                r#"{"webhook": {"url": "ftp://example.org", "secret": "s", "allow_private": true}}"#,
                Some("webhook.url"),
            ),
            (r#"{"webhook": {"url": "https://u:p@example.org", "secret": "s"}}"#, Some("webhook.url")),
            (r#"{"webhook": {"url": "https://example.org", "secret": ""}}"#, Some("webhook.secret")),
            (r#"{"webook": {}}"#, Some("line 1")),
            ("nonsense", Some("line 1")),
        ] {
            let refused = Channels::read(text).err().map(|error| error.to_string());
            assert_eq!(refused.is_some(), expected.is_some(), "{text}: {refused:?}");
            assert!(refused.unwrap_or_default().contains(expected.unwrap_or_default()), "{text}");
        }
    }
}
