//! Erasure requests: the states of the job, and its deadlines.

use jiff::ToSpan as _;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ForgettingDeadlines, Timestamp};

/// The status of an erasure request. Each status but the last two leads to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ErasureStatus {
    /// It was received.
    Received,
    /// Its receipt was acknowledged to the requester.
    Acknowledged,
    /// The records to erase are known.
    Gathered,
    /// An operator signed the list of records.
    Signed,
    /// The records are being destroyed.
    Executing,
    /// They are destroyed, and a residue scan is running.
    Verifying,
    /// They are destroyed, and that is verified.
    Done,
    /// Something is left, or could not be verified; a person must look into it.
    Partial,
    /// It was withdrawn before anything was destroyed.
    Withdrawn,
}

impl ErasureStatus {
    /// Every status, in the order a job goes through them.
    pub const ALL: [Self; 9] = [
        Self::Received,
        Self::Acknowledged,
        Self::Gathered,
        Self::Signed,
        Self::Executing,
        Self::Verifying,
        Self::Done,
        Self::Partial,
        Self::Withdrawn,
    ];

    /// The name used in every interface.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Acknowledged => "acknowledged",
            Self::Gathered => "gathered",
            Self::Signed => "signed",
            Self::Executing => "executing",
            Self::Verifying => "verifying",
            Self::Done => "done",
            Self::Partial => "partial",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Whether the requester is still owed a result.
    #[must_use]
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::Done | Self::Withdrawn)
    }

    /// Whether it was started and interrupted, so that it must be resumed automatically.
    #[must_use]
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Executing | Self::Verifying)
    }
}

/// The deadlines of an erasure request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Deadlines {
    /// When it was received.
    pub received_at: Timestamp,
    /// The deadline for acknowledging it.
    pub acknowledge_by: Timestamp,
    /// The deadline for completing it.
    pub complete_by: Timestamp,
}

/// How urgent a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alarm {
    /// There is enough time.
    None,
    /// Half of the time is over.
    Half,
    /// Nine tenths of the time are over.
    Urgent,
    /// The deadline has passed.
    Overdue,
}

impl Deadlines {
    /// The deadlines of a request received at `received_at`: the hours of the policy, and never more than
    /// one calendar month.
    #[must_use]
    pub fn of(received_at: Timestamp, policy: ForgettingDeadlines) -> Self {
        let hours =
            |count: u32| Timestamp::from_millis(received_at.as_millis() + i64::from(count) * 3_600_000);
        let month = received_at.to_jiff().to_zoned(TimeZone::UTC).checked_add(1.month());
        let complete_by = hours(policy.completion_hours);
        let month = month.map_or(complete_by, |end| Timestamp::from_millis(end.timestamp().as_millisecond()));
        Self {
            received_at,
            acknowledge_by: hours(policy.acknowledgment_hours),
            complete_by: complete_by.min(month),
        }
    }

    /// How urgent a request with this `status` is at `now`.
    #[must_use]
    pub fn alarm(&self, status: ErasureStatus, now: Timestamp) -> Alarm {
        match status {
            ErasureStatus::Done | ErasureStatus::Withdrawn => Alarm::None,
            ErasureStatus::Received => self.pressing(self.acknowledge_by, now),
            ErasureStatus::Acknowledged
            | ErasureStatus::Gathered
            | ErasureStatus::Signed
            | ErasureStatus::Executing
            | ErasureStatus::Verifying
            | ErasureStatus::Partial => self.pressing(self.complete_by, now),
        }
    }

    fn pressing(&self, due: Timestamp, now: Timestamp) -> Alarm {
        let (start, end) = (self.received_at.as_millis(), due.as_millis());
        let (gone, whole) = (now.as_millis().saturating_sub(start), end.saturating_sub(start).max(1));
        match gone {
            _ if gone >= whole => Alarm::Overdue,
            _ if gone.saturating_mul(10) >= whole.saturating_mul(9) => Alarm::Urgent,
            _ if gone.saturating_mul(2) >= whole => Alarm::Half,
            _ => Alarm::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_request_has_720_hours_or_a_calendar_month_whichever_is_sooner() {
        for (received, complete_by) in [
            ("2026-04-22T14:00:00.000Z", "2026-05-22T14:00:00.000Z"),
            ("2026-02-10T14:00:00.000Z", "2026-03-10T14:00:00.000Z"),
            ("2027-01-31T14:00:00.000Z", "2027-02-28T14:00:00.000Z"),
            ("2026-07-01T00:00:00.000Z", "2026-07-31T00:00:00.000Z"),
        ] {
            let deadlines = Deadlines::of(at(received), ForgettingDeadlines::default());
            assert_eq!(deadlines.complete_by, at(complete_by), "{received}");
            assert_eq!(deadlines.acknowledge_by.as_millis() - at(received).as_millis(), 24 * 3_600_000);
        }
    }

    #[test]
    fn alarms_sound_at_half_at_nine_tenths_and_at_the_end() {
        let deadlines = Deadlines::of(at("2026-04-01T00:00:00.000Z"), ForgettingDeadlines::default());
        for (status, now, alarm) in [
            (ErasureStatus::Received, "2026-04-01T11:59:59.000Z", Alarm::None),
            (ErasureStatus::Received, "2026-04-01T12:00:00.000Z", Alarm::Half),
            (ErasureStatus::Received, "2026-04-02T00:00:00.000Z", Alarm::Overdue),
            (ErasureStatus::Gathered, "2026-04-02T00:00:00.000Z", Alarm::None),
            (ErasureStatus::Gathered, "2026-04-16T00:00:00.000Z", Alarm::Half),
            (ErasureStatus::Partial, "2026-04-28T00:00:00.000Z", Alarm::Urgent),
            (ErasureStatus::Signed, "2026-05-01T00:00:00.000Z", Alarm::Overdue),
            (ErasureStatus::Done, "2027-05-01T00:00:00.000Z", Alarm::None),
        ] {
            assert_eq!(deadlines.alarm(status, at(now)), alarm, "{status:?} at {now}");
        }
    }
}
