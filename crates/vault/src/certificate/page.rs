//! The certificate as a page for printing.

use serde::Deserialize as _;
use serde_json::Value;

use super::{Certificate, CertificateError, LogHeads, Outcome, Place, Request, Unreached};
use crate::paper::{self, code, escaped, properties, section, table};
use crate::timestamp;

/// The page of a signed certificate. It shows the content without verifying it; see
/// [`verify`](super::verify()).
pub fn page(signed: &Value) -> Result<String, CertificateError> {
    let malformed = |error: serde_json::Error| CertificateError::NotACertificate(error.to_string());
    let certificate = Certificate::deserialize(signed).map_err(malformed)?;
    let sections = [
        heading(&certificate),
        request(&certificate.request),
        places(&certificate.places),
        proofs(&certificate),
        unreached(&certificate.unreached),
        logs(&certificate.audit),
        signature(&certificate, signed),
    ];
    Ok(paper::page(&format!("Certificate of erasure {}", certificate.id), &sections))
}

fn heading(certificate: &Certificate) -> String {
    let (class, outcome, lead) = match certificate.outcome {
        Outcome::Done => (
            "done",
            "Done and verified",
            "Everything Selfhood held about the person behind this request was destroyed, in every place where it \
             could rest, together with the keys that could open older copies. Afterwards every place was searched.",
        ),
        Outcome::Partial => (
            "partial",
            "Done in part",
            "Something about the person behind this request may be left, or could not be verified. This page says \
             where; somebody has to look.",
        ),
    };
    format!(
        "<header>\n<h1>Certificate of erasure</h1>\n<div class=\"id\">{id}</div>\n\
         <div class=\"outcome {class}\">{outcome}</div>\n</header>\n<p>{lead}</p>\n",
        id = escaped(&certificate.id)
    )
}

fn request(request: &Request) -> String {
    let against = |at: i64, by: i64| {
        let kept = if at <= by { "in time" } else { "<strong class=\"partial\">late</strong>" };
        format!("{} <span class=\"soft\">(due {}, {kept})</span>", moment(at), moment(by))
    };
    section(
        "The request",
        &properties(&[
            ("request", code(&request.id)),
            ("reason", escaped(&request.reason)),
            ("ground", escaped(&request.ground)),
            ("received", moment(request.received_at)),
            ("acknowledged", against(request.acknowledged_at, request.acknowledge_by)),
            ("completed", against(request.completed_at, request.complete_by)),
        ]),
    )
}

fn places(places: &[Place]) -> String {
    let row = |place: &Place| {
        let class = if place.hits == 0 { "done" } else { "partial" };
        [
            code(&place.place),
            escaped(&place.method),
            place.count.to_string(),
            escaped(&place.verified),
            format!("<span class=\"{class}\">{}</span>", place.hits),
        ]
    };
    let columns = ["place", "how it was erased", "#records", "how that was verified", "#found after"];
    let rows: Vec<[String; 5]> = places.iter().map(row).collect();
    section("What was done, place by place", &table(columns, &rows))
}

fn proofs(certificate: &Certificate) -> String {
    let Certificate { tombstones, derived, scan, .. } = certificate;
    let searched = format!(
        "{} files, {} bytes, searched {} for {} identifiers in {} forms: <strong>{} found</strong>; {} of {} canaries \
         planted just before were found; {} files could not be read.",
        scan.files,
        scan.bytes,
        moment(scan.at),
        scan.identifiers,
        scan.forms.len(),
        scan.hits,
        scan.canaries_found,
        scan.canaries_planted,
        scan.unread
    );
    let until = tombstones.until.map(|until| format!(", until {}", moment(until))).unwrap_or_default();
    let made = format!(
        "{} derived again from other sources, {} destroyed as well",
        derived.rederived, derived.redacted
    );
    section(
        "Two proofs",
        &properties(&[
            ("the keys", keys(certificate)),
            ("the bytes", searched),
            ("tombstones", format!("{} (an id, a time and a code each{until})", tombstones.ids.len())),
            ("derived", made),
        ]),
    )
}

fn keys(certificate: &Certificate) -> String {
    let keys = &certificate.keys;
    let stale = keys.mirrors.iter().filter(|mirror| !mirror.current).count();
    let mirrors = match (keys.mirrors.len(), stale) {
        (0, _) => "no copy of the keys is registered".to_owned(),
        (1, 0) => "the one registered copy of the keys was rewritten".to_owned(),
        (all, 0) => format!("all {all} registered copies of the keys were rewritten"),
        (all, stale) => {
            format!("<strong class=\"partial\">{stale} of {all} copies were not reached</strong>")
        }
    };
    format!(
        "{} data keys destroyed; key epoch {} → {}; {mirrors}. Older backups can't be opened for what was erased.",
        keys.destroyed, keys.epoch_before, keys.epoch_after
    )
}

fn unreached(unreached: &[Unreached]) -> String {
    let item = |what: &Unreached| {
        format!("<li><strong>{}</strong>: {}</li>\n", escaped(&what.what), escaped(&what.why))
    };
    let items: String = unreached.iter().map(item).collect();
    section("What could not be reached", &format!("<ul>\n{items}</ul>\n"))
}

fn logs(audit: &[LogHeads]) -> String {
    let size = |note: &str| escaped(note.lines().nth(1).unwrap_or_default());
    let row = |heads: &LogHeads| {
        let events: Vec<String> = heads.events.iter().map(u64::to_string).collect();
        [code(&heads.origin), size(&heads.before), size(&heads.after), events.join(", ")]
    };
    let rows: Vec<[String; 4]> = audit.iter().map(row).collect();
    section("The audit log", &table(["log", "#events before", "#after", "events of this erasure"], &rows))
}

fn signature(certificate: &Certificate, signed: &Value) -> String {
    let proof = |name: &str| {
        let member = signed.get("proof").and_then(|proof| proof.get(name)).and_then(Value::as_str);
        member.unwrap_or("not signed")
    };
    let signature = properties(&[
        ("operator", code(&certificate.operator.to_string())),
        ("signed", escaped(proof("created"))),
        ("subject", code(&certificate.subject.hash)),
        ("signature", code(proof("proofValue"))),
    ]);
    format!(
        "<footer>\n<h2>Signature</h2>\n{signature}<p>The person is named nowhere on this page. The hash can be opened only \
         with the salt that was given to the requester. To verify all of it, on any machine, with this certificate as a \
         JSON file and the operator's public key:</p>\n<pre>{}</pre>\n</footer>\n",
        escaped(&certificate.verify)
    )
}

/// A time to the second, in readable form.
fn moment(at: i64) -> String {
    let printed = timestamp::printed(at).unwrap_or_default();
    format!("{} UTC", printed.get(..19).unwrap_or_default().replace('T', " "))
}
