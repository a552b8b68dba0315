//! Telling people outside: a message into a Nextcloud Talk room, or to a webhook, signed.
//!
//! Where messages go stands in `channels.json`, which people write. An address is resolved once and looked at
//! before anything is sent to it; private ones are refused unless the channel says otherwise, and no redirect is
//! followed. Nothing here keeps anything, and no error repeats an address, a secret or a word of a message.

mod address;
mod channels;
mod post;

pub use address::is_private;
pub use channels::{Channel, Channels, NotChannels};
pub use post::{Message, NotDelivered, Retries, deliver};
