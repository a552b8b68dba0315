//! A talkative persona: two people who chat about everyday things, with any number of turns.

use domain::{Atom, Salience, Trust};

use crate::asking::memory;

const OPENERS: [&str; 16] = [
    "Hey, good to hear from you!",
    "Ok, so listen to this.",
    "Wow, that sounds like a lot of work.",
    "Thanks, that means a lot to me.",
    "Yeah, I know what you mean.",
    "What a day it has been.",
    "That's really cool, how did it go?",
    "I was just thinking about you.",
    "No way, when did that happen?",
    "Honestly, it was hard at first.",
    "Long time no see!",
    "Oh, you would love this.",
    "It's been a busy week here.",
    "Guess what happened this morning?",
    "You always know what to say.",
    "Well, things are fine, more or less.",
];

/// A topic of conversation, and a question that should recall it.
pub(super) const TOPICS: [(&str, &str); 24] = [
    ("My sister adopted a greyhound from the shelter.", "Did your sister adopt a greyhound at the shelter?"),
    ("I signed up for a pottery class on Tuesdays.", "When is your pottery class?"),
    (
        "We painted the bedroom yellow and it looks so bright.",
        "Which colour did you paint the bedroom, yellow?",
    ),
    ("My knee hurts since I fell off the ladder.", "How is your knee after you fell off the ladder?"),
    ("The new bakery sells a rye bread with walnuts.", "Which bakery has the rye bread with walnuts?"),
    (
        "I finally finished writing the letter to my grandmother.",
        "Did you write the letter to your grandmother?",
    ),
    ("Our neighbour plays the trumpet late at night.", "Does the neighbour still play the trumpet at night?"),
    (
        "I lost my wallet on the tram and somebody returned it.",
        "Did somebody return the wallet you lost on the tram?",
    ),
    ("We are saving money for a trip to Portugal.", "Are you still saving for the trip to Portugal?"),
    (
        "My boss moved the meeting, so I work late on Thursday.",
        "Why do you work late on Thursday, did your boss move the meeting?",
    ),
    ("The kids built a fort out of cushions and blankets.", "What did the kids build out of cushions?"),
    ("I started swimming in the lake before breakfast.", "Do you swim in the lake before breakfast?"),
    ("Grandpa told us how he met grandma at a dance.", "How did grandpa meet grandma, at a dance?"),
    ("The dentist says I have to wear a night guard.", "What did the dentist say you have to wear at night?"),
    ("I am learning the accordion from my uncle.", "Who teaches you the accordion, your uncle?"),
    ("We planted tomatoes and basil on the balcony.", "What did you plant on the balcony, tomatoes?"),
    ("My phone fell into the sink and stopped working.", "Did your phone fall into the sink?"),
    (
        "There was a concert in the park with a brass band.",
        "Was there a brass band at the concert in the park?",
    ),
    ("I made a lentil soup with cumin and lemon.", "How did you make the lentil soup, with cumin?"),
    (
        "The cat hid in the wardrobe during the thunderstorm.",
        "Where did the cat hide during the thunderstorm?",
    ),
    (
        "I am reading a novel about a lighthouse keeper.",
        "Which novel about a lighthouse keeper are you reading?",
    ),
    ("My cousin opened a bicycle repair shop.", "Who opened the bicycle repair shop, your cousin?"),
    ("We watched the stars from the roof last night.", "Did you watch the stars from the roof?"),
    ("I volunteer at the food bank every second Saturday.", "When do you volunteer at the food bank?"),
];

const ENDINGS: [&str; 16] = [
    "It takes some time, but it works.",
    "How long do you think it will take?",
    "I'll tell you more about it soon.",
    "What do you do when that happens?",
    "Anyway, how is your family?",
    "It made me really happy.",
    "I can't wait to see how it goes.",
    "The water was cold and the wind was strong.",
    "Remember the wall we used to sit on?",
    "That was the best part of my week.",
    "Let's talk about it when we meet.",
    "I name everything after old friends, you know me.",
    "It was a long way home.",
    "Maybe I should make a list.",
    "Do you have any plans?",
    "You should come and try it.",
];

/// The first `turns` turns of the chat, none of them vivid.
pub(super) fn chatter(turns: u64) -> Vec<Atom> {
    (0..turns).map(turn).collect()
}

fn turn(n: u64) -> Atom {
    let pick = |of: usize, factor: u64| usize::try_from(n.wrapping_mul(factor) >> 40).unwrap_or(0) % of;
    let opener = OPENERS[pick(OPENERS.len(), 0x9e37_79b9_7f4a_7c15)];
    let ending = ENDINGS[pick(ENDINGS.len(), 0xbf58_476d_1ce4_e5b9)];
    let topic = usize::try_from(n / 7).unwrap_or(0) % (TOPICS.len() * 3);
    let said = TOPICS.get(topic).map_or("", |(said, _)| said);
    let mut atom = memory(n + 1, format!("{opener} {said} {ending}").replace("  ", " ").as_str());
    atom.salience = Salience::clamped(0.6);
    atom.provenance.session_id = format!("sess:{}", n / 20).parse().expect("a session id");
    atom.provenance.turn_index = u32::try_from(n % 20).expect("small");
    atom.trust = if n.is_multiple_of(2) { Trust::Operator } else { Trust::Persona };
    atom
}
