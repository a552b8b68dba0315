//! `selfhood import`: imports from other programs and personas, in batches of lines.

mod sending;
mod source;
mod undo;

use std::io::{self, BufRead, BufReader, IsTerminal as _, Read};
use std::thread::sleep;
use std::time::Duration;

use formats::{Broken, Format, Record, Source};
use wire::persona::PersonaDetails;
use wire::vectors::VectorProgress;
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::Import;
use crate::command::CommandContext;
use crate::home_client::VECTORS_TO_FINISH;
use crate::request::Request;
use crate::{progress, report, resolve};

pub(crate) use sending::{Sending, Terms};
use source::{DetectedFile, Sources};

/// How often the progress of sentence vectors is checked, and after how many checks without progress that is
/// reported.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
const LOOKS_IN_VAIN: u32 = 120;

/// Imports everything that is new and allowed.
pub(crate) fn run(asked: &Import, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    if asked.list {
        return undo::list(&persona, context);
    }
    if let Some(id) = &asked.undo {
        return undo::undo(asked, id, &persona, context);
    }
    let file = asked.file.as_deref().unwrap_or("-");
    let mut sources = Sources::open(file, asked.format.as_deref().and_then(Format::named))?;
    let about: PersonaDetails = context.client.ask(Request::<verb::ShowPersona>::to(&[&persona])?)?;
    let names = [about.persona.name.to_string(), about.persona.display_name.clone()];
    let people: Vec<String> =
        [about.persona.tenant_id.to_string()].into_iter().chain(asked.subject.clone()).collect();
    let bar = sources
        .bytes()
        .map_or_else(|| progress::waiting("importing"), |all| progress::bytes(all, "importing"));
    let terms = Terms {
        persona: &persona,
        subject: asked.subject.as_deref(),
        dry_run: asked.dry_run,
        moving: false,
        allow_out_of_order: asked.allow_out_of_order,
    };
    let mut sending = Sending::new(context.client, terms)?;
    let is_single = sources.is_single();
    while let Some(found) = sources.next_found()? {
        let DetectedFile { name, format, mut reader } = found;
        sending.begin_file(if is_single { own_name(&name) } else { &name }, format);
        let source = Source {
            name: &name,
            persona: &names,
            people: &people,
            timezone: Some(&about.document.identity.timezone),
        };
        let mut counted = BufReader::with_capacity(64 << 10, bar.wrap_read(&mut reader));
        read(format, &mut counted, &source, &mut sending)?;
    }
    let total = sending.finish()?;
    bar.finish_and_clear();
    total.print(context, &sources.left_out())?;
    if !asked.dry_run && total.answer.memories + total.answer.events > 0 {
        follow_vectors(asked, &persona, context)?;
    }
    Ok(if total.refused.is_empty() { Exit::Ok } else { Exit::Partial })
}

/// The name of a file without its folders; the standard input has none.
fn own_name(path: &str) -> &str {
    if path == "-" { "" } else { path.rsplit('/').next().unwrap_or(path) }
}

/// Reads one file. An unreadable rest is reported with its position; what was read before it is kept.
fn read(
    format: Format,
    reader: &mut dyn BufRead,
    source: &Source<'_>,
    sending: &mut Sending<'_>,
) -> Result<(), Problem> {
    let mut failed = None;
    let mut sink = |record: Record| {
        sending.take(record).map_err(|problem| {
            failed = Some(problem);
            Broken::Stopped
        })
    };
    let read = format.reader()(reader, source, &mut sink);
    match (failed, read) {
        (Some(problem), _) => Err(problem),
        (None, Ok(())) => Ok(()),
        (None, Err(broken)) => {
            sending.refuse_rest(&broken);
            Ok(())
        }
    }
}

/// On a terminal, shows the progress of the sentence vectors; otherwise says that they follow.
fn follow_vectors(asked: &Import, persona: &str, context: &CommandContext<'_>) -> Result<(), Problem> {
    let look = || -> Result<VectorProgress, Problem> {
        context.client.ask(Request::<verb::VectorProgress>::to(&[persona])?)
    };
    let mut progress = look()?;
    if asked.no_wait || !io::stderr().is_terminal() {
        if progress.left() > VECTORS_TO_FINISH {
            report::note(format!("the sentence vectors of {} memories and events follow", progress.left()));
        }
        return Ok(());
    }
    let bar = progress::counted(progress.of, "vectors:");
    let mut looks_in_vain = 0;
    while progress.left() > 0 && looks_in_vain < LOOKS_IN_VAIN {
        sleep(BETWEEN_LOOKS);
        let now = look()?;
        looks_in_vain = if now.made > progress.made { 0 } else { looks_in_vain + 1 };
        progress = now;
        bar.set_length(progress.of as u64);
        bar.set_position(progress.made as u64);
    }
    bar.finish_and_clear();
    if progress.left() > 0 {
        report::note("the sentence vectors make no progress; see `selfhood doctor`");
    }
    Ok(())
}

/// The problem of a file that can't be read.
pub(crate) fn unreadable(file: &str, error: &io::Error) -> Problem {
    let code = if error.kind() == io::ErrorKind::NotFound { Code::NotFound } else { Code::IoFailed };
    Problem::new(code, format!("can't read {file}: {error}"))
}

/// The beginning of a source, as much as format detection needs.
pub(crate) fn head_of(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    reader.take(formats::HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}
