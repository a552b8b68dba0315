//! Lines of the short digest that people corrected: their words stand for the turn from then on.

use std::collections::BTreeMap;

use domain::Text;
use jiff::civil::Date;
use store::{Turn, Withheld};

use super::talk::Talk;

/// Puts what people made of a turn's line in `document`, the short digest, in place of the turn's own words.
pub(super) fn correct(turns: &mut [Turn], document: &str, talk: &Talk<'_>) {
    let mut written = lines_by_start(document);
    if written.is_empty() {
        return;
    }
    let line = |turn: &Turn| (talk.day(turn.at), talk.line(turn).text);
    // A line that is unchanged belongs to its turn, also where two were said in the same minute.
    let changed: Vec<bool> = turns
        .iter()
        .map(|turn| {
            let (day, text) = line(turn);
            let lines = start(&text).and_then(|start| written.get_mut(&(day, start.to_owned())));
            let own = lines.and_then(|lines| {
                let at = lines.iter().position(|line| is_same(line, &text))?;
                Some(lines.remove(at))
            });
            own.is_none()
        })
        .collect();
    // An older line may still have what was refused since.
    let may_be_corrected = |turn: &Turn| turn.withheld() == Withheld::Nothing;
    for (turn, _) in
        turns.iter_mut().zip(changed).filter(|(turn, changed)| *changed && may_be_corrected(turn))
    {
        let (day, text) = line(turn);
        let Some(start) = start(&text) else { continue };
        let lines = written.get_mut(&(day, start.to_owned())).filter(|lines| !lines.is_empty());
        if let Some(lines) = lines {
            let corrected = lines.remove(0);
            turn.text = Text::new(corrected.get(start.len()..).unwrap_or_default().trim());
        }
    }
}

/// The lines of a short digest, by their day and their beginning.
fn lines_by_start(document: &str) -> BTreeMap<(Date, String), Vec<&str>> {
    let mut lines: BTreeMap<(Date, String), Vec<&str>> = BTreeMap::new();
    let mut day: Option<Date> = None;
    for line in document.lines().map(str::trim_end) {
        if let Some(heading) = line.strip_prefix("## ") {
            day = heading.parse().ok();
        }
        if let (Some(day), Some(start)) = (day, start(line)) {
            lines.entry((day, start.to_owned())).or_default().push(line);
        }
    }
    lines
}

/// The beginning of a line that says when and by whom something was said: `- 14:34 Owner:`.
fn start(line: &str) -> Option<&str> {
    let time = line.strip_prefix("- ")?.get(..5)?;
    let is_time = time.bytes().enumerate().all(|(place, byte)| match place {
        2 => byte == b':',
        _ => byte.is_ascii_digit(),
    });
    let end = line.get(2 + 5..)?.find(':')? + 2 + 5 + 1;
    if is_time { line.get(..end) } else { None }
}

/// Whether a line is what would be written for a turn, perhaps cut off at its end.
fn is_same(line: &str, text: &str) -> bool {
    line == text || line.strip_suffix('…').is_some_and(|head| text.starts_with(head))
}
