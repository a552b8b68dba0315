//! Notifications: signed messages to Nextcloud Talk rooms and webhooks.
//!
//! The channels are configured in `channels.json`, which people write. An address is resolved once and
//! checked before anything is sent to it; private ones are refused unless the channel allows them, and no
//! redirect is followed. Nothing here stores anything, and no error repeats an address, a secret or the
//! text of a message.

mod address;
mod channels;
mod post;

pub use address::is_private;
pub use channels::{Channel, Channels, NotChannels};
pub use post::{Message, NotDelivered, Retries, deliver};
