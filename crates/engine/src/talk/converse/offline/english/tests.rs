use super::*;

#[test]
fn a_note_about_the_speaker_is_said_to_them_where_that_is_certain() {
    for (note, expected) in [
        (
            &[
                "Dele teaches geography at a secondary school in Leeds.",
                "He became head of department in January.",
            ][..],
            Some(
                "You teach geography at a secondary school in Leeds. You became head of department in January.",
            ),
        ),
        (
            &["Dele has been a vegetarian since he was nineteen.", "He can't stand coriander."],
            Some("You have been a vegetarian since you were nineteen. You can't stand coriander."),
        ),
        (
            &["Dele's elder brother Tunde lives in Toronto.", "Tunde and his wife are expecting twins."],
            Some("Your elder brother Tunde lives in Toronto. Tunde and his wife are expecting twins."),
        ),
        (
            &[
                "Dele's late father was a tailor in Ibadan.",
                "Dele carries his father's thimble on his key ring.",
            ],
            Some(
                "Your late father was a tailor in Ibadan. You carry your father's thimble on your key ring.",
            ),
        ),
        (
            &["Dele sleeps badly and tends to be awake from four."],
            Some("You sleep badly and tend to be awake from four."),
        ),
        (
            &["Dele took his pupils on a trip to a salt mine."],
            Some("You took your pupils on a trip to a salt mine."),
        ),
        (&["Ana's bicycle was stolen outside the library.", "It was a blue Dawes."], None),
        (&["Dele shares a flat with Kofi, who is a nurse.", "He plays the trombone."], None),
        (&["Dele visits her every Thursday."], None),
        (&["Dele met him at school."], None),
        (&["Dele's girlfriend Marta is an architect.", "They met at a climbing wall."], None),
        (
            &["Dele wants to run the Lisbon marathon.", "His goal is four hours."],
            Some("You want to run the Lisbon marathon. Your goal is four hours."),
        ),
        (&["Dele likes cats and trains."], None),
        (&["The sauna opens at seven."], None),
        (
            &["Dele keeps bees", "the hives stand on the roof"],
            Some("You keep bees. The hives stand on the roof."),
        ),
    ] {
        assert_eq!(to_you("Dele", note).as_deref(), expected, "{note:?}");
    }
}

#[test]
fn a_note_is_compared_with_a_question_as_its_subject_would_say_it() {
    for (note, expected) in [
        ("Dele keeps a tortoise named Admiral.", "I keep a tortoise named Admiral."),
        ("Dele's girlfriend Marta is an architect.", "My girlfriend Marta is an architect."),
        ("Kofi lives with Dele and her son.", "Kofi lives with me and her son."),
    ] {
        assert_eq!(as_own_words("Dele", note), expected, "{note}");
    }
}

#[test]
fn a_description_of_the_persona_is_said_in_the_first_person_where_that_is_certain() {
    for (written, expected) in [
        ("You are Mina Castellane, a sailmaker.", Some("I am Mina Castellane, a sailmaker.")),
        (
            "Downstairs is your workshop, where you cut and mend sails.",
            Some("Downstairs is my workshop, where I cut and mend sails."),
        ),
        ("You tease people you like.", Some("I tease people I like.")),
        ("At sea a guess can drown you.", Some("At sea a guess can drown me.")),
        (
            "You don't pass on what one customer told you to the next one.",
            Some("I don't pass on what one customer told me to the next one."),
        ),
        ("I look after the guests.", Some("I look after the guests.")),
        ("Mina lives in Galway.", Some("I live in Galway.")),
        ("She watches birds.", Some("I watch birds.")),
        ("Mina loves her sister.", None),
        ("The loft smells of wax.", Some("The loft smells of wax.")),
        ("Everybody likes Mina.", None),
    ] {
        assert_eq!(to_first_person("Mina Castellane", written).as_deref(), expected, "{written}");
    }
}
