//! Encoding time by the length of a text, on one core. Run with `cargo bench -p encoders`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a benchmark talks to a person and may stop at once"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use encoders::word_pieces::pieces;
use encoders::{Encoder, Encoders};

/// The encoders that recall uses.
const FOR_RECALL: [Encoder; 2] = [Encoder::MiniLmRecall, Encoder::UseRecall];
/// The measured lengths, in word pieces.
const LENGTHS: [usize; 6] = [4, 8, 16, 32, 64, 126];
const ROUNDS: usize = 300;
const SENTENCES: &str = "my daughter is allergic to nuts and we moved to the old house by the river in spring because \
    her new school is near it and the dog likes to swim there every day after lunch when it is warm enough for him ";

fn main() {
    let start = Instant::now();
    let encoders = Encoders::built_in().unwrap();
    println!("loading: {}", show(start.elapsed()));
    for encoder in FOR_RECALL {
        let start = Instant::now();
        black_box(encoders.encode(encoder, "the first text reads pages"));
        println!("first text with {}: {}", encoder.name(), show(start.elapsed()));
    }
    measure_memories(&encoders);
    println!(
        "\n{:>6}  {:>10} {:>10}  {:>10} {:>10}  {:>10} {:>10}",
        "pieces", "MiniLM p50", "p99", "USE p50", "p99", "both p50", "texts/s"
    );
    for length in LENGTHS {
        measure(&encoders, length);
    }
}

/// The work of the background worker for one memory: the gist by both encoders, each detail by one.
fn measure_memories(encoders: &Encoders) {
    let (gist, details) = (text_of(16), [text_of(8), text_of(8)]);
    let (start, before) = (Instant::now(), processor_time());
    for _ in 0..ROUNDS {
        for encoder in FOR_RECALL {
            black_box(encoders.encode(encoder, black_box(&gist)));
        }
        for detail in &details {
            black_box(encoders.encode(Encoder::MiniLmRecall, black_box(detail)));
        }
    }
    let spent = processor_time().zip(before).map(|(after, before)| after.saturating_sub(before));
    println!("\nmemories of a gist of 16 pieces and two details of 8, English, one core:");
    for (clock, taken) in [("elapsed", Some(start.elapsed())), ("processor time", spent)] {
        let Some(taken) = taken else { continue };
        let each = taken.as_secs_f64() / ROUNDS as f64;
        let (texts, minutes) = ((1 + details.len()) as f64 / each, 50_000.0 * each / 60.0);
        println!(
            "{clock}: {:.0} memories/s, {texts:.0} texts/s; 50,000 memories in {minutes:.1} minutes",
            1.0 / each
        );
    }
}

/// The CPU time of this thread, which other work on the machine hardly changes; only available on Linux.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn measure(encoders: &Encoders, length: usize) {
    let text = text_of(length);
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (encoder, times) in FOR_RECALL.into_iter().zip(&mut times) {
            let start = Instant::now();
            black_box(encoders.encode(encoder, black_box(&text)));
            times.push(start.elapsed());
        }
    }
    let [minilm, use_multilingual] = times.map(percentiles);
    let both = minilm[0] + use_multilingual[0];
    println!(
        "{length:>6}  {:>10} {:>10}  {:>10} {:>10}  {:>10} {:>10.0}",
        show(minilm[0]),
        show(minilm[1]),
        show(use_multilingual[0]),
        show(use_multilingual[1]),
        show(both),
        1.0 / both.as_secs_f64()
    );
}

/// A text with so many word pieces; each of its words is one.
fn text_of(length: usize) -> String {
    let words: Vec<&str> = SENTENCES.split_whitespace().cycle().take(length).collect();
    let text = words.join(" ");
    assert_eq!(pieces(&text).len(), length);
    text
}

fn percentiles(mut times: Vec<Duration>) -> [Duration; 2] {
    times.sort_unstable();
    [times[times.len() / 2], times[times.len() * 99 / 100]]
}

fn show(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 1000.0 { format!("{micros:.0} µs") } else { format!("{:.2} ms", micros / 1000.0) }
}
