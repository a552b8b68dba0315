//! The parts of a digest that people wrote: they have no source turns, and no run drops them.

use super::extract::is_own_heading;
use super::short;
use super::sources::Sources;

/// The parts of a digest that people wrote.
#[derive(Default)]
pub(super) struct ByHand {
    /// Paragraphs, and lists under headings of their own, unchanged.
    pub(super) prose: String,
}

impl ByHand {
    /// What people wrote into `document`. List items under one of our own headings stay where they are and are
    /// not included.
    pub(super) fn of(document: &str, sources: &Sources) -> Self {
        let (mut lines, mut is_ours): (Vec<&str>, bool) = (Vec::new(), false);
        for line in document.lines() {
            if is_generated(line) {
                is_ours = true;
                continue;
            }
            if line.starts_with('#') {
                is_ours = false;
            }
            let is_item_of_ours = is_ours && line.starts_with("- ");
            if !is_item_of_ours && sources.of(line).is_empty() {
                lines.push(line);
            }
        }
        let mut prose = String::new();
        for line in lines {
            let is_second_blank = line.trim().is_empty() && (prose.is_empty() || prose.ends_with("\n\n"));
            if !is_second_blank {
                prose.push_str(line.trim_end());
                prose.push('\n');
            }
        }
        Self { prose: prose.trim().to_owned() }
    }

    /// Its non-empty lines outside of tables, for another digest.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &str> {
        let lines = self.prose.lines().filter(|line| !is_row(line));
        let said = lines.map(|line| line.trim().trim_start_matches("- ").trim());
        said.filter(|line| !line.is_empty() && !line.starts_with('#'))
    }

    /// Its tables, each whole: their rows mean nothing apart.
    pub(super) fn tables(&self) -> Vec<String> {
        let lines: Vec<&str> = self.prose.lines().collect();
        let groups = lines.chunk_by(|one, other| is_row(one) == is_row(other));
        groups
            .filter(|group| group.first().is_some_and(|line| is_row(line)))
            .map(|it| it.join("\n"))
            .collect()
    }

    /// The same with the tables of another digest; one with the same heading is replaced.
    pub(super) fn with_tables_of(mut self, other: &Self) -> Self {
        for table in other.tables() {
            let heading = table.lines().next();
            let old = self.tables().into_iter().find(|own| own.lines().next() == heading);
            if let Some(old) = old {
                self.prose = self.prose.replace(&old, &table);
            } else {
                let gap = if self.prose.is_empty() { "" } else { "\n\n" };
                self.prose = format!("{}{gap}{table}", self.prose);
            }
        }
        self
    }

    /// Its length in characters.
    pub(super) fn length(&self) -> usize {
        if self.prose.is_empty() { 0 } else { self.prose.chars().count() + 2 }
    }

    /// The text as it is placed after the heading of a digest.
    pub(super) fn block(&self) -> String {
        if self.prose.is_empty() { String::new() } else { format!("{}\n\n", self.prose) }
    }
}

/// Whether a line is a row of a Markdown table.
fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

fn is_generated(line: &str) -> bool {
    is_own_heading(line) || short::is_own_heading(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_and_sections_of_ones_own_are_by_hand_and_what_was_made_is_not() {
        let mut sources = Sources::default();
        let turn = domain::TurnId(uuid::Uuid::from_u128(1));
        sources.add("- 2026-04-22 they told me: I sail.", [turn]);
        let document = "# What the last weeks came to\n\nScott is building a boat.\nIt is called Serenity.\n\n\n\
                     ## Projects\n\n- 2026-04-22 they told me: I sail.\n- a line of mine\n\n## Garden\n\n- roses\n";
        let by_hand = ByHand::of(document, &sources);
        assert_eq!(
            by_hand.prose,
            "Scott is building a boat.\nIt is called Serenity.\n\n## Garden\n\n- roses"
        );
        let said: Vec<&str> = by_hand.sentences().collect();
        assert_eq!(said, ["Scott is building a boat.", "It is called Serenity.", "roses"]);
    }

    #[test]
    fn a_table_reaches_another_digest_whole_and_once() {
        let table = "| day | watch |\n|---|---|\n| Monday | Mira |";
        let short = ByHand::of(&format!("Watches:\n\n{table}\n\nThat is all.\n"), &Sources::default());
        let said: Vec<&str> = short.sentences().collect();
        assert_eq!(said, ["Watches:", "That is all."]);
        let mid = ByHand { prose: "Scott is building a boat.".to_owned() }.with_tables_of(&short);
        assert_eq!(mid.prose, format!("Scott is building a boat.\n\n{table}"));
        let mid = mid.with_tables_of(&short);
        assert_eq!(mid.tables(), [table]);
        let edited = ByHand { prose: table.replace("Mira", "Tom") };
        assert_eq!(mid.with_tables_of(&edited).tables(), [edited.prose]);
    }
}
