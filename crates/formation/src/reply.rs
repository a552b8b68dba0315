//! What the persona did or promised in its reply: it remembers that too.

use domain::{PrivacyClass, Text};
use encoders::Encoders;
use text::sentences;

use crate::context::content_words;
use crate::draft::{Draft, Replaces, Setting};
use crate::exchange::{Author, Exchange};
use crate::features::Features;
use crate::judgement::Judgement;
use crate::lexicon::Lexicon;
use crate::number::without_payment;
use crate::passage::Passage;
use crate::sensitivity::Sensitivity;
use crate::sentence::Sentence;
use crate::similarity::repeats;
use crate::spoken_month::spoken_month;
use crate::statement::Statement;
use crate::teaching::TrainingExample;
use crate::turn::Turn;

/// What the persona did or promised. Nothing that takes up the `refused` words of the turn, and nothing that only
/// repeats what it was reminded of.
pub(crate) fn promises(exchange: &Exchange<'_>, language: &'static str, refused: &[Text]) -> Vec<Draft> {
    let (Some(reply), Some(encoders), Some(lexicon)) =
        (exchange.reply, exchange.encoders, Lexicon::of(language))
    else {
        return Vec::new();
    };
    let reply = without_payment(reply);
    let forbidden: Vec<Text> =
        refused.iter().flat_map(|words| content_words(words.as_str(), lexicon)).collect();
    let setting = setting(exchange, language);
    let sentences = sentences(&reply).into_iter().map(|text| Sentence::read(text, lexicon));
    let allowed = sentences.filter(|sentence| {
        let own = content_words(sentence.text, lexicon);
        !sentence.is_question
            && !sentence.is_withheld(&(0..sentence.words.len()))
            && !own.iter().any(|word| forbidden.contains(word))
            && !exchange.reminded.iter().any(|known| repeats(sentence.text, known, language))
    });
    let promised = allowed.filter_map(|sentence| promise(&sentence, encoders, setting));
    let sensitivity = Sensitivity { lexicon, language, encoders: Some(encoders) };
    // What the lists find is judged with the rest of what would be kept.
    promised.filter(|draft| !sensitivity.tells_special(draft.gist.as_str())).collect()
}

fn setting(exchange: &Exchange<'_>, language: &'static str) -> Setting {
    let spoken_month = spoken_month(exchange, &[exchange.said], language);
    Setting { today: exchange.today, language, spoken_month }
}

/// What the models see of a sentence of the persona.
pub(crate) fn features(sentence: &Sentence<'_>, language: &str, encoders: &Encoders) -> Option<Features> {
    let passage =
        Passage { statements: vec![Statement::whole(sentence)?], asked: None, asks: sentence.is_question };
    Some(passage.features(language, encoders))
}

fn promise(sentence: &Sentence<'_>, encoders: &Encoders, setting: Setting) -> Option<Draft> {
    let judgement = Judgement::of(&features(sentence, setting.language, encoders)?);
    if judgement.is_promise() { drafted(sentence, &judgement, setting) } else { None }
}

fn drafted(sentence: &Sentence<'_>, judgement: &Judgement, setting: Setting) -> Option<Draft> {
    let mut draft = Draft::of(&Statement::whole(sentence)?, "", setting);
    draft.author = Author::Persona;
    draft.kind = judgement.kind();
    draft.privacy_class = PrivacyClass::GuestPii;
    draft.is_asked_for = false;
    draft.replaces = Replaces::Perhaps(judgement.change());
    Some(draft)
}

/// A memory of every sentence of the reply, with what the models see of it.
pub(crate) fn teaching(exchange: &Exchange<'_>, encoders: &Encoders) -> Vec<TrainingExample> {
    let (Some(reply), Some(turn)) = (exchange.reply, Turn::read(exchange.said, exchange.language)) else {
        return Vec::new();
    };
    let reply = without_payment(reply);
    let setting = setting(exchange, turn.language);
    let of = |text: &str| {
        let sentence = Sentence::read(text, turn.lexicon);
        let features = features(&sentence, turn.language, encoders)?;
        let draft = drafted(&sentence, &Judgement::of(&features), setting)?;
        Some(TrainingExample { draft, features: features.0 })
    };
    sentences(&reply).into_iter().filter_map(of).collect()
}
