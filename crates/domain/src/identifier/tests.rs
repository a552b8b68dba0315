use super::*;

fn identifier(text: &str) -> Identifier {
    text.parse().unwrap()
}

/// The result of removing `who` from `text`.
fn replaced(who: &str, text: &str) -> Option<String> {
    replace_identifiers(&[identifier(who)], text)
}

#[test]
fn a_name_is_found_however_it_is_typed_and_only_as_whole_words() {
    for (who, text, left) in [
        ("Ana", "Ana, ana and ANA's scarf", Some("[forgotten], [forgotten] and [forgotten]'s scarf")),
        ("Ana", "a banana for Anabel", None),
        ("Ștefania", "I met stefania and ŞTEFANIA", Some("I met [forgotten] and [forgotten]")),
        ("stefania", "S\u{326}tefania left", Some("[forgotten] left")),
        ("Ｍｕ̈ller", "Herr Müller", Some("Herr [forgotten]")),
        ("Großmann", "GROSSMANN rang", Some("[forgotten] rang")),
        ("Łukasz Øst", "lukasz  ost.", Some("[forgotten].")),
        (
            "Ana Popescu",
            "ana-popescu; Ana\nPopescu; Ana. Later Popescu",
            Some("[forgotten]; [forgotten]; Ana. Later Popescu"),
        ),
        ("Ana Popescu", "Ana went to see Popescu", None),
        ("Popescu", "Po\u{ad}pe\u{200b}scu", Some("[forgotten]")),
        ("田中", "昨日、田中さんが来た", Some("昨日、[forgotten]さんが来た")),
        ("Σωκράτης", "ΣΩΚΡΆΤΗΣ", Some("[forgotten]")),
        ("guest-4471", "guest_4471 and guest-44710", Some("[forgotten] and guest-44710")),
        ("Ana", "", None),
    ] {
        assert_eq!(replaced(who, text).as_deref(), left, "{who} in {text}");
    }
}

#[test]
fn an_address_is_found_in_the_forms_people_give_it() {
    let ana = "Ana.Popescu@example.org";
    for (text, left) in [
        ("write to ana.popescu@EXAMPLE.org.", Some("write to [forgotten].")),
        ("<mailto:ana.popescu@example.org>", Some("<mailto:[forgotten]>")),
        ("ana.popescu+news@example.org", Some("[forgotten]")),
        ("ana.popescu [at] example [dot] org", Some("[forgotten]")),
        ("ana dot popescu at example dot org!", Some("[forgotten]!")),
        ("?to=ana.popescu%40example.org&x", Some("?to=[forgotten]&x")),
        ("ana.popescu＠example.org", Some("[forgotten]")),
        ("ana_popescu@example.org", None),
        ("mariana.popescu@example.org", None),
        ("x.ana.popescu@example.org", None),
        ("ana.popescu@example.org.uk", None),
        ("ana.popescu@example.com", None),
        ("ana popescu, example org", None),
    ] {
        assert_eq!(replaced(ana, text).as_deref(), left, "{text}");
    }
}

#[test]
fn a_number_is_found_with_and_without_its_country_and_however_it_is_grouped() {
    for (number, text, left) in [
        ("+40 721 234 567", "call 0721 234 567 or 0721-234-567", Some("call [forgotten] or [forgotten]")),
        ("+40 721 234 567", "0040721234567, (0721) 234.567", Some("[forgotten], ([forgotten]")),
        ("0721234567", "+40 721 234 567", Some("+[forgotten]")),
        ("020 7946 0958", "+44 (0)20 7946 0958", Some("+[forgotten]")),
        ("+44 (0)20 7946 0958", "020 7946 0958", Some("[forgotten]")),
        ("+40 721 234 567", "room 412 0721 234 567", Some("room 412 [forgotten]")),
        ("+40 721 234 567", "0721 234 568", None),
        ("+40 721 234 567", "99990721234567", None),
        ("+40 721 234 567", "a0721234567", None),
    ] {
        assert_eq!(replaced(number, text).as_deref(), left, "{number} in {text}");
    }
}

#[test]
fn matches_of_several_identifiers_are_merged_and_in_order() {
    let identifiers = [identifier("Popescu"), identifier("Ana Popescu"), identifier("ana@example.org")];
    let text = "Ana Popescu <ana@example.org>";
    assert_eq!(find(&identifiers, text), [0..11, 13..28]);
    let named: Vec<&str> = found_in(&identifiers, "Mr Popescu").into_iter().map(Identifier::as_str).collect();
    assert_eq!(named, ["Popescu"]);
    assert_eq!(replace_identifiers(&[], text), None);
}

#[test]
fn short_names_are_not_telling_and_addresses_are() {
    for (text, distinctive, address) in [
        ("Ana", false, false),
        ("Popescu", true, false),
        ("a@b.co", true, true),
        ("a@b.c", true, true),
        ("0721234", true, true),
        ("12345", false, false),
    ] {
        let identifier = identifier(text);
        assert_eq!((identifier.is_distinctive(), identifier.is_address()), (distinctive, address), "{text}");
    }
}

#[test]
fn an_invalid_identifier_is_refused_and_none_is_printed() {
    for wrong in ["", "  ", "—!", "a\u{7}b", &"a".repeat(257)] {
        assert_eq!(wrong.parse::<Identifier>(), Err(InvalidIdentifier), "{wrong}");
    }
    assert_eq!(format!("{:?}", identifier("ana@example.org")), "Identifier(15 characters)");
}

#[test]
fn the_same_identifier_has_one_canonical_text_however_it_is_typed() {
    for (canonical, ways) in [
        ("ana popescu", &["Ana Popescu", "ANA-POPESCU", "ána  popéscu"][..]),
        ("ana.popescu@example.org", &["Ana.Popescu@Example.org", "ANA.POPESCU＠example.org"]),
        ("40721234567", &["+40 721 234 567", "0040-721-234-567"]),
    ] {
        for way in ways {
            assert_eq!(identifier(way).canonical(), canonical, "{way}");
        }
    }
}

proptest::proptest! {
    #[test]
    fn every_named_person_is_found_and_nothing_else_is_replaced(who in "\\PC{1,12}") {
        let Ok(who) = who.parse::<Identifier>() else { return Ok(()) };
        let text = format!("« {} »", who.as_str());
        let replaced = replace_identifiers(std::slice::from_ref(&who), &text).unwrap_or_default();
        proptest::prop_assert!(replaced.contains(FORGOTTEN), "not found");
        proptest::prop_assert!(replaced.starts_with('«') && replaced.ends_with('»'));
    }
}

#[test]
fn what_is_known_only_by_its_canonical_form_is_found_in_a_text() {
    let is_in = |identifier: &str, text: &str| {
        canonical_forms(text).contains(&identifier.parse::<Identifier>().unwrap().canonical())
    };
    for (identifier, text) in [
        ("Lukas Brandauer", "On Monday LUKAS  Brandauer's car broke down."),
        ("Brandauerlein", "(Brandauerlein) came by"),
        ("+49 170 1234567", "Call 0049 170 1234567 today."),
        ("zoe@example.org", "Met zoe@example.org, at noon"),
    ] {
        assert!(is_in(identifier, text), "{identifier} in {text}");
    }
    // Many people are called so.
    assert!(!is_in("Ana", "Ana came by."));
    assert!(!is_in("Lukas Brandauer", "Lukas met Mr Brandauer."));
}
