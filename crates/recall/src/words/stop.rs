//! Words too frequent to distinguish memories, for the languages whose function words are listed; words of
//! greeting, thanks and assent are included, since they occur in conversations about anything.
//!
//! A language without a list loses only a little speed: frequent words have almost no weight in the ranking
//! anyway.

/// The stop words of a language, sorted; none for a language without a list.
pub(super) fn words(language: &str) -> &'static [&'static str] {
    match language {
        "en" => ENGLISH,
        "de" => GERMAN,
        "fr" => FRENCH,
        "es" => SPANISH,
        "it" => ITALIAN,
        "pt" => PORTUGUESE,
        "nl" => DUTCH,
        "ro" => ROMANIAN,
        _ => &[],
    }
}

#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "a", "about", "also", "am", "an", "and", "anybody", "anyone", "anything", "are", "as", "at", "be", "been",
    "being", "but", "by", "can", "can't", "could", "d", "did", "didn't", "do", "does", "doing", "don't",
    "down", "everybody", "everyone", "everything", "for", "from", "had", "has", "have", "having", "he",
    "he's", "hello", "her", "here", "hers", "herself", "hey", "hi", "him", "himself", "his", "how", "i",
    "i'd", "i'll", "i'm", "i've", "if", "in", "into", "is", "isn't", "it", "it's", "its", "itself", "just",
    "let's", "ll", "m", "may", "me", "might", "mine", "must", "my", "myself", "no", "nobody", "not",
    "nothing", "of", "oh", "ok", "okay", "on", "or", "our", "ours", "ourselves", "out", "over", "please",
    "re", "s", "shall", "she", "she's", "should", "so", "somebody", "someone", "something", "t", "than",
    "thank", "thanks", "that", "that's", "the", "their", "theirs", "them", "themselves", "then", "there",
    "these", "they", "they're", "this", "those", "to", "too", "up", "us", "ve", "very", "was", "wasn't", "we",
    "we're", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "won't",
    "would", "wow", "yeah", "yes", "you", "you're", "you've", "your", "yours", "yourself",
];

#[rustfmt::skip]
const GERMAN: &[&str] = &[
    "aber", "als", "am", "an", "auch", "auf", "aus", "bei", "bin", "bist", "da", "dann", "das", "dein", "dem",
    "den", "der", "des", "dich", "die", "dir", "dort", "du", "ein", "eine", "einem", "einen", "einer",
    "eines", "er", "es", "für", "haben", "hat", "hatte", "hier", "ich", "ihm", "ihn", "ihr", "ihre", "im",
    "in", "ist", "kann", "kein", "keine", "mein", "mich", "mir", "mit", "nach", "nicht", "noch", "nur",
    "oder", "sein", "sich", "sie", "sind", "so", "um", "und", "uns", "unser", "von", "wann", "war", "waren",
    "warum", "was", "welche", "wenn", "wer", "werden", "wie", "wir", "wird", "wo", "zu", "über",
];

#[rustfmt::skip]
const FRENCH: &[&str] = &[
    "a", "ai", "as", "au", "aux", "avait", "avec", "c'est", "ce", "ces", "cet", "cette", "comment", "d",
    "dans", "de", "des", "du", "elle", "en", "es", "est", "et", "il", "ils", "j'ai", "je", "l", "la", "le",
    "les", "leur", "lui", "ma", "mais", "me", "mes", "moi", "mon", "n", "ne", "notre", "nous", "ont", "ou",
    "où", "par", "pas", "plus", "pour", "pourquoi", "qu", "quand", "que", "quel", "quelle", "qui", "quoi",
    "s", "sa", "se", "ses", "si", "son", "sont", "suis", "sur", "ta", "te", "tes", "toi", "ton", "tu", "un",
    "une", "votre", "vous", "y", "à", "était", "être",
];

#[rustfmt::skip]
const SPANISH: &[&str] = &[
    "a", "al", "con", "cuál", "cuándo", "cómo", "de", "del", "dónde", "el", "ella", "ellos", "en", "era",
    "eres", "es", "esa", "ese", "eso", "esta", "este", "esto", "está", "están", "fue", "ha", "había", "han",
    "has", "he", "la", "las", "le", "les", "lo", "los", "me", "mi", "mis", "muy", "más", "no", "nos",
    "nosotros", "nuestro", "o", "para", "pero", "por", "porqué", "que", "quién", "qué", "se", "ser", "si",
    "sobre", "son", "soy", "su", "sus", "te", "tu", "tus", "tú", "un", "una", "unas", "unos", "y", "ya", "yo",
    "él",
];

#[rustfmt::skip]
const ITALIAN: &[&str] = &[
    "a", "al", "alla", "anche", "aveva", "che", "chi", "ci", "come", "con", "cosa", "da", "dal", "dei", "del",
    "della", "di", "dove", "e", "era", "essere", "gli", "ha", "hai", "hanno", "ho", "i", "il", "in", "io",
    "la", "le", "lei", "lo", "loro", "lui", "ma", "mi", "mia", "mio", "nel", "nella", "noi", "non", "nostro",
    "o", "per", "perché", "più", "quale", "quando", "quella", "quello", "questa", "questo", "se", "sei", "si",
    "sono", "su", "sua", "suo", "ti", "tra", "tu", "tua", "tuo", "un", "una", "uno", "è",
];

#[rustfmt::skip]
const PORTUGUESE: &[&str] = &[
    "a", "ao", "as", "com", "como", "da", "das", "de", "do", "dos", "e", "ela", "ele", "eles", "em", "era",
    "essa", "esse", "esta", "este", "está", "estão", "eu", "foi", "há", "isso", "isto", "já", "lhe", "mais",
    "mas", "me", "meu", "minha", "muito", "na", "nas", "no", "nos", "nosso", "não", "nós", "o", "onde", "os",
    "ou", "para", "por", "porquê", "qual", "quando", "que", "quem", "se", "ser", "seu", "sobre", "sou", "sua",
    "são", "te", "tem", "teu", "tinha", "tu", "um", "uma", "umas", "uns", "você", "à", "é",
];

#[rustfmt::skip]
const DUTCH: &[&str] = &[
    "aan", "als", "ben", "bent", "bij", "daar", "dan", "dat", "de", "deze", "die", "dit", "een", "en", "er",
    "geen", "haar", "had", "heb", "hebben", "heeft", "hem", "het", "hier", "hij", "hoe", "hun", "ik", "in",
    "is", "je", "jij", "jou", "jouw", "kan", "maar", "me", "met", "mij", "mijn", "naar", "niet", "nog", "of",
    "om", "ons", "onze", "ook", "op", "over", "te", "u", "uit", "uw", "van", "voor", "waar", "waarom",
    "wanneer", "waren", "was", "wat", "we", "welke", "wie", "wij", "zal", "ze", "zij", "zijn", "zo",
];

#[rustfmt::skip]
const ROMANIAN: &[&str] = &[
    "a", "acea", "această", "acel", "acest", "ai", "am", "are", "au", "avea", "ca", "care", "ce", "cine",
    "cu", "cum", "când", "că", "dacă", "dar", "de", "despre", "din", "ea", "ei", "el", "era", "este", "eu",
    "fi", "la", "lor", "lui", "mai", "mea", "meu", "mie", "mă", "noi", "nostru", "nu", "o", "pe", "pentru",
    "sau", "se", "sunt", "să", "ta", "te", "tu", "tău", "un", "unde", "voi", "îi", "îl", "în", "și", "ție",
];
