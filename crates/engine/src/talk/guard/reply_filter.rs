//! Delays the output of a reply just long enough to see that nothing forbidden begins in it.

use wire::Problem;

use super::SafetyPolicy;

/// Passes a reply on in pieces.
pub(crate) struct ReplyFilter {
    policy: SafetyPolicy,
    /// The whole reply so far.
    spoken: String,
    /// How many bytes of it were passed on.
    passed: usize,
}

impl ReplyFilter {
    /// A filter for one reply.
    pub(crate) fn new(policy: SafetyPolicy) -> Self {
        Self { policy, spoken: String::new(), passed: 0 }
    }

    /// Adds text and returns what may be sent by now.
    pub(crate) fn push(&mut self, words: &str) -> Result<String, Problem> {
        self.spoken.push_str(words);
        if !self.policy.checks_replies() {
            return Ok(self.release(self.spoken.len()));
        }
        self.policy.check_spoken(self.open())?;
        let end = self.policy.held_from(&self.spoken);
        // Only whole words are sent: half a word could be the harmless half of a forbidden one.
        let end = self.spoken.get(..end).and_then(|out| out.rfind(char::is_whitespace)).unwrap_or(0);
        Ok(self.release(end))
    }

    /// The rest, at the end of the reply.
    pub(crate) fn finish(&mut self) -> Result<String, Problem> {
        if self.policy.checks_replies() {
            self.policy.check_spoken(self.open())?;
        }
        Ok(self.release(self.spoken.len()))
    }

    /// The whole reply so far.
    pub(crate) fn spoken(&self) -> &str {
        &self.spoken
    }

    /// What was not passed on, and enough before it to find a match that began there.
    fn open(&self) -> &str {
        let before = self.spoken.get(..self.passed).unwrap_or_default();
        let from = self.policy.held_from(before);
        self.spoken.get(from..).unwrap_or_default()
    }

    fn release(&mut self, end: usize) -> String {
        let end = end.max(self.passed);
        let words = self.spoken.get(self.passed..end).unwrap_or_default().to_owned();
        self.passed = end;
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter() -> ReplyFilter {
        let policy = wire::safety::SafetyPolicy {
            blocked_terms: vec!["grey heron".to_owned()],
            ..wire::safety::SafetyPolicy::default()
        };
        ReplyFilter::new(SafetyPolicy::from(&policy))
    }

    #[test]
    fn nothing_of_a_forbidden_term_is_heard_however_the_words_are_cut() {
        let answer = "Down at the lake, in the morning light, I saw a grey heron standing still.";
        for piece in 1..20 {
            let mut filter = filter();
            let mut heard = String::new();
            let pieces: Vec<String> = answer
                .chars()
                .collect::<Vec<_>>()
                .chunks(piece)
                .map(|piece| piece.iter().collect())
                .collect();
            let refused =
                pieces.iter().try_for_each(|piece| filter.push(piece).map(|out| heard.push_str(&out)));
            assert!(refused.is_err() && !heard.contains("grey"), "in pieces of {piece}: {heard}");
        }
    }

    #[test]
    fn a_forbidden_term_full_of_invisible_signs_is_not_heard_either() {
        let answer = format!(
            "I saw a gr{}ey{} her{}on there.",
            "\u{2063}".repeat(90),
            " .".repeat(60),
            "\u{e0041}".repeat(90)
        );
        for piece in [1, 7, 40] {
            let mut filter = filter();
            let mut heard = String::new();
            let characters: Vec<char> = answer.chars().collect();
            let refused = characters.chunks(piece).try_for_each(|piece| {
                filter.push(&piece.iter().collect::<String>()).map(|out| heard.push_str(&out))
            });
            assert!(refused.is_err() && !heard.contains("gr"), "in pieces of {piece}: {heard}");
        }
    }

    #[test]
    fn everything_else_is_heard_to_the_last_word() {
        let answer = "Down at the lake I saw a grey goose, and a heron that was blue. Ștefan waved.";
        for piece in 1..20 {
            let mut filter = filter();
            let mut heard = String::new();
            for piece in answer.chars().collect::<Vec<_>>().chunks(piece) {
                heard.push_str(&filter.push(&piece.iter().collect::<String>()).unwrap());
            }
            heard.push_str(&filter.finish().unwrap());
            assert_eq!(heard, answer);
            assert_eq!(filter.spoken(), answer);
        }
    }
}
