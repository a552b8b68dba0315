//! The source turns of each line of a digest. They are sealed beside the digest and not in its text, so that
//! people may edit the text, and forgotten turns can still be removed from it.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Text, Timestamp, TurnId};
use serde::{Deserialize, Serialize};

/// The sources of a digest and of its backups.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sources {
    /// The time up to which the record was read.
    pub(crate) through: Option<Timestamp>,
    /// Turns that are excluded, because what was learnt from them was corrected or forgotten.
    pub(crate) omitted: BTreeSet<TurnId>,
    pub(super) lines: BTreeMap<String, BTreeSet<TurnId>>,
}

/// One line of the stored form. Each line is independent, so that two documents can be joined.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum StoredLine {
    Through(Timestamp),
    Omitted(TurnId),
    Line(String, BTreeSet<TurnId>),
}

impl Sources {
    /// Parses the stored form; unreadable lines are ignored.
    pub(crate) fn read(text: &str) -> Self {
        let mut sources = Self::default();
        for written in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            match written {
                // Of two, the earlier: reading turns twice is harmless, skipping some is not.
                StoredLine::Through(at) => {
                    sources.through = Some(sources.through.map_or(at, |known| known.min(at)));
                }
                StoredLine::Omitted(turn) => drop(sources.omitted.insert(turn)),
                StoredLine::Line(line, turns) => sources.lines.entry(line).or_default().extend(turns),
            }
        }
        sources
    }

    /// The stored form.
    pub(crate) fn written(&self) -> Text {
        let through = self.through.map(StoredLine::Through).into_iter();
        let omitted = self.omitted.iter().copied().map(StoredLine::Omitted);
        let lines = self.lines.iter().map(|(line, turns)| StoredLine::Line(line.clone(), turns.clone()));
        let all = through.chain(omitted).chain(lines);
        let text: String =
            all.filter_map(|line| serde_json::to_string(&line).ok()).map(|line| line + "\n").collect();
        Text::new(text)
    }

    /// Records the sources of a line.
    pub(crate) fn add(&mut self, line: &str, turns: impl IntoIterator<Item = TurnId>) {
        self.lines.entry(name(line)).or_default().extend(turns);
    }

    /// The sources of a line; none for a line that people wrote.
    pub(crate) fn of(&self, line: &str) -> BTreeSet<TurnId> {
        self.lines.get(&name(line)).cloned().unwrap_or_default()
    }

    /// All sources of all lines.
    pub(crate) fn turns(&self) -> BTreeSet<TurnId> {
        self.lines.values().flatten().copied().collect()
    }

    /// The same, with the sources of `others` added.
    pub(crate) fn joined(mut self, others: &Self) -> Self {
        for (line, turns) in &others.lines {
            self.lines.entry(line.clone()).or_default().extend(turns);
        }
        self.omitted.extend(&others.omitted);
        self
    }

    /// Drops the lines that are in none of `texts`.
    pub(crate) fn prune(&mut self, texts: &[&str]) {
        let names: BTreeSet<String> = texts.iter().flat_map(|text| text.lines()).map(name).collect();
        self.lines.retain(|line, _| names.contains(line));
    }

    /// `text` without the lines that come from any of `gone`; `None` if there are none.
    pub(crate) fn without(&self, text: &str, gone: &BTreeSet<TurnId>) -> Option<String> {
        let is_gone = |line: &&str| !self.of(line).is_disjoint(gone);
        if !text.lines().any(|line| is_gone(&line)) {
            return None;
        }
        Some(text.split_inclusive('\n').filter(|line| !is_gone(line)).collect())
    }

    /// Drops every line that comes from any of `gone`.
    pub(crate) fn forget(&mut self, gone: &BTreeSet<TurnId>) {
        self.lines.retain(|_, turns| turns.is_disjoint(gone));
    }
}

/// The key of a line: a hash, since its text is in the digest already.
fn name(line: &str) -> String {
    let hash = vault::hash::sha256(&[line.trim().as_bytes()]);
    vault::encoding::hex(&hash).chars().take(32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(n: u128) -> TurnId {
        TurnId(uuid::Uuid::from_u128(n))
    }

    #[test]
    fn a_line_goes_with_any_of_its_sources_and_lines_by_hand_stay() {
        let mut sources = Sources { through: Some(Timestamp::from_millis(5)), ..Sources::default() };
        sources.add("- one", [turn(1)]);
        sources.add("- two", [turn(2), turn(3)]);
        sources.omitted.insert(turn(9));
        let sources = Sources::read(sources.written().as_str());
        let text = "# Digest\n\n- one\n- by hand\n- two\n";
        let gone = BTreeSet::from([turn(3)]);
        assert_eq!(sources.without(text, &gone).unwrap(), "# Digest\n\n- one\n- by hand\n");
        assert_eq!(sources.without(text, &BTreeSet::from([turn(4)])), None);
        assert_eq!((sources.turns().len(), sources.omitted.len()), (3, 1));
        let mut fewer = sources.clone();
        fewer.forget(&gone);
        assert_eq!(fewer.turns(), BTreeSet::from([turn(1)]));
        fewer.prune(&["- nothing"]);
        assert!(fewer.turns().is_empty());
    }

    #[test]
    fn two_documents_put_together_miss_nothing() {
        let [mut one, mut other] =
            [7, 5].map(|at| Sources { through: Some(Timestamp::from_millis(at)), ..Sources::default() });
        one.add("- both", [turn(1)]);
        other.add("- both", [turn(2)]);
        let both = Sources::read(&format!("{}\n\n{}", one.written().as_str(), other.written().as_str()));
        assert_eq!(both.through, Some(Timestamp::from_millis(5)));
        assert_eq!(both.of("- both"), BTreeSet::from([turn(1), turn(2)]));
    }
}
