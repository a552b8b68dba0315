//! Talk under load: what a persona with 50,000 memories adds before a model is asked, and 64 answers
//! streamed at once. Prints the tables of `docs/speed.md`.
//!
//! The model is a server of our own that answers at once, so that what is measured is ours. Beside
//! every time stands that of asking the model directly, in the same run.

mod client;
mod upstream;

use std::thread;
use std::time::{Duration, Instant};

use crate::load::filled;
use crate::stage::{ChoreResult, Profile, Serving, Stage, processor_millis};
use client::{Ask, asked};
use upstream::{Upstream, WORDS};

/// How many questions are asked one after the other.
const QUESTIONS: usize = 300;
/// How many answers are streamed at once, and how often that is done.
const AT_ONCE: usize = 64;
const WAVES: usize = 3;
/// How long after an answer the next question is asked: memories are formed, rehearsals and traces are written.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(150);

/// Measures and prints; says whether everything could be measured and no word was lost.
pub(crate) fn run(profile: Profile) -> bool {
    match measured(profile) {
        Ok(()) => true,
        Err(why) => {
            eprintln!("streams: {why}");
            false
        }
    }
}

fn measured(profile: Profile) -> ChoreResult<()> {
    let upstream = Upstream::start()?;
    let stage = Stage::new("streams", profile)?;
    stage.run(&["init"])?;
    println!("| what | measured | target |\n|---|---|---|");
    filled(&stage)?;
    stage.add_settings(&format!(
        "[models.parrot]\nkind = \"openai\"\nbase_url = \"http://{}/v1\"\nmodel = \"parrot\"\n\
         [models.none]\nkind = \"offline\"\n\
         [roles.chat]\nmodel = \"parrot\"\n[roles.formation]\nmodel = \"none\"\n",
        upstream.address
    ))?;
    let key = stage.run(&["key", "new", "--scope", "read,write", "-o", "quiet"])?;
    let serving = stage.serve()?;
    before_the_first_byte(&upstream, &serving, &key)?;
    at_once(&upstream, &serving, &key)
}

/// What lies between a question and the first byte of it that the model sees: with us, and without.
fn before_the_first_byte(upstream: &Upstream, serving: &Serving, key: &str) -> ChoreResult<()> {
    upstream.watch(serving.id());
    let (mut with_us, mut bare, mut used) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..QUESTIONS {
        for (address, times) in [(&serving.address, &mut with_us), (&upstream.address, &mut bare)] {
            let ask = Ask { address, key, number, session: format!("one-{number}") };
            let before = processor_millis(serving.id());
            let (sent, text) = asked(&ask)?;
            let seen = upstream.seen()?;
            if text != *WORDS {
                return Err(format!("question {number} was answered with {} characters", text.len()));
            }
            times.push(seen.at.saturating_duration_since(sent));
            if address == &serving.address {
                used.extend(seen.used.zip(before).map(|(after, before)| after - before));
            }
        }
        // The follow-up work of an answer must not be counted to the next question.
        thread::sleep(BETWEEN_QUESTIONS);
    }
    used.sort_by(f64::total_cmp);
    if let Some(middle) = used.get(used.len() / 2) {
        println!(
            "| processor time from a question to its first byte at the model, p50 | {middle:.2} ms | ≤ 2.5 ms and the encoders |"
        );
    }
    let (with_us, bare) = (Spread::of(with_us), Spread::of(bare));
    println!(
        "| from a question over HTTP to its first byte at the model, 50,000 memories, p50 / p99 of {QUESTIONS} | \
         {:.2} / {:.2} ms ({:.1} × asking the model directly: {:.2} / {:.2} ms) | p50 ≤ 3 ms and the encoders |",
        with_us.p50,
        with_us.p99,
        with_us.p50 / bare.p50,
        bare.p50,
        bare.p99
    );
    Ok(())
}

/// Streams many answers at once, and counts every word of them.
fn at_once(upstream: &Upstream, serving: &Serving, key: &str) -> ChoreResult<()> {
    let started = Instant::now();
    let mut lost = 0;
    for wave in 0..WAVES {
        let answers: Vec<ChoreResult<(Instant, String)>> = thread::scope(|scope| {
            let asking = |number: usize| {
                let session = format!("wave-{wave}-{number}");
                scope.spawn(move || asked(&Ask { address: &serving.address, key, number, session }))
            };
            let waiting: Vec<_> = (0..AT_ONCE).map(asking).collect();
            waiting.into_iter().map(|it| it.join().unwrap_or(Err("a client broke".to_owned()))).collect()
        });
        for answer in answers {
            lost += usize::from(answer?.1 != *WORDS);
            upstream.seen()?;
        }
    }
    let took = started.elapsed().as_secs_f64();
    let pieces = WAVES * AT_ONCE * upstream::PIECES;
    println!(
        "| {AT_ONCE} answers of {} pieces streamed at once, {WAVES} times | {:.0} pieces/s, {lost} answers \
         incomplete | 0 incomplete |",
        upstream::PIECES,
        f64::from(u32::try_from(pieces).unwrap_or(u32::MAX)) / took
    );
    if lost == 0 { Ok(()) } else { Err(format!("{lost} answers are incomplete")) }
}

/// The middle and the far end of some times, in milliseconds.
struct Spread {
    p50: f64,
    p99: f64,
}

impl Spread {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |share: usize| times.get(times.len() * share / 100).map_or(0.0, |it| it.as_secs_f64() * 1e3);
        Self { p50: at(50), p99: at(99) }
    }
}
