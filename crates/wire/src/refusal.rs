//! The refusals of the domain as codes and problems.
//!
//! The matches are exhaustive on purpose: a new refusal does not compile until it has a code.

use domain::creation::CreationRefusal;
use domain::{RedactionRefusal, TimelineRefusal};

use crate::{Code, Problem};

impl From<CreationRefusal> for Code {
    fn from(refusal: CreationRefusal) -> Self {
        match refusal {
            CreationRefusal::MemoryDisabled => Self::MemoryDisabled,
            CreationRefusal::DocumentUnsigned => Self::DocumentUnsigned,
            CreationRefusal::SalienceTooLow => Self::SalienceTooLow,
            CreationRefusal::ConsentBasisRequired => Self::ConsentBasisRequired,
            CreationRefusal::ConsentBasisUnknown => Self::ConsentBasisUnknown,
            CreationRefusal::SubjectRequired => Self::SubjectRequired,
            CreationRefusal::SensitiveForbidden => Self::SensitiveForbidden,
            CreationRefusal::ConsentNotOnRecord => Self::ConsentNotOnRecord,
            CreationRefusal::ForeignDeployment => Self::ForeignDeployment,
            CreationRefusal::IdTombstoned => Self::IdTombstoned,
            CreationRefusal::SubjectErased => Self::SubjectErased,
            CreationRefusal::MemoryFull => Self::MemoryFull,
            CreationRefusal::TooManyPins => Self::TooManyPins,
        }
    }
}

impl From<TimelineRefusal> for Code {
    fn from(refusal: TimelineRefusal) -> Self {
        match refusal {
            TimelineRefusal::EventOutOfOrder { .. } => Self::EventOutOfOrder,
            TimelineRefusal::RevisionFieldsIncomplete => Self::RevisionFieldsIncomplete,
            TimelineRefusal::AlreadySuperseded => Self::AlreadySuperseded,
            TimelineRefusal::EntryNotFound => Self::TimelineEntryNotFound,
        }
    }
}

impl From<RedactionRefusal> for Code {
    fn from(refusal: RedactionRefusal) -> Self {
        match refusal {
            RedactionRefusal::AlreadyRedacted => Self::AlreadyRedacted,
            RedactionRefusal::NotRestorable => Self::NotRestorable,
            RedactionRefusal::UnderHold => Self::UnderHold,
            RedactionRefusal::SweepOnly => Self::SweepOnly,
        }
    }
}

macro_rules! into_problem {
    ($($refusal:ty),+) => {
        $(impl From<$refusal> for Problem {
            fn from(refusal: $refusal) -> Self {
                Self::new(refusal.into(), refusal.to_string())
            }
        })+
    };
}

into_problem!(CreationRefusal, TimelineRefusal, RedactionRefusal);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_domain_and_the_table_call_a_refusal_by_the_same_name() {
        for refusal in CreationRefusal::ALL {
            assert_eq!(Code::from(refusal).as_str(), refusal.code());
        }
        for refusal in RedactionRefusal::ALL {
            assert_eq!(Code::from(refusal).as_str(), refusal.code());
        }
        for refusal in [
            TimelineRefusal::RevisionFieldsIncomplete,
            TimelineRefusal::AlreadySuperseded,
            TimelineRefusal::EntryNotFound,
        ] {
            assert_eq!(Code::from(refusal).as_str(), refusal.code());
        }
    }

    #[test]
    fn a_refusal_becomes_a_problem_in_its_own_words() {
        let problem = Problem::from(CreationRefusal::DocumentUnsigned);
        assert_eq!(
            (problem.status, problem.detail.as_str()),
            (409, "the persona document is not signed; see `selfhood persona sign`")
        );
    }
}
