//! What 001 and the contract say of sensitive details: they are not kept without consent, and consent can be spoken.

use serde_json::{Value, json};

use crate::stage::{Server, Stage, event};

/// Lets a person say something, in the conversation `session` if there is one, and gives the end of the answer.
fn say(server: &Server, message: &str, session: Option<&str>) -> Value {
    let said = json!({ "message": message, "persona": "inara", "subject": "olga", "session_id": session });
    event(&server.chat(&said), "done").clone()
}

fn reply(done: &Value) -> &str {
    done["response"].as_str().unwrap()
}

#[test]
fn refused_passages_stay_out_of_digests_and_search_and_the_notice_says_until_when_the_record_keeps_them() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let done = say(&server, "I am HIV positive. I also like tulips.", None);
    let refused = &done["notKept"][0];
    assert_eq!((&refused["reason"], &refused["category"]), (&json!("sensitive_forbidden"), &json!("health")));
    let until = refused["recordUntil"].as_str().unwrap_or_else(|| panic!("{done}"));
    assert!(reply(&done).contains(until.split('T').next().unwrap()), "{done}");
    let asked = json!({ "persona": "inara", "subject": "olga" });
    let distilled = server.post("/distill/short", &asked).expect(200);
    let written = distilled["distilled"][0]["diff"].to_string();
    assert!(written.contains("tulips") && !written.contains("HIV"), "{distilled}");
    let found = |words: &str| {
        server.get(&format!("/sessions/search?q={words}&user=scott&persona=inara&subject=olga")).expect(200)
    };
    assert_eq!(found("HIV")["total"], 0, "{}", found("HIV"));
    let tulips = found("tulips").to_string();
    assert!(tulips.contains("tulips") && !tulips.contains("HIV"), "title and text: {tulips}");
}

#[test]
fn consent_is_given_by_saying_so_and_a_yes() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let healthcare = json!({ "safetyTier": 1, "complianceProfiles": ["gdpr", "healthcare"] });
    server.patch("/personas/inara", &healthcare).expect(200);
    let consents = || server.get("/v1/personas/inara/subjects/olga/consents").expect(200)["data"].clone();
    let first = say(&server, "I have diabetes.", None);
    assert_eq!(first["notKept"][0]["reason"], "consent_not_on_record", "{first}");
    let session = first["session_id"].as_str();
    // A yes to nothing, a negation and a quotation are no consent.
    for no_consent in [
        "You may not remember my health details.",
        "Yes.",
        "My sister said \"you may remember my health details\" to hers.",
        "Yes.",
    ] {
        say(&server, no_consent, session);
    }
    assert_eq!(consents(), json!([]));
    let offered = say(&server, "You may remember my health details.", session);
    assert!(reply(&offered).contains("If you say yes"), "{offered}");
    assert_eq!((&offered["remembered"], consents()), (&json!([]), json!([])), "{offered}");
    say(&server, "Ok, but only my allergies.", session);
    assert_eq!(consents(), json!([]), "that is no yes");
    say(&server, "You may remember my health details.", session);
    let given = say(&server, "Yes, please.", session);
    assert!(reply(&given).contains("you can withdraw"), "{given}");
    let register = consents();
    assert_eq!(register[0]["classes"], json!(["sensitive-pii"]), "{register}");
    let kept = say(&server, "I have diabetes.", session);
    assert_eq!(kept["notKept"], json!([]), "{kept}");
    assert!(kept["remembered"].to_string().contains("diabetes"), "{kept}");
    server.delete("/v1/personas/inara/subjects/olga/consents").expect(200);
    let again = say(&server, "Yes, please.", session);
    assert!(consents().to_string().contains("withdrawnAt"), "{again}");
    assert_eq!(consents().as_array().unwrap().len(), 1, "a yes to nothing gives nothing: {again}");
}
