//! How long memories are kept and how fast they fade: templates, the last contact, and documents of earlier versions.

use domain::{EventKind, Template, Timestamp};
use serde_json::{Value, json};
use store::Records;
use wire::read::read_value;

use crate::fixture::{Fixture, guest, in_session};

const NOW: &str = "2026-05-04T10:00:00Z";
const DAY: i64 = 24 * 60;

fn memory(gist: &str, subject: &str) -> Value {
    json!({
        "kind": "semantic", "gist": gist, "salience": 0.9, "privacyClass": "guest-pii",
        "consentBasis": "service-delivery", "subject": subject
    })
}

async fn recalled(fixture: &Fixture, cue: &str, subject: &str) -> String {
    let asked = json!({ "cue": cue, "subject": subject, "offRecord": true });
    let answer =
        fixture.engine.recall(&fixture.call(), &fixture.persona, read_value(asked).unwrap()).await.unwrap();
    answer.rendered.as_str().to_owned()
}

async fn inspected(fixture: &Fixture, gist: &str) -> Value {
    let filter = read_value(json!({ "includeRedacted": true, "limit": 200 })).unwrap();
    let page = fixture.engine.list_memories(&fixture.call(), &fixture.persona, filter).await.unwrap();
    let page = serde_json::to_value(page).unwrap();
    let found =
        page["data"].as_array().unwrap().iter().find(|memory| memory["gist"] == gist).unwrap().clone();
    let id = found["id"].as_str().unwrap().parse().unwrap();
    let seen = fixture.engine.inspect_memory(&fixture.call(), &fixture.persona, id, None).await.unwrap();
    serde_json::to_value(seen).unwrap()
}

async fn document(fixture: &Fixture) -> domain::PersonaDocument {
    fixture.engine.show_persona(&fixture.call(), &fixture.persona).await.unwrap().document
}

#[tokio::test]
async fn a_conversation_keeps_a_guest_and_who_stays_away_is_forgotten_before_any_sweep() {
    let mut fixture = Fixture::new(NOW).await;
    fixture.remember(memory("Ana is allergic to peanuts.", "ana")).await;
    fixture.remember(memory("Bogdan is allergic to peanuts.", "bogdan")).await;
    fixture.later(700 * DAY);
    fixture.say(in_session("sess:again", guest("ana", "I am back in town for a week."))).await;
    fixture.later(31 * DAY);
    // 731 days after both were formed, 31 days after Ana's last conversation.
    assert!(recalled(&fixture, "peanuts", "ana").await.contains("Ana is allergic"));
    assert_eq!(recalled(&fixture, "peanuts", "bogdan").await, "");
    assert!(!fixture.gists().await.contains(&"Bogdan is allergic to peanuts.".to_owned()));
    let bogdan = inspected(&fixture, "Bogdan is allergic to peanuts.").await;
    assert_eq!(bogdan["memory"]["redactionStatus"], "pending-deletion");
    let ana = inspected(&fixture, "Ana is allergic to peanuts.").await;
    assert_eq!(ana["memory"]["redactionStatus"], "active");
    let formed: Timestamp = NOW.parse().unwrap();
    let most = formed.plus(domain::Days(1095.0)).to_string();
    assert_eq!(ana["decay"]["retentionEndsAt"], most, "no contact keeps it past `maxDays`");
    let asked = read_value(json!({ "dryRun": false })).unwrap();
    let swept = fixture.engine.sweep(&fixture.call(), asked).await.unwrap().sweep;
    assert_eq!(swept.personas[0].deleted.len(), 1);
    fixture.later(365 * DAY);
    assert_eq!(recalled(&fixture, "peanuts", "ana").await, "", "three years are the most");
}

#[tokio::test]
async fn what_the_owner_tells_of_themselves_stays_and_a_longer_policy_brings_back_what_was_hidden() {
    let mut fixture = Fixture::new(NOW).await;
    fixture.remember(memory("The owner is allergic to peanuts.", "owner")).await;
    fixture.remember(memory("Ana likes peanuts.", "ana")).await;
    fixture.later(740 * DAY);
    assert!(recalled(&fixture, "peanuts", "owner").await.contains("The owner is allergic"));
    assert_eq!(recalled(&fixture, "peanuts", "ana").await, "");
    let mut policy = document(&fixture).await.memory_policy;
    policy.retention_policy.per_privacy_class.insert(domain::PrivacyClass::GuestPii, Some(1000));
    let longer = read_value(json!({ "memoryPolicy": policy })).unwrap();
    fixture.engine.update_persona(&fixture.call(), &fixture.persona, longer).await.unwrap();
    assert!(recalled(&fixture, "peanuts", "ana").await.contains("Ana likes peanuts"));
}

#[tokio::test]
async fn a_look_ahead_leaves_out_what_will_be_past_its_retention() {
    let fixture = Fixture::new(NOW).await;
    fixture.remember(memory("Ana is allergic to peanuts.", "ana")).await;
    for (at, is_there) in [("2028-05-01T10:00:00Z", true), ("2028-05-06T10:00:00Z", false)] {
        let asked = json!({ "cue": "peanuts", "subject": "ana", "at": at });
        let asked = read_value(asked).unwrap();
        let answer = fixture.engine.recall(&fixture.call(), &fixture.persona, asked).await.unwrap();
        assert_eq!(answer.rendered.as_str().contains("allergic"), is_there, "{at}");
    }
    let id = fixture.memories().await[0]["id"].as_str().unwrap().parse().unwrap();
    let curve = fixture.engine.draw_curve(&fixture.call(), &fixture.persona, id, None, None).await.unwrap();
    let last = serde_json::to_value(curve.crossings.last().unwrap()).unwrap();
    assert_eq!(
        (last["what"].as_str(), last["at"].as_str()),
        (Some("deletion-due"), Some("2028-05-03T10:00:00.000Z"))
    );
}

#[tokio::test]
async fn each_template_is_written_out_and_signed() {
    let fixture = Fixture::new(NOW).await;
    for template in Template::ALL {
        let name = template.as_str();
        let asked = json!({ "name": name, "template": name });
        fixture.engine.set_up_persona(&fixture.call(), read_value(asked).unwrap()).await.unwrap();
        let details = fixture.engine.show_persona(&fixture.call(), &name.parse().unwrap()).await.unwrap();
        assert_eq!(details.document.memory_policy, template.memory_policy(), "{name}");
        assert_eq!(details.document.compliance_profiles, template.compliance_profiles(), "{name}");
        assert_eq!(serde_json::to_value(details.persona.memory).unwrap(), "on", "{name}");
    }
    let seed = json!({ "firstName": "Maya", "lastName": "Chen", "age": 34, "location": "Cluj", "baseOccupation": "baker" });
    let asked = read_value(json!({ "tenantId": "inn", "seed": seed })).unwrap();
    let made = fixture.engine.create_persona(&fixture.call(), asked).await.unwrap().persona.name;
    let details =
        fixture.engine.show_persona(&fixture.call(), &made.as_str().parse().unwrap()).await.unwrap();
    assert_eq!(details.document.memory_policy, Template::Assistant.memory_policy());
    assert!(read_value::<wire::persona::SetUpPersona>(json!({ "name": "x", "template": "butler" })).is_err());
}

#[tokio::test]
async fn a_persona_of_an_earlier_version_is_offered_a_template_and_its_memories_the_half_life_of_their_kind()
{
    let fixture = Fixture::new(NOW).await;
    let mut earlier = domain::template::earlier_policy();
    earlier.ranking.min_relevance = 0.3;
    let replacing = domain::policy_patch::replacing(&earlier);
    let plain = json!({ "memoryPolicy": replacing, "complianceProfiles": [] });
    fixture
        .engine
        .update_persona(&fixture.call(), &fixture.persona, read_value(plain).unwrap())
        .await
        .unwrap();
    fixture.remember(memory("Ana is allergic to peanuts.", "ana")).await;
    let mut decided = memory("Ana likes tulips.", "ana");
    decided["decayProfile"] = json!({ "function": "ebbinghaus", "halfLifeDays": 3, "rehearsalBoost": 1.4,
        "valenceProtection": 0.3, "minimumSalience": 0.05, "detailDecayRate": 1.5 });
    fixture.remember(decided).await;
    let update = |dry_run: bool| {
        let asked = read_value(json!({ "dryRun": dry_run })).unwrap();
        let (engine, call) = (fixture.engine.clone(), fixture.call());
        async move { engine.update_decay(&call, asked).await.unwrap().personas }
    };
    let offered = update(true).await;
    assert_eq!((offered[0].template, offered[0].memories), (Some(Template::Assistant), 1));
    let pointers: Vec<&str> = offered[0].changes.iter().map(|change| change.pointer.as_str()).collect();
    assert!(
        pointers.contains(&"/maxMemoriesPerTurn") && pointers.contains(&"/ranking/minRelevance"),
        "{pointers:?}"
    );
    assert_eq!(document(&fixture).await.memory_policy, earlier, "an offer changes nothing");
    assert_eq!(update(false).await, offered);
    assert_eq!(document(&fixture).await.memory_policy, Template::Assistant.memory_policy());
    let half_lives: Vec<f64> = fixture
        .memories()
        .await
        .iter()
        .map(|memory| memory["decayProfile"]["halfLifeDays"].as_f64().unwrap())
        .collect();
    assert!(half_lives.contains(&730.0) && half_lives.contains(&3.0), "{half_lives:?}");
    let logged = fixture.engine.store().events(&fixture.scope().await, 0..u64::MAX).await.unwrap();
    let count = |kind| logged.iter().filter(|logged| logged.event.kind == kind).count();
    assert_eq!(count(EventKind::MemoryDecayChanged), 1);
    assert_eq!(update(true).await, [], "it is offered once");
}

#[tokio::test]
async fn a_memory_fades_as_its_kind_does_and_a_pinned_one_does_not() {
    let mut fixture = Fixture::new(NOW).await;
    for kind in ["episodic", "semantic", "procedural"] {
        let mut made = memory(&format!("Something {kind} about tea."), "ana");
        made["kind"] = json!(kind);
        fixture.remember(made).await;
    }
    let mut pinned = memory("Ana must not eat peanuts.", "ana");
    pinned["pinned"] = json!(true);
    pinned["kind"] = json!("episodic");
    fixture.remember(pinned).await;
    fixture.later(60 * DAY);
    let weights: Vec<(String, f64)> = fixture
        .memories()
        .await
        .iter()
        .map(|memory| {
            (memory["gist"].as_str().unwrap().to_owned(), memory["currentSalience"].as_f64().unwrap())
        })
        .collect();
    let weight = |part: &str| weights.iter().find(|(gist, _)| gist.contains(part)).unwrap().1;
    assert!((weight("episodic") - 0.45).abs() < 1e-6, "{weights:?}");
    assert!(weight("semantic") > 0.85 && weight("procedural") > 0.85, "{weights:?}");
    assert!((weight("peanuts") - 0.9).abs() < 1e-6, "{weights:?}");
}

#[tokio::test]
async fn what_is_past_its_retention_is_not_imported_exported_or_taken_for_known() {
    let mut fixture = Fixture::new(NOW).await;
    let said = "Remember that my dog is called Bruno.";
    let conversation = fixture.begin(super::fixture::guest("ana", said)).await.unwrap();
    let exchange = conversation.exchange.clone().unwrap();
    conversation.whole().await.unwrap();
    let exported = |fixture: &Fixture| {
        let (engine, call, persona) = (fixture.engine.clone(), fixture.call(), fixture.persona.clone());
        async move {
            let asked = read_value(json!({ "includePii": true })).unwrap();
            engine.export(&call, &persona, asked).await.unwrap().lines
        }
    };
    let lines = exported(&fixture).await;
    assert_eq!(lines.iter().filter(|line| line["gist"].is_string()).count(), 1);
    let remembered = |fixture: &Fixture| {
        let (engine, call, exchange) = (fixture.engine.clone(), fixture.call(), exchange.clone());
        async move { engine.show_exchange(&call, &exchange, None).await.unwrap().report.remembered.len() }
    };
    assert_eq!(remembered(&fixture).await, 1);

    // No conversation keeps it past `maxDays`, and no sweep has run.
    fixture.later(1096 * DAY);
    assert_eq!((fixture.gists().await.len(), remembered(&fixture).await), (0, 0));
    assert!(exported(&fixture).await.iter().all(|line| line["gist"].is_null()));
    let asked = read_value(json!({ "lines": [lines[0]] })).unwrap();
    let imported = fixture.engine.import(&fixture.call(), &fixture.persona, asked).await.unwrap();
    assert_eq!((imported.memories, imported.refused.len()), (0, 1), "{imported:?}");
    assert!(imported.refused[0].detail.contains("retention ended"), "{imported:?}");

    let again = fixture.begin(super::fixture::guest("ana", said)).await.unwrap().whole().await.unwrap();
    assert_eq!(again.formed.unwrap().remembered.len(), 1, "it is learnt as new");
    assert_eq!(fixture.gists().await.len(), 1);
}

#[tokio::test]
async fn a_question_whether_something_is_remembered_is_no_order_to_remember_it() {
    for asked in [
        "Do you remember my cat?",
        "do you remember my cat",
        "Do you remember the name of my cat?",
        "Do you remember when we met in Rome?",
        "Can you remember what I told you?",
        "Remember when we met in Rome, by the sea?",
        "I hope you remember me.",
        "Erinnerst du dich an meine Katze?",
        "Te souviens-tu de mon chat ?",
        "¿Recuerda a mi gato?",
    ] {
        let fixture = Fixture::new(NOW).await;
        let answer = fixture.say(guest("dee", asked)).await;
        assert_eq!(fixture.gists().await, [""; 0], "{asked}");
        assert!(!answer.contains("remember that"), "{asked}: {answer}");
    }
    for said in [
        "Can you remember that my cat is called Momo?",
        "Please remember my cat is called Momo.",
        "Remember, my cat is called Momo, okay?",
        "My cat is called Momo, remember that.",
    ] {
        let fixture = Fixture::new(NOW).await;
        fixture.say(guest("dee", said)).await;
        let kept = fixture.gists().await;
        assert!(kept.len() == 1 && kept[0].contains("Momo"), "{said}: {kept:?}");
    }
}

#[tokio::test]
async fn where_a_person_lives_is_kept_however_short_the_sentence_is() {
    for said in ["I live in York.", "We live in Ely.", "I'm from Bath."] {
        let fixture = Fixture::new(NOW).await;
        fixture.say(guest("dee", said)).await;
        assert_eq!(fixture.gists().await, [said]);
    }
}

#[tokio::test]
async fn names_people_give_themselves_and_what_they_do_for_a_living_are_kept() {
    for said in [
        "Hi Maya! I'm Tessa.",
        "Call me Tess.",
        "I work as a nurse at the children's hospital.",
        "I'm a pharmacist.",
    ] {
        let fixture = Fixture::new(NOW).await;
        fixture.say(guest("ana", said)).await;
        assert_eq!(fixture.gists().await.len(), 1, "{said}");
    }
}

#[tokio::test]
async fn a_request_to_forget_is_answered_with_the_way_and_not_remembered() {
    for said in ["Forget what I said about Mondays.", "Please forget that I play the viola."] {
        let fixture = Fixture::new(NOW).await;
        let reply = fixture.begin(guest("ana", said)).await.unwrap().whole().await.unwrap();
        assert!(fixture.gists().await.is_empty(), "{said}");
        assert!(reply.text.as_str().contains("press Forget"), "{said}: {}", reply.text.as_str());
    }
}
