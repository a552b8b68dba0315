//! Numeric codes of enum values in clear columns. They are part of the storage format and never change.

use domain::{
    DecayFunction, ErasureStatus, KeyScope, Kind, MemoryType, PrivacyClass, ReasonCode, RedactionStatus,
    RehearsalKind, Review, Speaks, Trust,
};

use crate::conversation::{Formation, Speaker, TurnState};
use crate::job::JobOutcome;

/// An enum value with a numeric code.
pub(crate) trait Coded: Sized + Copy {
    /// The code.
    fn code(self) -> i64;

    /// The value with this code, if there is one.
    fn from_code(code: i64) -> Option<Self>;
}

macro_rules! coded {
    ($($kind:ident { $($word:ident = $number:literal),+ $(,)? })+) => {
        $(impl Coded for $kind {
            fn code(self) -> i64 {
                match self {
                    $(Self::$word => $number,)+
                }
            }

            fn from_code(code: i64) -> Option<Self> {
                match code {
                    $($number => Some(Self::$word),)+
                    _ => None,
                }
            }
        })+
    };
}

coded! {
    Kind { Episodic = 0, Semantic = 1, Procedural = 2 }
    PrivacyClass {
        NonPii = 0, Aggregate = 1, CommercialConfidential = 2, StaffPii = 3, GuestPii = 4, SensitivePii = 5,
    }
    RedactionStatus { Active = 0, Redacted = 1, PendingDeletion = 2 }
    Trust { Operator = 0, Persona = 1, User = 2, Import = 3 }
    Review { SourceForgotten = 0, SensitiveRetention = 1 }
    DecayFunction { Ebbinghaus = 0, Power = 1, None = 2 }
    RehearsalKind { Rendered = 0, Mentioned = 1, Reencoded = 2, Spoken = 3 }
    MemoryType { Normal = 0, Pride = 1, Shame = 2, Repressed = 3, Revised = 4, Exaggerated = 5 }
    ReasonCode {
        RightToBeForgotten = 0, ConsentWithdrawn = 1, Request = 2, Corrected = 3, SourceForgotten = 4,
        Faded = 5, Retention = 6,
    }
    ErasureStatus {
        Received = 0, Acknowledged = 1, Gathered = 2, Signed = 3, Executing = 4, Verifying = 5, Done = 6, Partial = 7,
        Withdrawn = 8,
    }
    Speaker { Subject = 0, Persona = 1 }
    TurnState { Whole = 0, Interrupted = 1, Superseded = 2 }
    Formation { NotDue = 0, Pending = 1, Done = 2 }
    KeyScope { Read = 0, Write = 1, Erase = 2, Audit = 3, Admin = 4, Staff = 5 }
    Speaks { Owner = 0, Forwarded = 1 }
    JobOutcome { Done = 0, Nothing = 1, Refused = 2, Failed = 3 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Coded + std::fmt::Debug>(last: i64) {
        for code in 0..=last {
            assert_eq!(T::from_code(code).map(Coded::code), Some(code), "{}", std::any::type_name::<T>());
        }
        assert!(T::from_code(last + 1).is_none() && T::from_code(-1).is_none());
    }

    #[test]
    fn every_number_stands_for_one_word() {
        check::<Kind>(2);
        check::<PrivacyClass>(5);
        check::<RedactionStatus>(2);
        check::<Trust>(3);
        check::<Review>(1);
        check::<DecayFunction>(2);
        check::<RehearsalKind>(3);
        check::<MemoryType>(5);
        check::<ReasonCode>(6);
        check::<ErasureStatus>(8);
        check::<Speaker>(1);
        check::<TurnState>(2);
        check::<Formation>(2);
        check::<KeyScope>(5);
        check::<Speaks>(1);
        check::<JobOutcome>(3);
    }
}
