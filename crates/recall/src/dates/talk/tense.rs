//! Whether a clause speaks of the past or of what is to come, by the forms of its verbs.
//!
//! A language is a table: words that are past forms, endings that are, and auxiliaries that make a participle
//! behind them one. A clause without any of them speaks of what is to come, as the present tense does in talk.

use std::ops::Range;

/// Whether something is past or is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tense {
    /// "We arrived on Friday."
    Past,
    /// "We arrive on Friday."
    Coming,
}

/// The verb forms of a language, in lower case. Accents are written: Spanish `llego` is I arrive, `llegó` arrived.
struct Forms {
    /// Words that are past forms.
    past: &'static str,
    /// Endings of past forms.
    endings: &'static str,
    /// Words that only end like one, and what one has done for a day to come: `booked`, `moved`.
    not_past: &'static str,
    /// Words that make a participle after them a past form.
    auxiliaries: &'static str,
    /// The beginnings and endings of participles, joined by `*`.
    participles: &'static str,
    /// How far behind its auxiliary a participle may stand.
    reach: usize,
    /// Words and endings of what is to come, the endings with a `*` before them.
    coming: &'static str,
    /// Words that stand before or after a verb in the present, unless that is a past form.
    subjects: &'static str,
    /// Words between a subject and its verb.
    between: &'static str,
    /// Words after which a participle is a state: `is booked`, `wird operiert`.
    states: &'static str,
}

/// A longer word may have the ending of a verb form.
const SHORTEST: usize = 4;

/// The tense that the verbs of `words` have, if any tells.
pub(super) fn tense(words: &[String], language: &str) -> Option<Tense> {
    let forms = forms(language)?;
    if forms.tells_coming(words) {
        return Some(Tense::Coming);
    }
    if forms.tells_past(words) {
        return Some(Tense::Past);
    }
    forms.tells_present(words).then_some(Tense::Coming)
}

impl Forms {
    fn tells_coming(&self, words: &[String]) -> bool {
        let is_ending = |word: &str, ending: &str| {
            word.len() > ending.len() + 1 && word.ends_with(ending) && !is_in(self.not_past, word)
        };
        let is_form = |(at, word): (usize, &String)| {
            self.coming.split('|').any(|form| match (form.strip_prefix('*'), form.split_once(' ')) {
                (Some(ending), _) => is_ending(word, ending),
                (None, Some((first, next))) => {
                    word == first && words.get(at + 1).is_some_and(|word| fits(next, word))
                }
                (None, None) => word == form,
            })
        };
        words.iter().enumerate().any(is_form)
    }

    fn tells_past(&self, words: &[String]) -> bool {
        let is_past = |(at, word): (usize, &String)| {
            if is_in(self.past, word) {
                return true;
            }
            let before = words.get(at.saturating_sub(2)..at).unwrap_or_default();
            let is_state = before.iter().any(|word| is_in(self.states, word));
            let ends = word.chars().count() >= SHORTEST
                && self.endings.split('|').any(|ending| !ending.is_empty() && word.ends_with(ending));
            ends && !is_state && !is_in(self.not_past, word) || self.is_perfect(words, at)
        };
        words.iter().enumerate().any(is_past)
    }

    /// Whether a subject stands before a verb, which is no past form then.
    fn tells_present(&self, words: &[String]) -> bool {
        let is_subject = |at: usize| words.get(at).is_some_and(|word| is_in(self.subjects, word));
        let follows = |at: usize| words.iter().skip(at + 1).find(|word| !is_in(self.between, word));
        (0..words.len()).any(|at| is_subject(at) && follows(at).is_some())
    }

    /// Whether the word at `at` is an auxiliary with a participle behind it.
    fn is_perfect(&self, words: &[String], at: usize) -> bool {
        let is_auxiliary = words.get(at).is_some_and(|word| is_in(self.auxiliaries, word));
        let behind: Range<usize> = at + 1..(at + 1 + self.reach).min(words.len());
        let is_participle = |word: &String| {
            !is_in(self.not_past, word) && self.participles.split('|').any(|form| fits(form, word))
        };
        is_auxiliary && words.get(behind).unwrap_or_default().iter().any(is_participle)
    }
}

/// Whether `word` is the form, or has its parts where it has a `*` between them, with at least two more letters.
fn fits(form: &str, word: &str) -> bool {
    let mut parts = form.split('*');
    let Some(rest) = word.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(ending) = parts.next_back() else { return rest.is_empty() };
    let Some(rest) = rest.strip_suffix(ending) else { return false };
    let middle: Option<&str> = parts.try_fold(rest, |rest, part| Some(rest.split_once(part)?.1));
    middle.is_some() && rest.len() > 1
}

fn is_in(list: &str, word: &str) -> bool {
    list.split('|').any(|known| known == word)
}

fn forms(language: &str) -> Option<&'static Forms> {
    Some(match language {
        "en" => &ENGLISH,
        "de" => &GERMAN,
        "fr" => &FRENCH,
        "es" => &SPANISH,
        "ro" => &ROMANIAN,
        _ => return None,
    })
}

static ENGLISH: Forms = Forms {
    past: "was|wasn|were|weren|had|hadn|did|didn|went|got|came|saw|met|bought|sold|lost|found|left|fell|broke|\
        began|started|took|gave|made|said|told|knew|thought|felt|brought|kept|slept|spent|sent|built|won|ran|\
        wrote|spoke|drove|flew|rode|ate|drank|grew|became|chose|stole|woke|wore|sat|stood|heard|paid|payed|rang|sang|swam|\
        caught|taught|fought|held|led|stuck|struck|shot|threw|blew|drew|hid|bit|born|died|gone|been|froze|\
        couldn|dug|dreamt|learnt|burnt|spilt|smelt|forgot|understood|proposed",
    endings: "ed",
    not_past: "booked|reserved|scheduled|arranged|planned|postponed|rescheduled|ordered|changed|confirmed|need|indeed|exceed|proceed|succeed|speed|breed|seed|feed|weed|hundred|sacred|naked|wicked|bleed|\
        agreed|supposed|crossed|scared|excited|worried|tired|interested|bored|married|retired|shared|shed|sled|wretched",
    auxiliaries: "",
    participles: "",
    reach: 0,
    coming: "will|ll|won|shall|gonna|going to|m *ing|re *ing|am *ing|are *ing|is *ing|s *ing|tomorrow|tonight",
    subjects: "i|we|they|he|she|you",
    between: "just|also|only|really|still|never|always",
    states: "is|are|am|m|re|s|be|get|gets|getting|being|to|will|ll|can|must|should",
};

static GERMAN: Forms = Forms {
    past: "war|waren|warst|wart|hatte|hatten|wurde|wurden|kam|kamen|ging|gingen|fiel|fielen|brachte|fand|verlor|\
        traf|trafen|rief|blieb|nahm|fuhr|fuhren|flog|flogen|begann|passierte|lag|lagen|stand|saß|sah|gab|hieß|\
        starb|bekam|schrieb|zog|zogen|lief|half|wusste|konnte|konnten|musste|mussten|wollte|durfte|lernte|machte",
    endings: "",
    not_past: "gegen|gern|gerne|gestern|gerade|genau|genug|gewesn|geht|gibt|gilt|gehen|geben|gelten|genießen|\
        gewinnen|geplant|geschlossen|geöffnet|verschoben|angesetzt|besten|beiden|ersten|erst|bereit|bereits|beginnt|\
        besucht|besuchen|bezahlen|beginnen|verreisen|verkaufen|erwarten|bestellen|behalten|erzählen|gebucht|umgebucht|reserviert|\
        verlegt|vereinbart|ausgemacht|bestellt",
    auxiliaries: "hab|habe|hast|hat|haben|habt|ham|bin|bist|ist|is|sind|sin|seid",
    participles: "ge*t|ge*en|ge*n|*ge*t|*ge*en|*ge*n|ver*t|ver*en|be*t|be*en|er*t|er*en|zer*t|zer*en|ent*t|*iert",
    reach: 12,
    coming: "werde|werd|werden|wirst|wird|werdet|morgen|übermorgen|will|wollen|möchte",
    subjects: "ich|wir",
    between: "auch|noch|schon|erst|dann|uns|mich|mir",
    states: "",
};

static FRENCH: Forms = Forms {
    past: "étais|était|étaient|étions|etais|etait|etaient|cetait|avais|avait|avaient|avions|fut|eut|né|née|mort|morte",
    endings: "ais|ait|aient",
    not_past: "mais|jamais|vais|fais|sais|lait|fait|plait|plaît|parfait|anglais|français|portugais|frais|palais|\
        désormais|desormais|portrait|trait|retrait|satisfait|souhait|connais|connait|connaît|irlandais|japonais|\
        voudrais|aimerais|pourrais|devrais|serais|aurais|irais|ferais|voudrait|pourrait|devrait|serait|aurait|\
        ferait|prévu|prévue|fixé|fixée|reporté|reportée|réservé|décalé|déplacé|changé|commandé|ici|aussi|lundi|mardi|mercredi|jeudi|vendredi|samedi|midi|\
        oui|du|au|plus|tu|ami|amis|mari|depuis|puis|nous|vous|dessus|menu",
    auxiliaries: "ai|as|a|avons|avez|ont|jai|suis|sommes|êtes|est|sont",
    participles: "*é|*ée|*és|*ées|*u|*ue|*us|*ues|vu|lu|bu|eu|su|pu|fait|dit|écrit|mis|pris|appris|compris|promis|\
        surpris|*ert|*erte|*rti|*rtie|*rtis|fini|choisi|réussi|reussi|dormi|menti|senti|servi|suivi|grandi|*aint|*eint|\
        mort|morte|été",
    reach: 3,
    coming: "*rai|*rons|*ront|sera|aura|ira|fera|viendra|vais *er|vais *ir|vais *re|va *er|va *ir|va *re|\
        allons *er|allons *ir|allons *re|vont *er|vont *ir|vont *re|demain",
    subjects: "je|nous|on",
    between: "me|ne|y|en",
    states: "",
};

static SPANISH: Forms = Forms {
    past: "fui|fue|fuimos|fueron|era|eran|éramos|estaba|estaban|estuve|estuvo|estuvimos|tuve|tuvo|tuvimos|hizo|\
        hice|hicimos|dijo|dije|vino|vine|puso|puse|pudo|pude|vi|vio|di|dio|trajo|quiso|supo|había|tenía|iba|vivía|\
        hacía|podía|quería|nació|murió|quedé|anduve",
    endings: "é|ó|í|aron|ieron|jeron|aste|iste|aba|aban|ábamos",
    not_past: "reservé|cambié|aplacé|pedí|reservado|cambiado|aplazado|programado|pedido|quedado|café|qué|esté|porqué|bebé|puré|comité|chalé|josé|andré|aquí|allí|ahí|así|también|además|iré|seré|veré|\
        rubí|existe|triste|chiste|baste|contraste|deporte|noé|solo|martí",
    auxiliaries: "he|has|ha|hemos|habéis|han",
    participles: "*ado|*ido|*ao|*ído|hecho|dicho|visto|escrito|puesto|abierto|muerto|roto|vuelto|*uelto|cubierto|\
        descubierto|frito|impreso",
    reach: 2,
    coming: "*aré|*eré|*iré|*dré|*ará|*erá|*irá|*drá|*aremos|*eremos|*iremos|*dremos|*arán|*erán|*irán|*drán|\
        voy a|vas a|va a|vamos a|vais a|van a|será|estará|iré|mañana|salgo|vengo|voy|vamos|empiezo|llego|vuelvo|tengo|tenemos",
    subjects: "",
    between: "",
    states: "",
};

static ROMANIAN: Forms = Forms {
    past: "eram|erai|era|erau|erați|aveam|avea|aveau|stăteam|locuiam|lucram|făceam|voiam|trebuia|putea|născut",
    endings: "",
    not_past: "rezervat|amânat|programat|comandat|stabilit|schimbat|permis|examen|bilet|concert|test|apartament",
    auxiliaries: "am|ai|a|ați|ati|au",
    participles: "*at|*it|*ut|*ât|*is|*us|*ns|*rs|*es|*pt|dat|stat|luat|fost|mers|scos|pus|spus|zis|dus|ars|făcut|\
        fiert|spart|mort|rupt|copt|fript|supt|adus|ales|cules|tuns|plâns|râs|ros|scris",
    reach: 2,
    coming: "voi|vom|vor|o să|o sa|urmează|mâine|poimâine|*ăm|plec|vin|ajung|merg|încep|avem",
    subjects: "",
    between: "",
    states: "",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verbs_of_a_clause_tell_its_tense() {
        use Tense::{Coming, Past};
        for (language, clause, expected) in [
            ("en", "we were in lisbon", Some(Past)),
            ("en", "we walked home", Some(Past)),
            ("en", "it is scheduled", None),
            ("en", "we ll walk home", Some(Coming)),
            ("en", "i m seeing the doctor i visited", Some(Coming)),
            ("en", "we fly", Some(Coming)),
            ("en", "the train leaves", None),
            ("de", "wir haben uns dort getroffen", Some(Past)),
            ("de", "wir haben einen termin", Some(Coming)),
            ("de", "der hund ist weggelaufen", Some(Past)),
            ("de", "ich werde operiert", Some(Coming)),
            ("fr", "j ai rencontré quelqu un", Some(Past)),
            ("fr", "j étais malade", Some(Past)),
            ("fr", "le canapé sera livré", Some(Coming)),
            ("fr", "on part", Some(Coming)),
            ("es", "me llegó la carta", Some(Past)),
            ("es", "abro", None),
            ("es", "llegaré", Some(Coming)),
            ("es", "se lo he dicho", Some(Past)),
            ("ro", "mi am rupt mâna", Some(Past)),
            ("ro", "am un examen", None),
            ("ro", "o să plec", Some(Coming)),
        ] {
            let words: Vec<String> = clause.split(' ').map(str::to_owned).collect();
            assert_eq!(tense(&words, language), expected, "{clause}");
        }
    }
}
