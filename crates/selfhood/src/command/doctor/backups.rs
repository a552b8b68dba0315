//! The age of the newest scheduled backup.

use domain::Timestamp;
use wire::doctor::Check;

use crate::backups::BackupStorage;
use crate::clock;
use crate::config::Settings;

const CHECK: &str = "backups";
const MILLIS_PER_HOUR: i64 = 3_600_000;
/// A backup is late when the next one should have been made twice over.
const LATE: f64 = 2.0;

/// Checks the newest scheduled backup; nothing without a schedule.
pub(super) async fn examine(settings: &Settings) -> Vec<Check> {
    let backup_storage = match BackupStorage::of(settings) {
        Ok(None) => return Vec::new(),
        Ok(Some(backup_storage)) => backup_storage,
        Err(problem) => return vec![Check::fail(CHECK, problem.detail, "correct the setting `backup.to`")],
    };
    match backup_storage.list().await {
        Err(problem) => {
            let way_out = "see that the place can be reached; until then no backup is made";
            vec![Check::fail(CHECK, problem.detail, way_out)]
        }
        Ok(kept) => {
            let newest = kept.last().map(|backup| (backup.place.as_str(), backup.made_at));
            vec![judge(newest, backup_storage.every_days(), clock::now())]
        }
    }
}

fn judge(newest: Option<(&str, Timestamp)>, every_days: f64, now: Timestamp) -> Check {
    let way_out = "backups are made while `selfhood serve` runs, and its log says why one failed";
    let Some((place, made_at)) = newest else {
        return Check::warn(CHECK, "there is no backup yet", way_out);
    };
    let hours = (now.as_millis() - made_at.as_millis()) / MILLIS_PER_HOUR;
    let age = if hours < 48 { format!("{hours} hours") } else { format!("{} days", hours / 24) };
    #[expect(clippy::cast_precision_loss, reason = "hours of an age")]
    let is_late = hours as f64 > every_days * 24.0 * LATE;
    if is_late {
        Check::warn(CHECK, format!("the newest backup is {age} old"), way_out).about(place)
    } else {
        Check::ok(CHECK, format!("the newest backup is {age} old; `selfhood backup drill` tests it"))
            .about(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::example;
    use wire::doctor::Outcome;

    #[test]
    fn a_backup_is_late_once_two_should_have_been_made() {
        let judged = |day| judge(Some(("a", example::day(0))), 1.0, example::day(day));
        assert_eq!((judged(0).outcome, judged(2).outcome), (Outcome::Ok, Outcome::Ok));
        let late = judged(3);
        assert_eq!((late.outcome, late.detail.as_str()), (Outcome::Warn, "the newest backup is 3 days old"));
        assert_eq!(judge(None, 1.0, example::day(0)).outcome, Outcome::Warn);
    }
}
