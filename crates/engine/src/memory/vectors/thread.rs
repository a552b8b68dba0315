//! The one thread that encodes texts: separate from the workers that answer requests and, in a server,
//! with the lowest priority.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, mpsc};

use domain::{Atom, TimelineEntry, Timestamp};
use recall::sentences::{Encoders, SentenceVectors};
use store::RecordId;
use tokio::sync::oneshot;

/// A record whose texts are to be encoded.
pub(super) enum Texts {
    Atom(Box<Atom>),
    Entry(Box<TimelineEntry>),
}

/// A handle on the thread, which starts when it is first needed and ends with the handle.
#[derive(Default)]
pub(super) struct EncodingThread {
    groups: OnceLock<Option<mpsc::SyncSender<Group>>>,
    /// How often the thread was interrupted; a group ends when this number changes.
    interruptions: Arc<AtomicU64>,
    /// Whether the thread runs with the lowest priority.
    yields: Arc<AtomicBool>,
    /// Held while the thread has texts.
    encoding: tokio::sync::Mutex<()>,
}

/// The vectors of a group; `None` if it was interrupted.
pub(super) type GroupVectors = Option<Vec<(RecordId, SentenceVectors)>>;

struct Group {
    texts: Vec<Texts>,
    language: String,
    encoders: Encoders,
    interruptions: u64,
    answer: oneshot::Sender<GroupVectors>,
}

impl EncodingThread {
    /// How often the thread was interrupted so far.
    pub(super) fn interruptions(&self) -> u64 {
        self.interruptions.load(Ordering::Acquire)
    }

    /// The vectors of `texts`, unless the thread was interrupted since `interruptions` was read.
    pub(super) async fn encode(
        &self,
        texts: Vec<Texts>,
        language: &str,
        encoders: &Encoders,
        interruptions: u64,
    ) -> GroupVectors {
        let _has_texts = self.encoding.lock().await;
        let (answer, made) = oneshot::channel();
        let (language, encoders) = (language.to_owned(), encoders.clone());
        let group = Group { texts, language, encoders, interruptions, answer };
        let groups =
            self.groups.get_or_init(|| start(Arc::clone(&self.interruptions), Arc::clone(&self.yields)));
        let is_sent = groups.as_ref().is_some_and(|groups| groups.try_send(group).is_ok());
        // Without a thread nothing was interrupted, and an immediate retry would fail too.
        if is_sent { made.await.ok().flatten() } else { Some(Vec::new()) }
    }

    /// Lowers the thread's priority from the next group on.
    pub(super) fn yield_to_requests(&self) {
        self.yields.store(true, Ordering::Release);
    }

    /// Stops the current group, and waits until the thread holds none of its texts.
    pub(super) async fn interrupt(&self) {
        self.interruptions.fetch_add(1, Ordering::AcqRel);
        drop(self.encoding.lock().await);
    }
}

impl Texts {
    /// When the record was written.
    pub(super) fn written_at(&self) -> Timestamp {
        match self {
            Self::Atom(atom) => atom.created_at,
            Self::Entry(entry) => entry.created_at,
        }
    }

    fn encoded(&self, language: &str, encoders: &Encoders) -> (RecordId, SentenceVectors) {
        match self {
            Self::Atom(atom) => (RecordId::Atom(atom.id), SentenceVectors::of_atom(atom, language, encoders)),
            Self::Entry(entry) => {
                (RecordId::Entry(entry.id), SentenceVectors::of_entry(entry, language, encoders))
            }
        }
    }
}

fn start(interruptions: Arc<AtomicU64>, yields: Arc<AtomicBool>) -> Option<mpsc::SyncSender<Group>> {
    let (groups, waiting) = mpsc::sync_channel(1);
    let thread = std::thread::Builder::new().name("vectors".to_owned());
    match thread.spawn(move || work(&waiting, &interruptions, &yields)) {
        Ok(_) => Some(groups),
        Err(error) => {
            tracing::error!(%error, "the system gave no thread for sentence vectors");
            None
        }
    }
}

fn work(groups: &mpsc::Receiver<Group>, interrupted: &AtomicU64, yields: &AtomicBool) {
    let mut has_yielded = false;
    while let Ok(Group { texts, language, encoders, interruptions, answer }) = groups.recv() {
        if yields.load(Ordering::Acquire) && !has_yielded {
            lower_priority();
            has_yielded = true;
        }
        let encoded = texts.into_iter().map(|record| {
            std::thread::yield_now();
            let goes_on = interrupted.load(Ordering::Acquire) == interruptions;
            goes_on.then(|| record.encoded(&language, &encoders))
        });
        // At shutdown the receiver may be gone.
        let _ = answer.send(encoded.collect());
    }
}

/// On Linux this lowers the priority of the calling thread only; other systems would lower that of the
/// whole process.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(19) {
        tracing::debug!(%error, "the thread for sentence vectors keeps its priority");
    }
}
