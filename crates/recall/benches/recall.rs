//! Benchmarks of recall, next to a bare scan of the same vectors in the same run.
//!
//! The two are alternated, so that a busy machine slows both; their ratio is what counts. The bare scan
//! reads all matrices with a row for each memory: the built-in table's, and with sentence vectors those of
//! both encoders. The vectors of memories are random, since encoding 50,000 texts takes minutes; those of
//! cues come from the real encoders, outside the measured time, and the time for encoding is printed
//! separately. Run with `cargo bench -p recall`, or `cargo bench -p recall -- 50000` for one size.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark talks to a person and may stop at once"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use domain::{Atom, Listener, MemoryId, MemoryPolicy, Timestamp, Tokens, example};
use recall::embed::embed;
use recall::index::{Entry, Index, Snapshot, meaning_of};
use recall::kernel::{self, Row};
use recall::sentences::{Encoder, Encoders, SentenceVectors};
use recall::{Biography, CueEncoder, Question, Request, SessionSoFar, recollect};

const SIZES: [usize; 5] = [1_000, 10_000, 50_000, 100_000, 1_000_000];

/// Which vectors the memories have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vectors {
    /// The built-in table's vector.
    Table,
    /// Also sentence vectors of the gist, by both encoders.
    Sentences,
    /// Also five cues, by one encoder.
    FiveCues,
}

fn main() {
    let asked: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if asked.is_empty() { SIZES.to_vec() } else { asked };
    measure_embedding();
    let encoder = CueEncoder::new(Encoders::built_in().unwrap());
    measure_encoding();
    println!(
        "\n{:>9} {:>10}  {:>9} {:>9}  {:>9} {:>9}  {:>6} {:>8}  {:>8} {:>7}",
        "memories", "vectors", "bare p50", "p99", "whole p50", "p99", "ratio", "p99/p50", "build", "B each"
    );
    for size in sizes {
        measure_size(size, Vectors::Table, &encoder);
        if size <= LARGEST_ENCODED {
            measure_size(size, Vectors::Sentences, &encoder);
            measure_size(size, Vectors::FiveCues, &encoder);
        }
    }
}

/// A million memories with five cues each would take four gigabytes.
const LARGEST_ENCODED: usize = 100_000;

fn measure_encoding() {
    let encoders = Encoders::built_in().unwrap();
    for encoder in [Encoder::MiniLmRecall, Encoder::UseRecall] {
        let cues: Vec<String> = (0..60).map(|n| question(&mut Chance(n))).collect();
        black_box(encoders.encode(encoder, "the first text maps the weights"));
        let times = cues.iter().map(|cue| timed(|| encoders.encode(encoder, cue))).collect();
        let [half, most] = percentiles(times);
        println!("{encoder:?}: {} for a cue of nine words, p99 {}", show(half), show(most));
    }
}

fn measure_embedding() {
    let texts: Vec<String> = (0..2_000).map(|n| sentence(&mut Chance(n))).collect();
    let first = timed(|| black_box(embed("the first text builds the vocabulary")));
    let total = timed(|| {
        for text in &texts {
            black_box(embed(text));
        }
    });
    let mean = total / u32::try_from(texts.len()).unwrap();
    println!("embed: first call {}, then {} for a short text", show(first), show(mean));
}

fn measure_size(size: usize, vectors: Vectors, encoder: &CueEncoder) {
    let mut index = Index::new("en");
    let mut build = Duration::ZERO;
    for first in (0..size).step_by(1_000) {
        let numbers = first..size.min(first + 1_000);
        let atoms: Vec<(Atom, Option<SentenceVectors>)> =
            numbers.map(|n| (atom(n as u64), sentence_vectors(n as u64, vectors))).collect();
        build += timed(|| {
            index.put(atoms.iter().map(|(atom, sentences)| Entry {
                atom,
                meaning: meaning_of(atom),
                sentences: sentences.clone(),
            }));
        });
    }
    let snapshot = index.snapshot();
    let rounds = (20_000_000 / (size + 10_000)).clamp(40, 1_000);
    let encoder = (vectors != Vectors::Table).then_some(encoder);
    let (mut bare, mut whole) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        // Few enough to stay in the encoder's cache: encoding is measured separately.
        let cue = question(&mut Chance((round % CUES) as u64 + 7_777_777));
        if round < CUES {
            ask(&snapshot, &cue, encoder);
        }
        bare.push(timed(|| scan(&snapshot, &cue)));
        whole.push(timed(|| ask(&snapshot, &cue, encoder)));
    }
    let ([bare_half, bare_most], [half, most]) = (percentiles(bare), percentiles(whole));
    println!(
        "{size:>9} {:>10}  {:>9} {:>9}  {:>9} {:>9}  {:>5.2}× {:>7.2}×  {:>8} {:>7}",
        format!("{vectors:?}"),
        show(bare_half),
        show(bare_most),
        show(half),
        show(most),
        half.as_secs_f64() / bare_half.as_secs_f64(),
        most.as_secs_f64() / half.as_secs_f64(),
        show(build),
        index.bytes() / size,
    );
}

/// The number of different cues.
const CUES: usize = 40;

/// The lower bound: one dot product for every row of every matrix, and nothing else.
fn scan(snapshot: &Snapshot, cue: &str) -> i64 {
    let (query, _) = embed(cue).quantised();
    let (minilm, multilingual) = (Row::<384>::from_fn(|_| 3), Row::<512>::from_fn(|_| 3));
    let mut dots = [0; 1024];
    let mut sum = 0;
    for rows in snapshot.vectors().flat_map(|rows| rows.chunks(1024)) {
        kernel::dots(&query, rows, &mut dots);
        sum += i64::from(dots[0]);
    }
    for (minilm_rows, multilingual_rows) in snapshot.sentence_vectors() {
        kernel::dots(&minilm, minilm_rows, &mut dots);
        sum += i64::from(dots[0]);
        kernel::dots(&multilingual, multilingual_rows, &mut dots);
        sum += i64::from(dots[0]);
    }
    black_box(sum)
}

/// The whole pipeline: from the cue to the rendered section.
fn ask(snapshot: &Snapshot, cue: &str, encoder: Option<&CueEncoder>) -> usize {
    let (listener, policy, session) = (Listener::default(), MemoryPolicy::default(), SessionSoFar::default());
    let recollection = recollect(&Request {
        question: Question {
            cue,
            topics: &[],
            listener: &listener,
            policy: &policy,
            now: example::day(10),
            encoder,
        },
        memories: snapshot,
        life: &Biography::default(),
        session: &session,
        most: None,
        window: Tokens(8192),
        about: "about this guest, this property, your work",
        selected: None,
    });
    black_box(recollection.rendered.len())
}

/// Random sentence vectors of a memory, in their stored form.
fn sentence_vectors(n: u64, vectors: Vectors) -> Option<SentenceVectors> {
    let cues = match vectors {
        Vectors::Table => return None,
        Vectors::Sentences => 0,
        Vectors::FiveCues => 5,
    };
    let mut chance = Chance(n ^ 0x5eed);
    let mut bytes = vec![1; 9];
    let parts = [[0, 0, 0], [0, 0, 1]].into_iter().chain((0..cues).map(|cue| [2, cue, 0]));
    for head in parts {
        let dimensions = if head[2] == 0 { 384_usize } else { 512 };
        bytes.extend(head);
        bytes.extend(0.001_f32.to_le_bytes());
        bytes.extend((0..dimensions / 8).flat_map(|_| chance.next().to_le_bytes()));
    }
    Some(SentenceVectors::from_bytes(&bytes).unwrap())
}

fn atom(n: u64) -> Atom {
    let mut chance = Chance(n);
    let mut atom = example::plain_atom(&sentence(&mut chance));
    let age = i64::try_from(chance.below(30 * 86_400)).unwrap() * 1000;
    atom.id = MemoryId::from_u64(n);
    atom.created_at = Timestamp::from_millis(example::day(9).as_millis() - age);
    atom.last_rehearsed_at = atom.created_at;
    atom.provenance.session_id = format!("sess:{}", n / 20).parse().unwrap();
    atom.provenance.turn_index = u32::try_from(n % 20).unwrap();
    atom.subject = ["guest:ana", "guest:bogdan"][(n % 2) as usize].parse().ok();
    atom
}

/// About a hundred characters, with word frequencies as in a natural language.
fn sentence(chance: &mut Chance) -> String {
    let words: Vec<&str> = (0..17).map(|_| chance.word()).collect();
    words.join(" ")
}

/// A cue of typical length.
fn question(chance: &mut Chance) -> String {
    let words: Vec<&str> = (0..9).map(|_| chance.word()).collect();
    words.join(" ")
}

struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 11
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    /// A word of the vocabulary, the n-th with a probability of about one in n.
    fn word(&mut self) -> &'static str {
        static WORDS: std::sync::LazyLock<Vec<&str>> = std::sync::LazyLock::new(|| {
            let file = include_str!("../../../model/vocab.txt");
            file.lines()
                .filter(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase()))
                .collect()
        });
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rank of a word"
        )]
        let rank = ((WORDS.len() as f64).powf(self.below(1_000_000) as f64 / 1e6) - 1.0) as usize;
        WORDS[rank.min(WORDS.len() - 1)]
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn percentiles(mut times: Vec<Duration>) -> [Duration; 2] {
    times.sort_unstable();
    [times[times.len() / 2], times[times.len() * 99 / 100]]
}

fn show(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 1000.0 { format!("{micros:.1} µs") } else { format!("{:.2} ms", micros / 1000.0) }
}
