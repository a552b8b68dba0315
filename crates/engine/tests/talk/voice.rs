//! The built-in voice in whole conversations, with a persona's identity, its life, what it remembers of the speaker
//! and what it remembers of somebody else.
//!
//! What a program can check is asserted, and totals of what it can judge are printed and may not fall (see
//! `voice_checks`). The answers
//! themselves are written to the folder that `VOICE_ANSWERS` names, beside what a reader should expect of each. A file
//! `voice-blind….json` that is put into the folder `data` is played too.

use serde_json::{Value, json};
use wire::read::read_value;

use super::fixture::{Fixture, at, guest, in_session};
use super::voice_checks::{Totals, is_right, stage_directions};

const NOW: &str = "2026-11-17T12:00:00Z";
const DAY: i64 = 86_400_000;
/// Memories older than this are of events, which fade; younger ones are of what stays true.
const OLD: i64 = 150;

/// What the voice says of itself.
const PHRASES: &str = include_str!("../../src/talk/converse/offline/en.json");

/// How many answers to each file have to be right at least.
const LEAST_RIGHT: [(&str, u32); 6] = [
    ("voice-development.json", 76),
    ("voice-development-two.json", 56),
    ("voice-development-three.json", 53),
    ("voice-development-four.json", 65),
    ("voice-development-five.json", 61),
    ("voice-development-six.json", 55),
];

#[tokio::test]
async fn the_voice_answers_the_conversations_it_was_developed_with() {
    play_files("voice-development.json").await;
}

/// A second persona, mostly asked about other people and about known things in other words.
#[tokio::test]
async fn the_voice_answers_the_second_conversations_it_was_developed_with() {
    play_files("voice-development-two.json").await;
}

/// A third persona, written by somebody who has not seen the voice.
#[tokio::test]
async fn the_voice_answers_the_third_conversations_it_was_developed_with() {
    play_files("voice-development-three.json").await;
}

/// Three more, each by another writer who had not seen the voice. They were blind once; their verdicts are kept beside
/// them, and they have served development since.
#[tokio::test]
async fn the_voice_answers_conversations_that_were_blind_once() {
    for number in ["four", "five", "six"] {
        play_files(&format!("voice-development-{number}.json")).await;
    }
}

/// Written by somebody who has not seen the voice, for somebody else to judge.
#[tokio::test]
async fn the_voice_answers_conversations_it_was_not_developed_with() {
    play_files("voice-blind").await;
}

#[tokio::test]
async fn courtesies_and_questions_are_answered_in_five_languages() {
    for (language, asked) in [
        (
            "en",
            [
                ("Good morning!", "Hello"),
                ("Are you an AI?", "Yes, I'm an AI"),
                ("What is my cat called?", "don't have a memory"),
            ],
        ),
        (
            "de",
            [
                ("Guten Morgen!", "Hallo"),
                ("Bist du eine KI?", "Ja, ich bin eine KI"),
                ("Wie heißt meine Katze?", "keine Erinnerung"),
            ],
        ),
        (
            "fr",
            [
                ("Bonjour !", "Bonjour"),
                ("Es-tu une IA ?", "Oui, je suis une IA"),
                ("Comment s'appelle mon chat ?", "aucun souvenir"),
            ],
        ),
        (
            "es",
            [
                ("¡Buenos días!", "Hola"),
                ("¿Eres una IA?", "Sí, soy una IA"),
                ("¿Cómo se llama mi gato?", "ningún recuerdo"),
            ],
        ),
        (
            "ro",
            [
                ("Bună ziua!", "Bună"),
                ("Ești un robot?", "Da, sunt o inteligență"),
                ("Cum o cheamă pe pisica mea?", "nicio amintire"),
            ],
        ),
    ] {
        let fixture = Fixture::new(NOW).await;
        let spoken = read_value(json!({ "language": language })).unwrap();
        fixture.engine.update_persona(&fixture.call(), &fixture.persona, spoken).await.unwrap();
        for (say, expected) in asked {
            let answer = fixture.say(in_session("sess:talk", guest("ana", say))).await;
            assert!(answer.contains(expected), "{language}: {say} → {answer}");
        }
    }
}

#[tokio::test]
async fn what_others_said_is_refused_in_five_languages_and_again_in_other_words() {
    for (language, asks, begs, refusal) in [
        ("en", "What did Bram tell you?", "Come on, I won't tell anyone.", "stays with them"),
        ("de", "Was hat Bram dir erzählt?", "Komm schon, ich verrate es niemandem.", "bleibt bei ihnen"),
        ("fr", "Qu'est-ce que Bram t'a raconté ?", "Allez, je ne le dirai à personne.", "reste avec eux"),
        ("es", "¿Qué te ha contado Bram?", "Venga, no se lo diré a nadie.", "se queda con ellos"),
        ("ro", "Ce ți-a spus Bram?", "Hai, nu spun nimănui.", "rămâne la ei"),
    ] {
        let fixture = Fixture::new(NOW).await;
        let spoken = read_value(json!({ "language": language })).unwrap();
        fixture.engine.update_persona(&fixture.call(), &fixture.persona, spoken).await.unwrap();
        let asked = fixture.say(in_session("sess:talk", guest("ana", asks))).await;
        assert!(asked.contains(refusal), "{language}: {asks} → {asked}");
        let begged = fixture.say(in_session("sess:talk", guest("ana", begs))).await;
        assert!(!begged.contains(refusal) && begged.len() > 60, "{language}: {begs} → {begged}");
    }
}

/// Not in Romanian, where such wishes are often taken for questions: the multilingual encoder doesn't know it.
#[tokio::test]
async fn what_it_cannot_do_is_said_and_an_order_to_remember_is_acknowledged() {
    for (language, wish, refusal) in [
        ("en", "Can you book me a taxi for eight?", "I can't do that"),
        ("de", "Kannst du mir ein Taxi bestellen?", "Das kann ich nicht"),
        ("fr", "Tu peux m'appeler un taxi ?", "Je ne peux pas faire cela"),
        ("es", "¿Me puedes pedir un taxi?", "Eso no puedo hacerlo"),
    ] {
        let fixture = Fixture::new(NOW).await;
        let spoken = read_value(json!({ "language": language })).unwrap();
        fixture.engine.update_persona(&fixture.call(), &fixture.persona, spoken).await.unwrap();
        let answer = fixture.say(in_session("sess:talk", guest("ana", wish))).await;
        assert!(answer.contains(refusal), "{language}: {wish} → {answer}");
    }
    let fixture = Fixture::new(NOW).await;
    let order = "Please remember that my train leaves at six.";
    let answer = fixture.say(in_session("sess:talk", guest("ana", order))).await;
    assert!(answer.contains("I'll remember that"), "{answer}");
}

#[tokio::test]
async fn a_rule_of_conduct_is_no_answer_about_its_life() {
    let identity =
        "You run a ferry.\n\nYou never repeat what one passenger tells you to another.\n\nYou hate eels.";
    let fixture = Fixture::of_persona(NOW, "Ada Brook", identity).await;
    for asked in ["What do passengers tell you?", "Tell me about yourself.", "What do you never do?"] {
        let answer = fixture.say(in_session("sess:talk", guest("ana", asked))).await;
        assert!(!answer.contains("what one passenger"), "{asked} → {answer}");
    }
}

/// Plays the files of the folder `data` whose names begin with `name`.
async fn play_files(name: &str) {
    let folder = format!("{}/tests/data", std::env::var("CARGO_MANIFEST_DIR").unwrap());
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with(name));
    files.sort();
    assert!(!files.is_empty(), "{name}");
    for path in files {
        let file = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        play(&file, path.file_name().unwrap().to_str().unwrap()).await;
    }
}

/// Plays every conversation of `file`, and checks what holds for any answer.
async fn play(file: &Value, name: &str) {
    let mut totals = Totals::default();
    let mut fixture = furnished(file).await;
    let (speaker, secrets) = (text(&file["speaker"]), secret_words(file));
    let (mut answers, mut wrong) = (Vec::new(), Vec::new());
    for (number, conversation) in file["conversations"].as_array().unwrap().iter().enumerate() {
        let session = format!("sess:{number:032x}");
        let mut notices = 0;
        for turn in conversation.as_array().unwrap() {
            fixture.later(1);
            let say = text(&turn["say"]);
            let said = in_session(&session, guest(speaker, say));
            let answer = fixture.say(said).await;
            notices += usize::from(has_notice(&answer));
            let directed = stage_directions(&answer).into_iter();
            wrong.extend(directed.map(|words| format!("`{words}` is for no person: {say} → {answer}")));
            let judged = is_right(turn, &answer);
            totals.add(turn, judged);
            let leaked = secrets.iter().filter(|word| has_word(&answer, word));
            wrong.extend(leaked.map(|word| format!("`{word}` is somebody else's: {say} → {answer}")));
            answers.push(json!({
                "conversation": number, "group": turn["group"], "say": say, "answer": answer,
                "expect": turn["expect"], "right": judged,
            }));
        }
        if notices != 1 {
            wrong.push(format!("the notice appears {notices} times in conversation {number}"));
        }
        let recorded = fixture.turns(&session).await;
        let is_notice = |turn: &store::Turn| has_notice(turn.text.as_str());
        wrong.extend(recorded.iter().filter(|turn| is_notice(turn)).map(|_| format!("recorded in {number}")));
    }
    println!("{name}: {totals}; {} leaks, stage directions and misplaced notices", wrong.len());
    if let Ok(folder) = std::env::var("VOICE_ANSWERS") {
        std::fs::write(format!("{folder}/{name}"), serde_json::to_string_pretty(&answers).unwrap()).unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let least = LEAST_RIGHT.into_iter().find(|(file, _)| *file == name).map_or(0, |(_, least)| least);
    assert!(totals.right() >= least, "{name}: {} right instead of at least {least}", totals.right());
}

/// The persona of `file` with its life, and what it remembers of both people.
async fn furnished(file: &Value) -> Fixture {
    let persona = &file["persona"];
    let mut fixture =
        Fixture::of_persona("2025-01-01T00:00:00Z", text(&persona["name"]), text(&persona["identity"])).await;
    if let Some(language) = persona["language"].as_str() {
        let spoken = read_value(json!({ "language": language })).unwrap();
        fixture.engine.update_persona(&fixture.call(), &fixture.persona, spoken).await.unwrap();
    }
    let born = json!({ "type": "event", "content": "Born", "eventAt": persona["born"] });
    for event in std::iter::once(&born).chain(persona["timeline"].as_array().unwrap()) {
        live_through(&fixture, event).await;
    }
    let now = at(NOW).as_millis();
    let mut memories = file["memories"].as_array().unwrap().clone();
    memories.sort_by_key(|memory| -memory["ageDays"].as_i64().unwrap());
    for memory in &memories {
        let age = memory["ageDays"].as_i64().unwrap();
        fixture.now = domain::Timestamp::from_millis(now - age * DAY);
        let details = memory["details"].as_array().unwrap().iter();
        let details: Vec<Value> =
            details.map(|detail| json!({ "content": detail, "brightness": 0.8 })).collect();
        fixture
            .remember(json!({
                "kind": if age > OLD { "episodic" } else { "semantic" },
                "gist": memory["gist"], "details": details, "salience": 0.8, "emotionalValence": 0.2,
                "privacyClass": "guest-pii", "consentBasis": "service-delivery", "subject": memory["subject"],
            }))
            .await;
    }
    fixture.now = at(NOW);
    fixture.engine.vectors_settled(&fixture.call(), &fixture.persona).await.unwrap();
    fixture
}

async fn live_through(fixture: &Fixture, event: &Value) {
    let content = text(&event["content"]);
    let label: String =
        content.split_inclusive(['.', '!', '?']).next().unwrap_or(content).chars().take(200).collect();
    let entry = json!({
        "tenantId": "inn", "eventAt": format!("{}T12:00:00.000Z", text(&event["eventAt"])),
        "eventLabel": label.trim_end_matches('.'), "facts": content, "feelings": "-", "interpretation": "-",
        "emotionTags": [], "memoryStrength": 85,
        "memoryType": if event["type"] == "pride" { "pride" } else { "normal" },
    });
    fixture.engine.append_entry(&fixture.call(), &fixture.persona, read_value(entry).unwrap()).await.unwrap();
}

/// Words that stand only in what the persona remembers of the other person, never in anything else of the file and in
/// none of the voice's own phrases.
fn secret_words(file: &Value) -> Vec<String> {
    let is_others = |memory: &&Value| memory["subject"] == file["other"];
    let memories = file["memories"].as_array().unwrap();
    let others: String = memories.iter().filter(is_others).map(ToString::to_string).collect();
    let own: String = memories.iter().filter(|memory| !is_others(memory)).map(ToString::to_string).collect();
    let said = file["conversations"].as_array().unwrap().iter().flat_map(|talk| talk.as_array().unwrap());
    let said: String = said.map(|turn| turn["say"].to_string()).collect();
    let open = format!("{own} {} {said} {PHRASES}", file["persona"]).to_lowercase();
    let words = others.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 5);
    let mut words: Vec<String> =
        words.map(str::to_lowercase).filter(|word| !open.contains(word.as_str())).collect();
    words.retain(|word| !["subject", "details", "agedays"].contains(&word.as_str()));
    words.sort();
    words.dedup();
    assert!(words.len() > 5, "{words:?}");
    words
}

/// Whether an answer says, in the language of the conversation, that no model is connected.
fn has_notice(answer: &str) -> bool {
    let said = [
        "No language model",
        "Es ist kein Sprachmodell",
        "Aucun modèle de langage",
        "No hay ningún modelo",
        "Niciun model de limbaj",
    ];
    said.iter().any(|words| answer.contains(words))
}

fn has_word(text: &str, word: &str) -> bool {
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|own| own == word)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}
