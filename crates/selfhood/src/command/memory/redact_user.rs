//! `selfhood memory redact-user USER_ID`: the right to be forgotten, from the request to the certificate.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::Path;

use domain::ErasureStatus;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wire::erasure::{
    CertificateAnswer, ErasureAnswer, ErasureList, ErasurePreview, ErasureView, PreviewAnswer, Proposal,
    RequestErasure, SignErasure,
};
use wire::fields::{Fields, fields, list};
use wire::verb::{self, Verb};
use wire::{Code, Exit, Problem};

use crate::cli::MemoryRedactUser;
use crate::command::CommandContext;
use crate::output::{Table, on_one_line};
use crate::request::Request;
use crate::{confirm, progress, report};

/// Forgets a person, and shows what was destroyed, what is proven, and what can't be reached.
pub(crate) fn run(asked: &MemoryRedactUser, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    if asked.dry_run {
        return dry_run(asked, context);
    }
    if !asked.yes && !std::io::stdin().is_terminal() {
        confirm::by_typing(&asked.user_id, WHAT_HAPPENS)?;
    }
    resume_interrupted(context)?;
    let ErasureAnswer { erasure, opening } =
        ask(context, "gathering", Request::<verb::RequestErasure>::to(&[])?.with_body(body(asked)))?;
    let id = erasure.id.to_string();
    if erasure.status == ErasureStatus::Partial {
        report::note(format_args!("going on with the incomplete erasure {id}"));
        return execute(asked, context, &id, opening.as_ref());
    }
    let PreviewAnswer { preview } = context.client.ask(Request::<verb::PreviewErasure>::to(&[&id])?)?;
    report::note(described(&preview));
    if preview.proposals.is_empty() && preview.places.iter().all(|place| place.own == 0) {
        report::note(format_args!(
            "nothing of `{}` was found; if the name is mistyped, see `selfhood subject list`",
            asked.user_id
        ));
    }
    let take = if asked.yes { "telling" } else { chosen(asked, &preview)? };
    let signing = fields!(SignErasure { take: Some(take) });
    let _: ErasureAnswer =
        ask(context, "signing", Request::<verb::SignErasure>::to(&[&id])?.with_body(signing))?;
    execute(asked, context, &id, opening.as_ref())
}

fn execute(
    asked: &MemoryRedactUser,
    context: &CommandContext<'_>,
    id: &str,
    opening: Option<&Value>,
) -> Result<Exit, Problem> {
    let request = Request::<verb::ExecuteErasure>::to(&[id])?;
    let done: ErasureAnswer = ask(context, "forgetting, and scanning for residue", request)?;
    conclude(asked, context, &done.erasure, opening)
}

const WHAT_HAPPENS: &str =
    "Everything about this person will be destroyed, in every persona and every backup";

/// Shows what would be destroyed, and stores nothing.
fn dry_run(asked: &MemoryRedactUser, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let request = Request::<verb::ForeseeErasure>::to(&[])?.with_body(body(asked));
    let PreviewAnswer { preview } = ask(context, "looking", request)?;
    let mut table = Table::new(["place", "persona", "method", "own", "proposed"]);
    for place in &preview.places {
        table.push([
            place.place.as_str().into(),
            place.persona.as_deref().into(),
            place.method.as_str().into(),
            place.own.into(),
            place.proposed.into(),
        ]);
    }
    let whole = serde_json::to_value(&preview).unwrap_or_default();
    context.output.one(&whole, &table, || table.aligned())?;
    report::note(proposals(&preview.proposals));
    report::note("nothing was changed");
    Ok(Exit::Ok)
}

/// Finishes an interrupted erasure before another begins.
fn resume_interrupted(context: &CommandContext<'_>) -> Result<(), Problem> {
    let ErasureList { erasures } = context.client.ask(Request::<verb::ListErasures>::to(&[])?)?;
    for erasure in erasures.iter().filter(|erasure| erasure.status.is_under_way()) {
        report::note(format_args!("resuming the interrupted erasure {}", erasure.id));
        let request = Request::<verb::ExecuteErasure>::to(&[&erasure.id.to_string()])?;
        let _: ErasureAnswer = ask(context, "finishing", request)?;
    }
    Ok(())
}

fn body(asked: &MemoryRedactUser) -> Fields<RequestErasure> {
    fields!(RequestErasure {
        subject: Some(asked.user_id.as_str()),
        identifiers: list(&asked.identifiers),
        reason: Some(asked.reason.as_str())
    })
}

fn ask<V: Verb<Answer: DeserializeOwned>>(
    context: &CommandContext<'_>,
    work: &'static str,
    request: Request<V>,
) -> Result<V::Answer, Problem> {
    let waiting = progress::waiting(work);
    let answer = context.client.ask(request);
    waiting.finish_and_clear();
    answer
}

/// On a terminal, asks which proposals are accepted, and for the id to be typed.
fn chosen(asked: &MemoryRedactUser, preview: &ErasurePreview) -> Result<&'static str, Problem> {
    let take = if preview.proposals.is_empty() {
        "none"
    } else {
        confirm::one_of(
            "Which proposals are accepted: telling (those marked *), all, or none?",
            &["telling", "all", "none"],
        )?
    };
    confirm::by_typing(&asked.user_id, WHAT_HAPPENS)?;
    Ok(take)
}

fn conclude(
    asked: &MemoryRedactUser,
    context: &CommandContext<'_>,
    erasure: &ErasureView,
    opening: Option<&Value>,
) -> Result<Exit, Problem> {
    let request = Request::<verb::ErasureCertificate>::to(&[&erasure.id.to_string()])?;
    let CertificateAnswer { certificate } = context.client.ask(request)?;
    let copy = json!({ "certificate": certificate, "opening": opening });
    if let Some(file) = &asked.certificate {
        write(file, &copy)?;
    }
    let mut table = Table::new(["id", "status", "place", "records"]);
    for (place, count) in &erasure.counts.places {
        table.push([
            erasure.id.to_string().into(),
            erasure.status.as_str().into(),
            place.as_str().into(),
            (*count).into(),
        ]);
    }
    let whole = json!({ "erasure": erasure, "certificate": certificate, "opening": opening });
    context.output.one(&whole, &table, || drawn(erasure))?;
    for warning in &erasure.warnings {
        report::note(format_args!("note: {warning}"));
    }
    match &asked.certificate {
        Some(file) => report::note(format_args!(
            "the requester's copy is in {}; `selfhood verify` checks it anywhere",
            file.display()
        )),
        None => report::note("`--certificate FILE` writes the requester's copy; `-o json` prints it"),
    }
    report::note(
        "older backups can no longer open records that shared a key with it: make a new one with `selfhood \
        backup create FILE`",
    );
    Ok(if erasure.status == ErasureStatus::Done { Exit::Ok } else { Exit::Partial })
}

/// The summary for people.
fn drawn(erasure: &ErasureView) -> String {
    let counts = &erasure.counts;
    let mut text = format!("erasure {}: {}\n\n", erasure.id, erasure.status.as_str());
    let widest = counts.places.keys().map(String::len).max().unwrap_or(0);
    for (place, count) in &counts.places {
        let _ = writeln!(text, "  {place:<widest$}  {count}");
    }
    let left = counts.residue.unwrap_or(0);
    let found = if left == 0 { "nothing is left of it".to_owned() } else { format!("found {left} times") };
    let _ = writeln!(
        text,
        "\n  {} tombstones, {} of {} proposals accepted; residue scan: {found}",
        counts.tombstones, counts.taken, counts.proposed
    );
    text
}

fn described(preview: &ErasurePreview) -> String {
    let mut text = String::new();
    for place in &preview.places {
        let persona = place.persona.as_deref().unwrap_or("");
        let _ = writeln!(
            text,
            "{} of {persona}: {} own, {} proposed, {}",
            place.place, place.own, place.proposed, place.method
        );
    }
    text + &proposals(&preview.proposals)
}

fn proposals(proposals: &[Proposal]) -> String {
    let mut text = String::new();
    for proposal in proposals {
        let mark = if proposal.telling { '*' } else { ' ' };
        let excerpt = on_one_line(proposal.excerpt.as_str());
        let _ = writeln!(
            text,
            "{mark} {} {} {} ({}): {excerpt}",
            proposal.number, proposal.persona, proposal.what, proposal.place
        );
    }
    text
}

/// Writes a new file; an existing one is never overwritten.
fn write(file: &Path, copy: &Value) -> Result<(), Problem> {
    let failed = |error: std::io::Error| {
        Problem::new(Code::IoFailed, format!("can't write {}: {error}", file.display()))
    };
    let text = serde_json::to_string_pretty(copy).unwrap_or_default() + "\n";
    let mut new = std::fs::OpenOptions::new().write(true).create_new(true).open(file).map_err(failed)?;
    std::io::Write::write_all(&mut new, text.as_bytes()).map_err(failed)
}
