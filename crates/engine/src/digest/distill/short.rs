//! The short digest: the newest turns verbatim, oldest first. No model is asked.

use domain::Tokens;
use store::Turn;

use super::by_hand::ByHand;
use super::new_digest::NewDigest;
use super::sources::Sources;
use super::talk::{Line, Talk, by_day};

const HEADING: &str = "# Recent conversations\n\n";

/// What people wrote into it, then the newest of `turns` that fit into `budget`; they come oldest first.
pub(super) fn short(talk: &Talk<'_>, turns: &[Turn], budget: Tokens, by_hand: &ByHand) -> NewDigest {
    let taken = HEADING.len() + by_hand.length();
    let mut room = (budget.0 as usize).saturating_mul(4).saturating_sub(taken);
    let mut lines: Vec<(jiff::civil::Date, Line)> = Vec::new();
    for turn in turns.iter().rev() {
        let day = talk.day(turn.at);
        let mut line = talk.line(turn);
        let heading = if lines.last().is_some_and(|(last, _)| *last == day) { 0 } else { 16 };
        let length = line.text.chars().count() + 1 + heading;
        if length > room && lines.is_empty() {
            line.text = clipped(&line.text, room.saturating_sub(heading + 2));
        } else if length > room {
            break;
        }
        room = room.saturating_sub(length);
        lines.push((day, line));
    }
    lines.reverse();
    let mut sources = Sources { through: turns.last().map(|turn| turn.at), ..Sources::default() };
    for (_, line) in &lines {
        sources.add(&line.text, line.turns.iter().copied());
    }
    let text = format!(
        "{HEADING}{}{}",
        by_hand.block(),
        by_day(lines.iter().map(|(day, line)| (*day, line.text.as_str())))
    );
    NewDigest { text, sources, model: None }
}

/// Whether a line is one of the headings of a short digest.
pub(super) fn is_own_heading(line: &str) -> bool {
    let line = line.trim_end();
    let is_day = |named: &str| named.parse::<jiff::civil::Date>().is_ok();
    line == HEADING.trim_end() || line.strip_prefix("## ").is_some_and(is_day)
}

/// At most `most` characters of `text`, cut at the end of a sentence or at least of a word.
pub(super) fn clipped(text: &str, most: usize) -> String {
    let Some((limit, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let head = text.get(..limit).unwrap_or_default();
    let sentence = head.rfind(['.', '!', '?']).filter(|end| *end > limit / 2).map(|end| end + 1);
    let end = sentence.or_else(|| head.rfind(' ')).unwrap_or(limit);
    format!("{}…", head.get(..end).unwrap_or(head).trim_end())
}
