//! A memory drawn for people: its text, its brightness, its curve.

use std::fmt::Write as _;

use domain::Timestamp;
use serde_json::Value;
use wire::memory::{Crossing, CrossingKind, CurveAnswer, MemoryInspection};

use super::super::atoms::word;
use crate::config::Environment;
use crate::drawing::{Curve, Signs, bar, said};
use crate::output::on_one_line;

/// How many cells a bar has.
const BAR: u16 = 20;
/// How many cells the curve is wide.
const WIDTH: usize = 62;

/// The input of a drawing.
pub(super) struct Portrait<'a> {
    pub(super) found: &'a MemoryInspection,
    pub(super) curve: &'a CurveAnswer,
    pub(super) today: Timestamp,
}

impl Portrait<'_> {
    /// The whole drawing.
    pub(super) fn drawn(&self) -> String {
        let signs = Signs::of(&Environment::of_process());
        let parts = [
            self.heading(),
            self.cues(signs),
            self.bars(signs),
            self.fading(signs),
            self.rehearsals(),
            self.future(signs),
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }

    fn heading(&self) -> String {
        let atom = self.atom();
        let subject = Some(word(atom, "subject")).filter(|it| !it.is_empty());
        let of = subject.map(|subject| format!(", of {}", on_one_line(&subject))).unwrap_or_default();
        let status = word(atom, "redactionStatus");
        let hidden = if status == "active" { String::new() } else { format!(", {status}") };
        let pinned = if atom.get("pinned").and_then(Value::as_bool) == Some(true) { ", pinned" } else { "" };
        format!(
            "{}  {}, {} ({}){of}{hidden}{pinned}, formed {}\n{}\n",
            word(atom, "id"),
            word(atom, "kind"),
            word(atom, "privacyClass"),
            on_one_line(&word(atom, "consentBasis")),
            self.date(&word(atom, "createdAt")),
            on_one_line(&word(atom, "gist")),
        )
    }

    /// The cues.
    fn cues(&self, signs: Signs) -> String {
        let [open, close] = signs.quotes;
        let cues = self.atom().get("cues").and_then(Value::as_array).into_iter().flatten();
        let cues = cues.filter_map(Value::as_str).map(|cue| format!("{open}{}{close}", on_one_line(cue)));
        let cues = cues.collect::<Vec<_>>().join(", ");
        if cues.is_empty() { cues } else { format!("cues: {cues}\n") }
    }

    /// The weight of the memory, and the brightness of each detail.
    fn bars(&self, signs: Signs) -> String {
        let atom = self.atom();
        let now = number(atom, "currentSalience");
        let mut lines = format!(
            "{}  {now:.2}  {}: {:.2} when formed, rehearsed {}, never below {:.2}\n",
            bar(now, BAR, signs),
            word(atom, "vividness"),
            number(atom, "salience"),
            times(number(atom, "rehearsalCount")),
            self.found.decay.floor.get(),
        );
        for detail in atom.get("details").and_then(Value::as_array).into_iter().flatten() {
            let now = number(detail, "currentBrightness");
            let faded = if now < 0.1 { "  (faded)" } else { "" };
            let content = on_one_line(&word(detail, "content"));
            let _ = writeln!(lines, "{}  {now:.2}  {content}{faded}", bar(now, BAR, signs));
        }
        lines
    }

    fn fading(&self, signs: Signs) -> String {
        let points = self.curve.points.iter().map(|point| (point.at, point.salience.get())).collect();
        let rehearsed_at = self.found.rehearsals.iter().map(|rehearsal| rehearsal.at).collect();
        Curve { points, today: self.today, rehearsed_at }.drawn(WIDTH, signs)
    }

    fn rehearsals(&self) -> String {
        let dates: Vec<String> =
            self.found.rehearsals.iter().map(|rehearsal| said(rehearsal.at, self.today)).collect();
        if dates.is_empty() { String::new() } else { format!("rehearsed on {}\n", dates.join(", ")) }
    }

    /// What will happen, one sentence per line.
    fn future(&self, signs: Signs) -> String {
        let crossings = self.found.decay.crossings.iter().map(|crossing| self.sentence(crossing, signs));
        let end =
            self.found.decay.retention_ends_at.map(|at| format!("it is deleted on {}", said(at, self.today)));
        crossings.chain(end).map(|sentence| sentence + "\n").collect()
    }

    fn sentence(&self, crossing: &Crossing, signs: Signs) -> String {
        let date = said(crossing.at, self.today);
        match crossing.what {
            CrossingKind::NoLongerVivid => format!("it stops being vivid on {date}"),
            CrossingKind::Faint => format!("it becomes faint on {date}"),
            CrossingKind::NoLongerRecalled => format!("it is no longer recalled from {date}"),
            CrossingKind::ArchiveDue => format!("it may be archived from {date}"),
            CrossingKind::DeletionDue => format!("it is deleted on {date}"),
            CrossingKind::DetailFaded => {
                let place = format!("/details/{}/content", crossing.detail.unwrap_or_default());
                let content = self.atom().pointer(&place).and_then(Value::as_str).unwrap_or("a detail");
                let [open, close] = signs.quotes;
                format!("{open}{}{close} fades on {date}", on_one_line(content))
            }
        }
    }

    fn atom(&self) -> &Value {
        self.found.memory.as_value()
    }

    fn date(&self, written: &str) -> String {
        written.parse().map_or_else(|_| written.to_owned(), |at| said(at, self.today))
    }
}

fn number(value: &Value, name: &str) -> f64 {
    value.get(name).and_then(Value::as_f64).unwrap_or_default()
}

fn times(count: f64) -> String {
    if (count - 1.0).abs() < 0.5 { "once".to_owned() } else { format!("{count:.0} times") }
}
