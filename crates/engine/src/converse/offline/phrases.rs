//! What the built-in voice says around a memory, by language.

/// The phrases of one language.
pub(super) struct Phrases {
    /// Before a memory that is neither clear nor faint.
    pub(super) moderate: &'static str,
    /// Before a faint one.
    pub(super) faint: &'static str,
    /// After a faint one.
    pub(super) unsure: &'static str,
    /// When nothing is remembered.
    pub(super) unknown: &'static str,
    /// When nothing was asked.
    pub(super) heard: &'static str,
    /// Instead of what the persona is ashamed of.
    pub(super) reluctant: &'static str,
    /// Instead of what it keeps from itself.
    pub(super) resisting: &'static str,
    /// A greeting.
    pub(super) hello: &'static str,
    /// Before its name.
    pub(super) i_am: &'static str,
    /// What it is.
    pub(super) an_ai: &'static str,
    /// Said once.
    pub(super) no_model: &'static str,
    nouns: Nouns,
    /// Words with a capital letter that name a time.
    calendar: &'static [&'static str],
    greetings: &'static [&'static str],
    about_self: &'static [&'static str],
    questions: &'static [&'static str],
}

impl Phrases {
    pub(super) fn is_greeting(&self, message: &str) -> bool {
        starts_with_any(message, self.greetings)
    }

    pub(super) fn is_about_self(&self, message: &str) -> bool {
        let message = message.to_lowercase();
        self.about_self.iter().any(|phrase| message.contains(phrase))
    }

    pub(super) fn asks(&self, message: &str) -> bool {
        starts_with_any(message, self.questions)
    }
}

impl Phrases {
    /// The names in a message: words with a capital letter that do not begin a sentence.
    pub(super) fn names<'m>(&self, message: &'m str) -> Vec<&'m str> {
        if self.nouns == Nouns::Capital {
            return Vec::new();
        }
        let mut names = Vec::new();
        let mut begins = true;
        for word in message.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let bare = bare.split_once(['\'', '’']).map_or(bare, |(name, _)| name);
            let is_name = bare.chars().next().is_some_and(char::is_uppercase) && bare.chars().count() > 1;
            if is_name && !begins && !self.calendar.contains(&bare) {
                names.push(bare);
            }
            begins = word.ends_with(['.', '!', '?', ':']);
        }
        names
    }
}

/// How a language writes its nouns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nouns {
    /// With a capital letter, so that names can't be told from them.
    Capital,
    /// Small.
    Small,
}

fn starts_with_any(message: &str, words: &[&str]) -> bool {
    let message = message.trim_start().to_lowercase();
    words
        .iter()
        .any(|word| message.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}

/// The phrases of `language`; English where we have none.
pub(super) fn of(language: &str) -> &'static Phrases {
    match language.split(['-', '_']).next().unwrap_or_default() {
        "ro" => &ROMANIAN,
        "de" => &GERMAN,
        "fr" => &FRENCH,
        "es" => &SPANISH,
        _ => &ENGLISH,
    }
}

const ENGLISH: Phrases = Phrases {
    moderate: "As far as I remember:",
    faint: "I remember it only faintly.",
    unsure: "I'm not sure of more than that.",
    unknown: "I don't have a memory of that.",
    heard: "Thank you for telling me.",
    reluctant: "I'd rather not talk about that.",
    resisting: "There is something there, but I can't get hold of it.",
    hello: "Hello.",
    i_am: "I'm",
    an_ai: "I am an AI.",
    no_model: "No language model is configured, so I answer from what I remember alone.",
    nouns: Nouns::Small,
    calendar: &[
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    ],
    greetings: &["hello", "hi", "hey", "good morning", "good evening", "good afternoon"],
    about_self: &[
        "who are you",
        "your name",
        "are you an ai",
        "are you human",
        "are you real",
        "about yourself",
    ],
    questions: &[
        "what",
        "when",
        "where",
        "who",
        "whom",
        "whose",
        "which",
        "why",
        "how",
        "do",
        "does",
        "did",
        "is",
        "are",
        "was",
        "were",
        "have",
        "has",
        "can",
        "could",
        "will",
        "would",
        "should",
        "tell me",
        "remind me",
    ],
};

const ROMANIAN: Phrases = Phrases {
    moderate: "Din câte îmi amintesc:",
    faint: "Îmi amintesc doar vag.",
    unsure: "Mai mult de atât nu sunt sigur.",
    unknown: "Nu am nicio amintire despre asta.",
    heard: "Mulțumesc că mi-ai spus.",
    reluctant: "Aș prefera să nu vorbesc despre asta.",
    resisting: "E ceva acolo, dar îmi scapă.",
    hello: "Bună.",
    i_am: "Sunt",
    an_ai: "Sunt o inteligență artificială.",
    no_model: "Niciun model de limbaj nu este configurat, așa că răspund doar din ce îmi amintesc.",
    nouns: Nouns::Small,
    calendar: &[],
    greetings: &["bună", "buna", "salut", "bună ziua", "bună seara"],
    about_self: &["cine ești", "cine esti", "cum te cheamă", "cum te cheama", "ești om", "ești un ai"],
    questions: &[
        "ce",
        "când",
        "cand",
        "unde",
        "cine",
        "care",
        "de ce",
        "cum",
        "cât",
        "spune-mi",
        "amintește-mi",
    ],
};

const GERMAN: Phrases = Phrases {
    moderate: "Soweit ich mich erinnere:",
    faint: "Ich erinnere mich nur schwach daran.",
    unsure: "Mehr weiß ich nicht sicher.",
    unknown: "Daran habe ich keine Erinnerung.",
    heard: "Danke, dass du mir das sagst.",
    reluctant: "Darüber möchte ich lieber nicht sprechen.",
    resisting: "Da ist etwas, aber ich bekomme es nicht zu fassen.",
    hello: "Hallo.",
    i_am: "Ich bin",
    an_ai: "Ich bin eine KI.",
    no_model: "Es ist kein Sprachmodell eingerichtet, darum antworte ich nur aus der Erinnerung.",
    nouns: Nouns::Capital,
    calendar: &[],
    greetings: &["hallo", "guten tag", "guten morgen", "guten abend", "hi", "servus"],
    about_self: &[
        "wer bist du",
        "wer sind sie",
        "dein name",
        "wie heißt du",
        "wie heißen sie",
        "bist du ein mensch",
        "bist du eine ki",
    ],
    questions: &[
        "was",
        "wann",
        "wo",
        "wer",
        "wem",
        "wen",
        "welche",
        "welcher",
        "welches",
        "warum",
        "wie",
        "sag mir",
        "erinnere mich",
    ],
};

const FRENCH: Phrases = Phrases {
    moderate: "Si je me souviens bien :",
    faint: "Je ne m'en souviens que vaguement.",
    unsure: "Je ne suis sûr de rien de plus.",
    unknown: "Je n'ai aucun souvenir de cela.",
    heard: "Merci de me l'avoir dit.",
    reluctant: "Je préfère ne pas en parler.",
    resisting: "Il y a quelque chose, mais cela m'échappe.",
    hello: "Bonjour.",
    i_am: "Je suis",
    an_ai: "Je suis une IA.",
    no_model: "Aucun modèle de langage n'est configuré, je réponds donc seulement de mémoire.",
    nouns: Nouns::Small,
    calendar: &[],
    greetings: &["bonjour", "bonsoir", "salut", "coucou"],
    about_self: &[
        "qui es-tu",
        "qui êtes-vous",
        "ton nom",
        "votre nom",
        "comment t'appelles",
        "comment vous appelez",
        "es-tu une ia",
        "êtes-vous une ia",
    ],
    questions: &[
        "que",
        "quoi",
        "quand",
        "où",
        "qui",
        "quel",
        "quelle",
        "quels",
        "quelles",
        "pourquoi",
        "comment",
        "combien",
        "est-ce",
        "dis-moi",
        "rappelle-moi",
    ],
};

const SPANISH: Phrases = Phrases {
    moderate: "Si mal no recuerdo:",
    faint: "Lo recuerdo solo vagamente.",
    unsure: "De más no estoy seguro.",
    unknown: "No tengo ningún recuerdo de eso.",
    heard: "Gracias por contármelo.",
    reluctant: "Prefiero no hablar de eso.",
    resisting: "Hay algo ahí, pero se me escapa.",
    hello: "Hola.",
    i_am: "Soy",
    an_ai: "Soy una IA.",
    no_model: "No hay ningún modelo de lenguaje configurado, así que respondo solo con lo que recuerdo.",
    nouns: Nouns::Small,
    calendar: &[],
    greetings: &["hola", "buenos días", "buenas tardes", "buenas noches"],
    about_self: &[
        "quién eres",
        "quien eres",
        "tu nombre",
        "cómo te llamas",
        "como te llamas",
        "eres humano",
        "eres una ia",
    ],
    questions: &[
        "qué",
        "que",
        "cuándo",
        "cuando",
        "dónde",
        "donde",
        "quién",
        "quien",
        "cuál",
        "cual",
        "por qué",
        "cómo",
        "cuánto",
        "dime",
        "recuérdame",
    ],
};
