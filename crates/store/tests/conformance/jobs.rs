//! Recurring jobs: each due run is executed by one process, and missed runs are not repeated.

use domain::{Timestamp, example};
use serde_json::json;
use store::{
    Conflict, Decision, Deletion, Deployment, DeploymentChange, Job, JobKey, JobLease, JobName, JobOutcome,
    JobPause, JobRun, StoreError, Upkeep,
};
use uuid::Uuid;

use crate::world::{World, in_every_world, make_persona};

const ONE: Uuid = Uuid::from_u128(1);
const OTHER: Uuid = Uuid::from_u128(2);

fn key(world: &World) -> JobKey {
    JobKey { persona: world.scope.persona, name: "distill-short".parse().unwrap() }
}

fn lease(holder: Uuid, due: i64, until: i64) -> JobLease {
    JobLease { holder, due: example::day(due), until: example::day(until) }
}

fn run(due: i64) -> JobRun {
    let (started_at, finished_at) = (example::day(due), example::day(due));
    let report = json!({ "subjects": 2 });
    JobRun { due: example::day(due), started_at, finished_at, outcome: JobOutcome::Done, report }
}

async fn decide(world: &World, now: Timestamp, changes: Vec<DeploymentChange>) -> Result<(), StoreError> {
    let tenant = world.scope.tenant.clone();
    world.store.decide(Decision { now, tenant, changes, events: Vec::new() }).await.map(drop)
}

async fn the_job(world: &World) -> Job {
    let jobs = world.store.jobs(&world.scope.tenant).await.unwrap();
    assert_eq!(jobs.len(), 1);
    jobs.into_iter().next().unwrap()
}

fn is_taken(refused: &Result<(), StoreError>) -> bool {
    matches!(refused, Err(StoreError::Conflict(Conflict::JobTaken(_))))
}

#[test]
fn a_run_that_was_due_is_leased_to_one_settled_by_that_one_and_never_run_again() {
    in_every_world(|world| async move {
        let key = key(&world);
        let take = |lease: JobLease| vec![DeploymentChange::LeaseJob(key.clone(), lease)];
        let scheduled = DeploymentChange::ScheduleJob(key.clone(), "daily:03:00".into());
        decide(&world, example::day(0), vec![scheduled]).await.unwrap();
        decide(&world, example::day(1), take(lease(ONE, 1, 3))).await.unwrap();
        decide(&world, example::day(2), take(lease(ONE, 1, 4))).await.unwrap();
        assert!(is_taken(&decide(&world, example::day(3), take(lease(OTHER, 1, 9))).await));
        let settled = |holder, run| vec![DeploymentChange::FinishJob(key.clone(), holder, run)];
        assert!(is_taken(&decide(&world, example::day(3), settled(OTHER, run(1))).await));
        let world = world.reopened().await;
        assert_eq!(the_job(&world).await.lease, Some(lease(ONE, 1, 4)), "the longer lease is kept");
        decide(&world, example::day(3), settled(ONE, run(1))).await.unwrap();
        for holder in [ONE, OTHER] {
            assert!(is_taken(&decide(&world, example::day(9), take(lease(holder, 1, 10))).await));
        }
        decide(&world, example::day(9), take(lease(OTHER, 8, 10))).await.unwrap();
        let world = world.reopened().await;
        let job = the_job(&world).await;
        assert_eq!((job.last, job.lease), (Some(run(1)), Some(lease(OTHER, 8, 10))));
        assert!(world.store.deployment_integrity().await.unwrap().is_whole());
    });
}

#[test]
fn a_lease_that_ran_out_goes_to_the_next_and_its_holder_comes_too_late() {
    in_every_world(|world| async move {
        let key = key(&world);
        let scheduled = DeploymentChange::ScheduleJob(key.clone(), "daily:03:00".into());
        let first = DeploymentChange::LeaseJob(key.clone(), lease(ONE, 1, 2));
        decide(&world, example::day(0), vec![scheduled, first]).await.unwrap();
        let second = DeploymentChange::LeaseJob(key.clone(), lease(OTHER, 1, 9));
        decide(&world, example::day(2), vec![second]).await.unwrap();
        let late = DeploymentChange::FinishJob(key, ONE, run(1));
        assert!(is_taken(&decide(&world, example::day(3), vec![late]).await));
    });
}

#[test]
fn a_new_schedule_and_a_pause_that_ended_owe_nothing_from_before() {
    in_every_world(|world| async move {
        let key = key(&world);
        let scheduled = |when: &str| vec![DeploymentChange::ScheduleJob(key.clone(), when.into())];
        let paused = |pause| vec![DeploymentChange::PauseJob(key.clone(), pause)];
        for (day, changes, since, paused_at) in [
            (1, scheduled("daily:03:00"), 1, None),
            (2, scheduled("daily:03:00"), 1, None),
            (3, scheduled("daily:04:00"), 3, None),
            (4, paused(JobPause::Running), 3, None),
            (5, paused(JobPause::Paused), 3, Some(5)),
            (6, paused(JobPause::Paused), 3, Some(5)),
            (7, paused(JobPause::Running), 7, None),
        ] {
            decide(&world, example::day(day), changes).await.unwrap();
            let job = the_job(&world).await;
            assert_eq!(
                (job.covered(), job.paused_at),
                (example::day(since), paused_at.map(example::day)),
                "day {day}"
            );
        }
    });
}

#[test]
fn jobs_are_their_tenants_own_and_go_with_their_persona() {
    in_every_world(|world| async move {
        let key = key(&world);
        let unknown = DeploymentChange::LeaseJob(key.clone(), lease(ONE, 1, 2));
        assert!(matches!(
            decide(&world, example::day(0), vec![unknown]).await,
            Err(StoreError::NotFound { .. })
        ));
        let kept = make_persona(&world.store, "marriott", "river", 2).await;
        let other = JobKey { persona: kept.persona, name: key.name.clone() };
        let cron = JobKey { persona: kept.persona, name: "cron-00ff".parse().unwrap() };
        let schedule = |key: &JobKey| DeploymentChange::ScheduleJob(key.clone(), "hourly".into());
        decide(&world, example::day(0), vec![schedule(&key), schedule(&other), schedule(&cron)])
            .await
            .unwrap();
        decide(&world, example::day(0), vec![DeploymentChange::DropJob(cron)]).await.unwrap();
        assert!(world.store.jobs(&"hilton".parse().unwrap()).await.unwrap().is_empty());
        let (scope, now) = (world.scope.clone(), example::day(1));
        world.store.delete_persona(Deletion { scope, now, events: Vec::new() }).await.unwrap();
        assert_eq!(the_job(&world).await.key, other);
    });
}

#[test]
fn words_of_people_are_no_names_of_jobs() {
    for wrong in ["", "call Ana", "ana@example.org", "Ünal", &"x".repeat(65)] {
        assert!(wrong.parse::<JobName>().is_err(), "{wrong}");
    }
}
