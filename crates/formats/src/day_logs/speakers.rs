//! Who speaks in a day's log: the persona and the person it talks with, by the names the file has for them.
//!
//! Known are the persona's own names, the person's, and the words that programs write in their place. One further name
//! is the person's if the persona is there by a known one. Everything else isn't certain.

use super::opening::{Content, Form, Opening};
use super::{Line, State, Uncertain};
use crate::Source;
use crate::record::Speaker;

/// Words for the one who talks with a persona, and for personas in general.
const PEOPLE: &[&str] = &["user", "owner", "human", "you", "me"];
const PERSONAS: &[&str] = &["assistant", "persona", "ai", "bot", "model"];

const UNKNOWN_NAME: &str =
    "it isn't certain who speaks here: the name is neither the persona's nor the person's";
const OTHER_FORM: &str =
    "it isn't certain whether a turn begins here: other turns of the file begin in another form";

/// The speakers of a file.
pub(super) struct Speakers<'s> {
    persona: &'s [String],
    people: &'s [String],
    /// The form in which the file writes speakers.
    form: Form,
    /// The level of headings that are speakers.
    level: usize,
    /// A name that must be the person's, since the persona's is another.
    other_name: Option<String>,
}

impl<'s> Speakers<'s> {
    /// The speakers of a file with these lines, if it is certain who they are.
    pub(super) fn of(lines: &[Line], about: &Source<'s>) -> Result<Self, Uncertain> {
        let mut speakers = Self {
            persona: about.persona,
            people: about.people,
            form: Form::Line,
            level: 0,
            other_name: None,
        };
        let openings = speakers.openings(lines);
        speakers.form = speakers.most_used_form(&openings);
        let first = openings
            .iter()
            .map(|(_, opening)| *opening)
            .find(|opening| opening.form == speakers.form && speakers.known(&opening.name).is_some());
        speakers.level =
            first.or(openings.first().map(|(_, opening)| *opening)).map_or(0, |first| first.level);
        for (line, opening) in &openings {
            if speakers.is_in_doubt(opening) {
                return Err(Uncertain { line: line.number, what: OTHER_FORM });
            }
        }
        speakers.other_name = speakers.find_other_name(&openings)?;
        Ok(speakers)
    }

    /// Who begins to speak, if `opening` is the opening of a turn.
    pub(super) fn speaker(&self, opening: &Opening, line: &Line) -> Option<Speaker> {
        let is_other =
            || self.has_form(opening) && !line.is_code && self.other_name.as_ref() == Some(&opening.name);
        match self.known(&opening.name) {
            Some(speaker) => self.opens_turn(opening).then_some(speaker),
            None => is_other().then_some(Speaker::Subject),
        }
    }

    /// Who is known by `name`.
    pub(super) fn known(&self, name: &str) -> Option<Speaker> {
        if PERSONAS.contains(&name) || is_among(self.persona, name) {
            Some(Speaker::Persona)
        } else if PEOPLE.contains(&name) || is_among(self.people, name) {
            Some(Speaker::Subject)
        } else {
            None
        }
    }

    /// The lines that look like openings, without those in turns of ours and in code.
    fn openings<'l>(&self, lines: &'l [Line]) -> Vec<(&'l Line, &'l Opening)> {
        let mut state = State::NoSpeaker;
        let mut found = Vec::new();
        for line in lines {
            match &line.content {
                Content::OurMark => state = State::OurOpening,
                Content::Opening(opening) if !state.takes(opening, self) => {
                    let is_known = self.known(&opening.name).is_some();
                    if is_known || (opening.has_plausible_name() && !line.is_code) {
                        state = State::Turn;
                        found.push((line, opening));
                    }
                }
                Content::Opening(_) | Content::Date | Content::Time(_) | Content::Words => {}
            }
        }
        found
    }

    /// The form in which most known speakers are written; without a known speaker that of the first name.
    fn most_used_form(&self, openings: &[(&Line, &Opening)]) -> Form {
        let count = |form: Form| {
            let is_counted = |it: &&(&Line, &Opening)| it.1.form == form && self.known(&it.1.name).is_some();
            openings.iter().filter(is_counted).count()
        };
        let counts = [Form::Line, Form::Bold, Form::Heading].map(|form| (count(form), form));
        match counts.into_iter().max_by_key(|(count, _)| *count) {
            Some((1.., form)) => form,
            Some((0, _)) | None => openings.first().map_or(Form::Line, |(_, opening)| opening.form),
        }
    }

    fn has_form(&self, opening: &Opening) -> bool {
        opening.form == self.form && (opening.level == self.level || self.known(&opening.name).is_some())
    }

    /// Whether an opening with a known name begins a turn: it has the form of the file, or a time.
    fn opens_turn(&self, opening: &Opening) -> bool {
        opening.form == self.form || opening.time.is_some()
    }

    /// Whether a known name stands where a turn may begin, in a form that the file's other turns don't have. A word
    /// such as `user` before a colon is ordinary text there.
    fn is_in_doubt(&self, opening: &Opening) -> bool {
        let is_word = PERSONAS.contains(&opening.name.as_str()) || PEOPLE.contains(&opening.name.as_str());
        let is_text = opening.form == Form::Line && is_word;
        self.known(&opening.name).is_some() && !self.opens_turn(opening) && !is_text
    }

    /// The one name besides the known ones, if there is one.
    fn find_other_name(&self, openings: &[(&Line, &Opening)]) -> Result<Option<String>, Uncertain> {
        let of_form: Vec<(&Line, &Opening, Option<Speaker>)> = openings
            .iter()
            .filter(|(_, opening)| self.has_form(opening))
            .map(|(line, opening)| (*line, *opening, self.known(&opening.name)))
            .collect();
        let speaks = |who: Speaker| of_form.iter().any(|(_, _, known)| *known == Some(who));
        let is_timed = of_form.iter().all(|(_, opening, known)| known.is_none() || opening.time.is_some());
        let are_both_known = speaks(Speaker::Persona) && speaks(Speaker::Subject);
        let mut other: Option<&str> = None;
        for (position, (line, opening, known)) in of_form.iter().enumerate() {
            let may_be_text = opening.time.is_none() && (are_both_known || (is_timed && position > 0));
            if known.is_some() || may_be_text {
                continue;
            }
            let is_another = other.is_some_and(|other| other != opening.name);
            if is_another || are_both_known || !speaks(Speaker::Persona) {
                return Err(Uncertain { line: line.number, what: UNKNOWN_NAME });
            }
            other = Some(&opening.name);
        }
        Ok(other.map(str::to_owned))
    }
}

fn is_among(names: &[String], name: &str) -> bool {
    names.iter().any(|own| own.to_lowercase() == name)
}
