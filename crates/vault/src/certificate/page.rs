//! The certificate as a page to print: whole in itself, without a script, and with nothing of the
//! certificate's text able to become markup.

use serde::Deserialize as _;
use serde_json::Value;

use super::{Certificate, CertificateError, LogHeads, Outcome, Place, Request};
use crate::timestamp;

const STYLE: &str = include_str!("page.css");

/// The page of a signed certificate. It shows what the certificate says; whether that holds is for
/// [`verify`](super::verify()).
pub fn page(signed: &Value) -> Result<String, CertificateError> {
    let malformed = |error: serde_json::Error| CertificateError::NotACertificate(error.to_string());
    let certificate = Certificate::deserialize(signed).map_err(malformed)?;
    let sections = [
        heading(&certificate),
        request(&certificate.request),
        places(&certificate),
        proofs(&certificate),
        unreached(&certificate),
        logs(&certificate.audit),
        signature(&certificate, signed),
    ];
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Certificate of erasure {id}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        id = escaped(&certificate.id),
        body = sections.concat(),
    ))
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
        &table(&[
            ("request", code(&request.id)),
            ("reason", escaped(&request.reason)),
            ("ground", escaped(&request.ground)),
            ("received", moment(request.received_at)),
            ("acknowledged", against(request.acknowledged_at, request.acknowledge_by)),
            ("completed", against(request.completed_at, request.complete_by)),
        ]),
    )
}

fn places(certificate: &Certificate) -> String {
    let row = |place: &Place| {
        let class = if place.hits == 0 { "done" } else { "partial" };
        format!(
            "<tr><td class=\"code\">{}</td><td>{}</td><td class=\"number\">{}</td><td>{}</td>\
             <td class=\"number {class}\">{}</td></tr>\n",
            escaped(&place.place),
            escaped(&place.method),
            place.count,
            escaped(&place.verified),
            place.hits
        )
    };
    let rows: String = certificate.places.iter().map(row).collect();
    let head = "<thead><tr><th>place</th><th>how it was erased</th><th class=\"number\">records</th>\
                <th>how that was verified</th><th class=\"number\">found after</th></tr></thead>";
    section("What was done, place by place", &format!("<table>{head}\n<tbody>\n{rows}</tbody></table>\n"))
}

fn proofs(certificate: &Certificate) -> String {
    let Certificate { tombstones, derived, keys, scan, .. } = certificate;
    let stale = keys.mirrors.iter().filter(|mirror| !mirror.current).count();
    let mirrors = match (keys.mirrors.len(), stale) {
        (0, _) => "no copy of the keys is registered".to_owned(),
        (1, 0) => "the one registered copy of the keys was rewritten".to_owned(),
        (all, 0) => format!("all {all} registered copies of the keys were rewritten"),
        (all, stale) => {
            format!("<strong class=\"partial\">{stale} of {all} copies were not reached</strong>")
        }
    };
    let until = tombstones.until.map(|until| format!(", until {}", moment(until))).unwrap_or_default();
    section(
        "Two proofs",
        &table(&[
            (
                "the keys",
                format!(
                    "{} data keys destroyed; key epoch {} → {}; {mirrors}. Older backups can't be opened for what was erased.",
                    keys.destroyed, keys.epoch_before, keys.epoch_after
                ),
            ),
            (
                "the bytes",
                format!(
                    "{} files, {} bytes, searched {} for {} identifiers in {} forms: <strong>{} found</strong>; {} of {} \
                     canaries planted moments before were found; {} files could not be read.",
                    scan.files,
                    scan.bytes,
                    moment(scan.at),
                    scan.identifiers,
                    scan.forms.len(),
                    scan.hits,
                    scan.canaries_found,
                    scan.canaries_planted,
                    scan.unread
                ),
            ),
            ("tombstones", format!("{} (an id, a time and a code each{until})", tombstones.ids.len())),
            (
                "derived",
                format!(
                    "{} made anew from other sources, {} destroyed too",
                    derived.rederived, derived.redacted
                ),
            ),
        ]),
    )
}

fn unreached(certificate: &Certificate) -> String {
    let item = |what: &super::Unreached| {
        format!("<li><strong>{}</strong>: {}</li>\n", escaped(&what.what), escaped(&what.why))
    };
    let items: String = certificate.unreached.iter().map(item).collect();
    section("What could not be reached", &format!("<ul>\n{items}</ul>\n"))
}

fn logs(audit: &[LogHeads]) -> String {
    let size = |note: &str| note.lines().nth(1).unwrap_or_default().to_owned();
    let row = |heads: &LogHeads| {
        let events: Vec<String> = heads.events.iter().map(u64::to_string).collect();
        format!(
            "<tr><td class=\"code\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
            escaped(&heads.origin),
            escaped(&size(&heads.before)),
            escaped(&size(&heads.after)),
            escaped(&events.join(", "))
        )
    };
    let head = "<thead><tr><th>log</th><th class=\"number\">events before</th><th class=\"number\">after</th>\
                <th>events of this erasure</th></tr></thead>";
    let rows: String = audit.iter().map(row).collect();
    section("The audit log", &format!("<table>{head}\n<tbody>\n{rows}</tbody></table>\n"))
}

fn signature(certificate: &Certificate, signed: &Value) -> String {
    let proof = |name: &str| {
        let member = signed.get("proof").and_then(|proof| proof.get(name)).and_then(Value::as_str);
        escaped(member.unwrap_or("not signed"))
    };
    format!(
        "<footer>\n<h2>Signature</h2>\n{}<p>The person is named nowhere on this page. The hash can be opened only with \
         the salt that was given to whoever asked. To verify all of it, on any machine, with this certificate as a JSON \
         file and the operator's public key:</p>\n<pre>{}</pre>\n</footer>\n",
        table(&[
            ("operator", code(&certificate.operator.to_string())),
            ("signed", proof("created")),
            ("subject", code(&certificate.subject.hash)),
            ("signature", format!("<code>{}</code>", proof("proofValue"))),
        ]),
        escaped(&certificate.verify)
    )
}

fn section(title: &str, content: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{content}</section>\n")
}

/// Rows of a name and a value; values are markup already.
fn table(rows: &[(&str, String)]) -> String {
    let row =
        |(name, value): &(&str, String)| format!("<tr><td class=\"name\">{name}</td><td>{value}</td></tr>\n");
    format!("<table><tbody>\n{}</tbody></table>\n", rows.iter().map(row).collect::<String>())
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// A time to the second, as people read it.
fn moment(at: i64) -> String {
    let printed = timestamp::printed(at).unwrap_or_default();
    let seconds = printed.get(..19).unwrap_or_default();
    format!("{} UTC", seconds.replace('T', " "))
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}
