//! Runs CPU-heavy work on blocking threads, so that no async worker waits for it.
//!
//! One job per persona runs at a time, and one tenant uses at most half of the slots, so a tenant with much
//! work waits for itself and leaves the other slots to others. A job whose caller has gone is cancelled; it
//! keeps its slot until it has stopped, or a caller who connects and disconnects could run any number of
//! them.

use std::sync::Arc;

use domain::{PersonaId, TenantName};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use wire::{Code, Problem};

use crate::keyed_locks::{KeyedGuard, KeyedLocks};

/// Slots for CPU-heavy work.
pub(crate) struct CpuPool {
    places: Arc<Semaphore>,
    tenants: KeyedLocks<TenantName>,
    personas: KeyedLocks<PersonaId>,
}

/// The tenant and persona of a job, which decide what it waits for.
#[derive(Clone, Debug)]
pub(crate) struct CpuOwner {
    pub(crate) tenant: TenantName,
    /// The persona, if the job is about one.
    pub(crate) persona: Option<PersonaId>,
}

/// Signals a job that nobody waits for its result.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(CancellationToken);

impl Cancellation {
    /// Whether the job should stop. Cheap enough for a loop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// A job that gave no result: it panicked, or the process is stopping.
#[derive(Debug)]
pub(crate) struct JobFailed;

impl From<JobFailed> for Problem {
    fn from(_: JobFailed) -> Self {
        Self::new(Code::Internal, "the work failed; see the log")
    }
}

/// What a job holds while it runs.
struct JobSlot {
    _tenant: KeyedGuard,
    _persona: Option<KeyedGuard>,
    _permit: OwnedSemaphorePermit,
}

impl Default for CpuPool {
    /// As many slots as the machine has processors, and at least two: one tenant never takes the only one.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self::with_places(processors.max(2))
    }
}

impl CpuPool {
    fn with_places(places: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places)),
            tenants: KeyedLocks::with_holders(places / 2),
            personas: KeyedLocks::default(),
        }
    }

    /// Runs `work` for `owner`. Dropping the future cancels the work.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        owner: CpuOwner,
        work: impl FnOnce(&Cancellation) -> T + Send + 'static,
    ) -> Result<T, JobFailed> {
        if is_switched_off() {
            return Ok(work(&Cancellation::default()));
        }
        let place = self.place(owner).await?;
        let cancellation = Cancellation::default();
        let _when_dropped = cancellation.0.clone().drop_guard();
        let job = tokio::task::spawn_blocking(move || {
            let _place = place;
            work(&cancellation)
        });
        job.await.map_err(|_| JobFailed)
    }

    /// The locks come before the permit: a job that waits for a lock takes no slot.
    async fn place(&self, owner: CpuOwner) -> Result<JobSlot, JobFailed> {
        let persona = match owner.persona {
            Some(persona) => Some(self.personas.lock(persona).await),
            None => None,
        };
        let tenant = self.tenants.lock(owner.tenant).await;
        let permit = Arc::clone(&self.places).acquire_owned().await.map_err(|_| JobFailed)?;
        Ok(JobSlot { _tenant: tenant, _persona: persona, _permit: permit })
    }
}

/// For the control run of the load test: everything runs on the calling task.
fn is_switched_off() -> bool {
    cfg!(feature = "broken") && std::env::var("TRUST_BROKEN").is_ok_and(|named| named == "caps")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::Duration;

    use tokio::time::{sleep, timeout};

    use super::*;

    fn owner(tenant: &str) -> CpuOwner {
        CpuOwner { tenant: tenant.parse().unwrap(), persona: None }
    }

    #[tokio::test]
    async fn one_tenant_has_half_of_the_places_and_another_tenant_does_not_wait_for_it() {
        let (pool, running, most) =
            (Arc::new(CpuPool::with_places(2)), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let jobs: Vec<_> = (0..4)
            .map(|_| {
                let (pool, running, most) = (Arc::clone(&pool), Arc::clone(&running), Arc::clone(&most));
                tokio::spawn(async move {
                    let work = move |_: &Cancellation| {
                        most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::sleep(Duration::from_millis(50));
                        running.fetch_sub(1, Ordering::SeqCst);
                    };
                    pool.run(owner("ana"), work).await.unwrap();
                })
            })
            .collect();
        sleep(Duration::from_millis(10)).await;
        let other = timeout(Duration::from_millis(45), pool.run(owner("ben"), |_| 7)).await;
        assert_eq!(other.unwrap().unwrap(), 7);
        for job in jobs {
            job.await.unwrap();
        }
        assert_eq!(most.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn a_job_whose_caller_left_is_cancelled_and_keeps_its_slot_until_it_stops() {
        let (pool, ended) = (CpuPool::with_places(2), Arc::new(AtomicBool::new(false)));
        let at_the_end = Arc::clone(&ended);
        let endless = move |cancellation: &Cancellation| {
            while !cancellation.is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(30));
            at_the_end.store(true, Ordering::SeqCst);
        };
        assert!(timeout(Duration::from_millis(30), pool.run(owner("ana"), endless)).await.is_err());
        assert!(!ended.load(Ordering::SeqCst));
        let next = pool.run(owner("ana"), move |_| ended.load(Ordering::SeqCst)).await.unwrap();
        assert!(next, "the next job began only after the cancelled one had ended");
    }
}
