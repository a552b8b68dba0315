//! `selfhood memory residue`.

use std::path::Path;

use domain::Text;
use serde_json::{Value, json};
use store::residue::{self, Residue, ResidueError, ScanRoots, SearchTarget, Verdict};
use wire::fields::fields;
use wire::residue::{RecordResidue, ResidueAnswer, SeekResidue};
use wire::vault::MirrorList;
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::MemoryResidue;
use crate::command::CommandContext;
use crate::output::{Output, Table};
use crate::request::Request;
use crate::{clock, progress, report};

/// Searches any file or folder, without a home.
pub(crate) fn in_path(path: &Path, text: &str, output: &Output) -> Result<Exit, Problem> {
    let grounds = ScanRoots::of_path(path, &std::env::temp_dir()).map_err(|error| refused(&error))?;
    tell(&search(&grounds, &[Text::new(text)])?, None, output)
}

/// Searches for what should be gone: in opened records, then in the bytes of every file.
pub(crate) fn run(asked: &MemoryResidue, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let body = fields!(SeekResidue { subject: asked.subject.as_deref(), text: asked.text.as_deref() });
    let waiting = progress::waiting("opening every record");
    let answer: Result<ResidueAnswer, Problem> =
        context.client.ask(Request::<verb::SeekResidue>::to(&[])?.with_body(body));
    waiting.finish_and_clear();
    let answer = answer?;
    let grounds = match &asked.path {
        Some(path) => ScanRoots::of_path(path, &std::env::temp_dir()).map_err(|error| refused(&error))?,
        None => of_home(context)?,
    };
    let opened = asked.path.is_none().then_some(&answer);
    tell(&search(&grounds, &answer.identifiers)?, opened, context.output)
}

/// The home with everything that belongs to it.
fn of_home(context: &CommandContext<'_>) -> Result<ScanRoots, Problem> {
    let MirrorList { mirrors } = context.client.ask(Request::<verb::ListMirrors>::to(&[])?)?;
    let home =
        ScanRoots::of_home(&context.settings.home, &context.settings.keys).and_temp(&std::env::temp_dir());
    Ok(mirrors.iter().fold(home, |grounds, mirror| grounds.and_mirror(mirror.path.as_ref())))
}

fn search(grounds: &ScanRoots, identifiers: &[Text]) -> Result<Residue, Problem> {
    let sought: Vec<SearchTarget> = identifiers.iter().cloned().map(SearchTarget::Words).collect();
    let bar = progress::bytes(grounds.bytes(), "searching");
    let found = residue::scan(grounds, &sought, &clock::chance(), |passed| bar.inc(passed));
    bar.finish_and_clear();
    found.map_err(|error| refused(&error))
}

/// Prints the findings, and returns the exit status.
fn tell(found: &Residue, opened: Option<&ResidueAnswer>, output: &Output) -> Result<Exit, Problem> {
    let records: &[RecordResidue] = opened.map_or(&[], |answer| &answer.records);
    let mut table = Table::new(["place", "searched", "bytes", "hits", "in"]);
    for (place, own) in &found.places {
        let files: Vec<String> = own.found_in.iter().map(|file| file.path.display().to_string()).collect();
        let files = files.join(", ");
        table.push([
            place.as_str().into(),
            own.files.into(),
            own.bytes.into(),
            own.hits.into(),
            files.into(),
        ]);
    }
    for own in records {
        let place = format!("{}/{} {}, opened", own.tenant, own.persona, own.place);
        table.push([
            place.into(),
            own.opened.into(),
            Value::Null,
            own.hits.into(),
            own.ids.join(", ").into(),
        ]);
    }
    let hits = found.hits() + records.iter().map(|own| own.hits).sum::<u64>();
    let unreadable = opened.map_or(0, |answer| answer.unreadable);
    let verdict = if hits > 0 {
        Verdict::Found
    } else if unreadable > 0 {
        Verdict::Unproven
    } else {
        found.verdict()
    };
    let whole = json!({
        "verdict": verdict, "hits": hits, "places": found.places, "records": records,
        "unread": found.unread, "unreadable": unreadable, "selfTest": found.self_test,
    });
    output.one(&whole, &table, || table.aligned())?;
    explain(found, verdict, unreadable);
    Ok(match verdict {
        Verdict::Clean => Exit::Ok,
        Verdict::Found => Exit::VerificationFailed,
        Verdict::Unproven => Exit::Partial,
    })
}

fn explain(found: &Residue, verdict: Verdict, unreadable: u64) {
    let test = &found.self_test;
    report::note(format_args!(
        "{}: {} of {} canaries planted moments before were found",
        verdict.as_str(),
        test.found,
        test.planted
    ));
    if let Some(why) = &test.refused {
        report::note(why);
    }
    for unread in &found.unread {
        report::note(format_args!("not read: {}: {}", unread.path.display(), unread.why));
    }
    if unreadable > 0 {
        report::note(format_args!("{unreadable} records can't be opened; see `selfhood doctor`"));
    }
}

fn refused(error: &ResidueError) -> Problem {
    let code = match error {
        ResidueError::NoSuchPlace(_) => Code::NotFound,
        ResidueError::Nothing | ResidueError::TooLong(_) | ResidueError::TooMany(_) => Code::Usage,
        ResidueError::Randomness(_) => Code::IoFailed,
    };
    Problem::new(code, error.to_string())
}
