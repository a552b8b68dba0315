//! How private a statement is, and what sort of memory it makes.

mod judge;
mod rules;

use domain::{Kind, PrivacyClass};

use crate::cue::Cue;
use crate::lexicon::Hit;
use crate::statement::Statement;
use crate::worth::has_contact;
use judge::Judge;

/// The privacy class of a statement; in doubt it identifies the guest. What a staff member's name, words of
/// confidence and contacts don't decide is judged by examples where there are some, and else by its topic.
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

/// What sort of memory a statement makes: how something is done, what happened or will once, or what lasts.
pub(crate) fn kind(statement: &Statement<'_>) -> Kind {
    if statement.count(Cue::HowTo) >= 2 && !statement.has(&[Cue::Singular]) {
        Kind::Procedural
    } else if happens_once(statement) {
        Kind::Episodic
    } else {
        Kind::Semantic
    }
}

/// Something happened at a time, or will at an hour; a taste, a habit or a fact beside it lasts.
fn happens_once(statement: &Statement<'_>) -> bool {
    let is_past = statement.has(&[Cue::Past]);
    let is_timed = is_past && statement.has(&[Cue::Event, Cue::Yesterday]);
    let is_appointed = statement.is_appointed() && statement.has(&[Cue::Singular, Cue::Own]);
    let is_stated = is_appointed
        || statement.has(&[Cue::Event, Cue::Decision, Cue::Plan, Cue::Tomorrow, Cue::Overmorrow]);
    let is_lasting = statement.has(&[Cue::Fact, Cue::Preference]) || is_habit(statement);
    (is_timed && !statement.has(&[Cue::Preference]))
        || (!is_lasting && (is_past || (is_stated && !statement.has(&[Cue::Tip]))))
}

/// Whether something is done again and again; "this morning" and "tomorrow morning" are no "mornings".
fn is_habit(statement: &Statement<'_>) -> bool {
    let is_day = |cue: Cue| {
        matches!(cue, Cue::Weekday(_) | Cue::Today | Cue::Tomorrow | Cue::Overmorrow | Cue::Yesterday)
    };
    let is_once = |habit: &Hit| {
        statement.hits.iter().any(|hit| {
            (hit.cue == Cue::Event && hit.words.contains(&habit.words.start))
                || (is_day(hit.cue) && hit.words.end == habit.words.start)
        })
    };
    statement.hits.iter().any(|hit| hit.cue == Cue::Standing && !is_once(hit))
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
