//! The commands of an interactive chat, which begin with `/`.

/// The help for `/?`.
pub(super) const HELP: &str = "\
/why           explain the last recall: its memories and their scores
/memories      list what it remembers of you
/forget ID     set a memory aside, so that it is not used any more
/tier N        set the tier of files to load, 1 to 4
/private       switch off the record, or back on
/bye           leave (so do Ctrl-D, and Ctrl-C twice); Ctrl-C stops an answer
/?             this list";

/// One line of a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order<'l> {
    /// A message for the persona.
    Say(&'l str),
    /// Explain the last recall.
    Why,
    /// List the memories of the speaker.
    Memories,
    /// Set this memory aside.
    Forget(&'l str),
    /// Set the tier.
    Tier(u8),
    /// Switch off the record, or back on.
    Private,
    /// Leave.
    Bye,
    /// Show the help.
    Help,
    /// Nothing.
    Nothing,
    /// An unknown command, and what to type instead.
    Misspelt(&'static str),
}

impl<'l> Order<'l> {
    /// Parses `line`.
    pub(super) fn read(line: &'l str) -> Self {
        let line = line.trim();
        if line.is_empty() {
            return Self::Nothing;
        }
        if !line.starts_with('/') {
            return Self::Say(line);
        }
        let (order, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (order, rest.trim()) {
            ("/why", "") => Self::Why,
            ("/memories", "") => Self::Memories,
            ("/forget", "") => {
                Self::Misspelt("type `/forget` and the id of a memory; `/memories` lists them")
            }
            ("/forget", id) => Self::Forget(id),
            ("/tier", tier) => match tier.parse() {
                Ok(tier @ 1..=4) => Self::Tier(tier),
                Ok(_) | Err(_) => Self::Misspelt("type `/tier` and a number from 1 to 4"),
            },
            ("/private", "") => Self::Private,
            ("/bye", "") => Self::Bye,
            ("/?" | "/help", _) => Self::Help,
            _ => Self::Misspelt("unknown command; `/?` lists them"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_words_unless_it_begins_with_a_slash() {
        for (line, order) in [
            ("  hello there ", Order::Say("hello there")),
            ("either/or", Order::Say("either/or")),
            ("", Order::Nothing),
            ("   ", Order::Nothing),
            ("/why", Order::Why),
            ("/memories ", Order::Memories),
            ("/forget  mem:7f3a ", Order::Forget("mem:7f3a")),
            ("/tier 3", Order::Tier(3)),
            ("/private", Order::Private),
            ("/bye", Order::Bye),
            ("/?", Order::Help),
        ] {
            assert_eq!(Order::read(line), order, "{line}");
        }
        for wrong in ["/forget", "/tier", "/tier 5", "/tier x", "/dance", "/why not", "/"] {
            assert!(matches!(Order::read(wrong), Order::Misspelt(_)), "{wrong}");
        }
    }

    #[test]
    fn the_help_names_every_order() {
        for order in ["/why", "/memories", "/forget", "/tier", "/private", "/bye", "/?"] {
            assert!(HELP.lines().any(|line| line.starts_with(order)), "{order}");
        }
    }
}
