//! Answers of the engine in words a reader of a story can check.

use std::collections::BTreeMap;

use domain::{MemoryId, Timestamp};
use serde_json::Value;
use wire::Problem;
use wire::context::ContextAnswer;
use wire::memory::{Crossing, MemoryInspection, MemoryView};
use wire::redaction::{DerivedOutcome, Redaction};
use wire::timeline::TimelinePage;

use crate::names::Names;

/// The text when nothing comes back.
pub(crate) const NOTHING: &str = "(nothing)";

/// A verb that was refused: the stable code, and the words with it.
pub(crate) fn refusal(problem: &Problem) -> String {
    format!("refused: {}\n{}", problem.code, problem.detail)
}

/// What became of each candidate, and how many others were left aside for which reason.
pub(crate) fn reasons(trace: &Value, names: &Names) -> String {
    let mut outcomes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for list in ["candidates", "life"] {
        for considered in trace[list].as_array().unwrap() {
            let name = names.of(considered["id"].as_str().unwrap());
            outcomes.entry(considered["outcome"].as_str().unwrap()).or_default().push(name);
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for (outcome, mut who) in outcomes {
        who.sort();
        lines.push(format!("{}: {}", outcome.replace('_', " "), who.join(", ")));
    }
    // Those that were weighed at all are named above; these never were.
    for (reason, words) in [
        ("inactive", "set aside or archived"),
        ("otherSubject", "somebody else's"),
        ("staffOnly", "for staff only"),
        ("outOfScope", "out of scope"),
        ("faded", "faded"),
    ] {
        let count = trace["rejected"][reason].as_u64().unwrap();
        lines.extend((count > 0).then(|| format!("{words}: {count}")));
    }
    lines.join("\n")
}

/// What became of the memories that came from a redacted one, and what somebody should know.
pub(crate) fn redaction(came: &Redaction, names: &Names) -> String {
    let would = if came.dry_run { "would be " } else { "" };
    let derived = came.derived.iter().map(|derived| {
        let name = names.of(&derived.id.to_string());
        match derived.outcome {
            DerivedOutcome::Rederived => format!("{name}: {would}told anew"),
            DerivedOutcome::Redacted => format!("{name}: {would}destroyed too"),
            DerivedOutcome::Hidden => format!("{name}: {would}hidden, and kept under its hold"),
        }
    });
    derived.chain(came.warnings.iter().cloned()).collect::<Vec<_>>().join("\n")
}

/// Which memories counted as rehearsed.
pub(crate) fn rehearsed(ids: &[MemoryId], names: &Names) -> String {
    let mut rehearsed_names: Vec<String> = ids.iter().map(|id| names.of(&id.to_string())).collect();
    rehearsed_names.sort();
    format!(
        "rehearsed: {}",
        if rehearsed_names.is_empty() { NOTHING.to_owned() } else { rehearsed_names.join(", ") }
    )
}

/// The parts of a prompt by name, or the text of the one that is `shown`.
pub(crate) fn prompt(answer: &ContextAnswer, shown: Option<&str>) -> String {
    let Some(shown) = shown else {
        let cut = |cut: bool| if cut { " (cut)" } else { "" };
        let parts = answer.parts.iter().map(|part| format!("{}{}", part.name, cut(part.cut)));
        return parts.collect::<Vec<_>>().join("\n");
    };
    if shown == "all" {
        return answer.prompt.as_str().to_owned();
    }
    let part = answer.parts.iter().find(|part| part.name == shown);
    part.map_or_else(|| NOTHING.to_owned(), |part| part.text.as_str().to_owned())
}

/// One memory: what it weighs, how clear its details are, and what will become of it.
pub(crate) fn memory(name: &str, seen: &MemoryInspection) -> String {
    let atom = seen.memory.as_value();
    let times = match atom["rehearsalCount"].as_u64().unwrap() {
        0 => "never told".to_owned(),
        1 => "told once".to_owned(),
        times => format!("told {times} times"),
    };
    let mut lines =
        vec![format!("{}, {times}, never below {:.2}", weighed(name, atom), seen.decay.floor.get())];
    for detail in atom["details"].as_array().unwrap() {
        let brightness = detail["currentBrightness"].as_f64().unwrap();
        lines.push(format!("- {brightness:.2} {}", detail["content"].as_str().unwrap()));
    }
    lines.extend(seen.decay.crossings.iter().map(|crossing| crossed(crossing, atom)));
    lines.extend(seen.decay.retention_ends_at.map(|end| format!("{}: to be deleted", day(end))));
    lines.join("\n")
}

fn crossed(crossing: &Crossing, atom: &Value) -> String {
    let what = serde_json::to_value(crossing.what).unwrap();
    let what = what.as_str().unwrap().replace('-', " ");
    match crossing.detail {
        Some(n) => {
            format!("{}: {what}: {}", day(crossing.at), atom["details"][n]["content"].as_str().unwrap())
        }
        None => format!("{}: {what}", day(crossing.at)),
    }
}

/// Memories in their order, with what they weigh.
pub(crate) fn list(memories: &[MemoryView], names: &Names) -> String {
    let shown = |memory: &MemoryView| {
        let atom = memory.as_value();
        weighed(&names.of(atom["id"].as_str().unwrap()), atom)
    };
    if memories.is_empty() {
        NOTHING.to_owned()
    } else {
        memories.iter().map(shown).collect::<Vec<_>>().join("\n")
    }
}

fn weighed(name: &str, atom: &Value) -> String {
    let weight = atom["currentSalience"].as_f64().unwrap();
    let mut words =
        vec![format!("{name} weighs {weight:.2}"), atom["vividness"].as_str().unwrap().to_owned()];
    words.extend(atom["redactionStatus"].as_str().filter(|status| *status != "active").map(str::to_owned));
    words.extend((!atom["archivedAt"].is_null()).then(|| "archived".to_owned()));
    words.extend((!atom["review"].is_null()).then(|| "to be reviewed".to_owned()));
    words.join(", ")
}

/// Entries of a life, by sequence.
pub(crate) fn life(page: &TimelinePage) -> String {
    let entry = |entry: &domain::TimelineEntry| {
        let reason = entry.superseded_reason.as_ref().map(|reason| format!(": {}", reason.as_str()));
        let superseded = entry.superseded_at.map(|_| format!(", superseded{}", reason.unwrap_or_default()));
        let superseded = superseded.unwrap_or_default();
        let kind = serde_json::to_value(entry.event.memory_type).unwrap();
        let (kind, label) = (kind.as_str().unwrap(), entry.event.event_label.as_str());
        format!("{}. {} {label} ({kind}{superseded})", entry.sequence, day(entry.event.event_at))
    };
    page.timeline.iter().map(entry).collect::<Vec<_>>().join("\n")
}

fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}
