//! How private a statement is, and what sort of memory it makes.

mod judge;
mod rules;

use domain::{Kind, PrivacyClass};

use crate::cue::Cue;
use crate::statement::Statement;
use crate::worth::has_contact;
use judge::Judge;

/// The privacy class of a statement; in doubt it identifies the guest. What a staff member's name, words of
/// confidence and contacts don't tell is told by examples where there are some, and else by what is spoken of.
pub(crate) fn privacy_class(statement: &Statement<'_>, language: &str) -> PrivacyClass {
    let judge = Judge::of(language);
    let is_close = is_kin_of_speaker(statement) || (judge.is_none() && rules::tells_own_kin(statement));
    if names_staff(statement) && !is_close && !rules::tells_own_work(statement) {
        PrivacyClass::StaffPii
    } else if is_confidential(statement) {
        PrivacyClass::CommercialConfidential
    } else if has_contact(statement.text) {
        PrivacyClass::GuestPii
    } else if let Some(judge) = judge {
        judge.class(statement.text, statement.words)
    } else {
        rules::class(statement)
    }
}

/// What sort of memory a statement makes.
pub(crate) fn kind(statement: &Statement<'_>) -> Kind {
    let is_lasting = statement.has(&[Cue::Fact, Cue::Preference, Cue::Standing, Cue::Tip]);
    if statement.count(Cue::HowTo) >= 2 && !statement.has(&[Cue::Singular]) {
        Kind::Procedural
    } else if statement.has(&[Cue::Event, Cue::Decision, Cue::Plan]) && !is_lasting {
        Kind::Episodic
    } else {
        Kind::Semantic
    }
}

fn is_kin_of_speaker(statement: &Statement<'_>) -> bool {
    statement.has(&[Cue::Kin]) && statement.has(&[Cue::Singular]) && !statement.has(&[Cue::Property])
}

/// A staff member is named: a role, and a name beside it, with a title between them or none.
pub(crate) fn names_staff(statement: &Statement<'_>) -> bool {
    let roles = || statement.hits.iter().filter(|hit| hit.cue == Cue::Staff);
    let is_near_role = |at: usize| {
        roles()
            .any(|role| at + 3 >= role.words.start && at <= role.words.end + 1 && !role.words.contains(&at))
    };
    let names_by_list = statement.hits.iter().any(|hit| hit.cue == Cue::Name);
    let starts = statement.run.start;
    let opens = |at: usize| at > starts || roles().any(|role| role.words.start == at + 1);
    let capital_near = statement.words.iter().zip(starts..).any(|(word, at)| {
        word.is_capital && word.folded.len() > 2 && opens(at) && is_near_role(at) && !is_listed(statement, at)
    });
    roles().next().is_some() && (names_by_list || capital_near)
}

/// Whether a word is known for something else than a name.
fn is_listed(statement: &Statement<'_>, at: usize) -> bool {
    statement.hits.iter().any(|hit| hit.cue != Cue::Name && hit.words.contains(&at))
}

fn is_confidential(statement: &Statement<'_>) -> bool {
    let is_private = statement.has(&[Cue::Kin, Cue::Preference]);
    let in_confidence = statement.has(&[Cue::Confidential]);
    let terms = statement.count(Cue::Commercial);
    // What any guest may read on a price list is no secret.
    let is_deal = statement.has(&[Cue::Insider]) && (terms >= 2 || statement.has_number());
    let is_own = statement.has(&[Cue::Singular])
        && statement.has(&[Cue::Fact, Cue::Plan, Cue::Event])
        && !in_confidence;
    !is_private
        && !is_own
        && ((in_confidence && (terms > 0 || statement.has(&[Cue::Work, Cue::Property, Cue::Tip]))) || is_deal)
}
