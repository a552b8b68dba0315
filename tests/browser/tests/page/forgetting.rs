//! Somebody is forgotten, from the first step to a certificate that holds elsewhere; so is the owner.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::stage::Stage;
use crate::tab::Tab;

/// The certificate that the page saved by itself.
fn downloaded(stage: &Stage, tab: &Tab) -> PathBuf {
    let id = tab.run("return new URLSearchParams(location.search).get('erasure')");
    let file = stage.path(&format!("downloads/certificate-{}.json", id.as_str().unwrap()));
    let begun = Instant::now();
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "nothing was downloaded");
        std::thread::sleep(Duration::from_millis(100));
    }
    file
}

#[test]
fn somebody_is_forgotten_and_the_downloaded_certificate_holds() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/people/ana");
    tab.press_text("main", "Forget this person");
    tab.see("#subject");
    tab.fill("#identifiers", "Ana Ionescu");
    tab.press_text("main", "See what goes");
    tab.reads("This is a preview. Nothing has been changed.");
    tab.reads("Encryption keys");
    assert!(
        !tab.run("return document.body.innerText").as_str().unwrap().contains("memory.db"),
        "places on disk are a detail"
    );
    assert_eq!(tab.api("GET", "/v1/erasures", None).1["erasures"].as_array().unwrap().len(), 0);

    tab.press_text("main", "Make the request");
    tab.see("#typed");
    tab.fill("#typed", "something else");
    tab.press_text("main", "Sign and destroy");
    tab.see("#typed:invalid");
    tab.fill("#typed", "Ana");
    tab.press_text("main", "Sign and destroy");
    tab.reads("Certificate of erasure");
    tab.reads("Everything is gone");
    tab.reads("Verified in this browser");
    tab.reads("It is about exactly this person: ana, Ana Ionescu.");
    tab.reads("files afterwards found no trace.");
    let refused = tab.run("return performance.getEntriesByType('resource').filter((one) => one.responseStatus >= 400).map((one) => one.name)");
    assert_eq!(refused, serde_json::json!([]), "nothing is asked for that a visitor may not see");
    tab.picture("certificate");
    assert_eq!(tab.violations(), Vec::<String>::new());

    let file = downloaded(&stage, &tab);
    let verified = stage.run(&["verify", file.to_str().unwrap()]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    what_can_not_be_checked_is_not_shown_as_true_or_wrong(&tab, &file);
    tab.visit("/ui/people");
    tab.reads("okafor");
    assert!(!tab.run("return document.body.innerText").as_str().unwrap().contains("ana\n"));
    tab.visit("/ui/people/ana");
    tab.reads("No such person");
}

/// A good certificate, dropped where nobody can be asked who signs, and where there is no Ed25519.
fn what_can_not_be_checked_is_not_shown_as_true_or_wrong(tab: &Tab, file: &std::path::Path) {
    let module = "document.querySelector('script[type=module]').src.replace('main.js', 'lib/state.js')";
    tab.visit("/ui/forget");
    tab.choose_file("#certificate", file);
    tab.until(
        "return document.querySelector('.checked .certificate')?.innerText.includes('Everything is gone')",
    );
    tab.run(&format!("return import({module}).then(({{ state }}) => {{ state.personas = []; }})"));
    let other = file.with_extension("copy.json");
    std::fs::copy(file, &other).unwrap();
    tab.choose_file("#certificate", &other);
    tab.reads("This certificate could not be checked");
    tab.visit("/ui/forget");
    tab.run("crypto.subtle.importKey = () => Promise.reject(new DOMException('no', 'NotSupportedError'))");
    tab.choose_file("#certificate", file);
    tab.reads("This browser can't check Ed25519 signatures.");
    assert_eq!(tab.run("return document.querySelectorAll('.certificate').length"), 0);
    let unreadable = file.with_extension("txt");
    std::fs::write(&unreadable, "{\"type\":\"ErasureCertificate\",\"v\":1,\"proof\":{}}").unwrap();
    tab.visit("/ui/forget");
    tab.choose_file("#certificate", &unreadable);
    tab.reads("This certificate is not valid:");
}

#[test]
fn the_owner_is_forgotten_by_a_short_code_and_the_headline_says_what_was_kept() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    let said = json!({ "tenantId": "default", "personaId": "nora-lindqvist",
        "userPrompt": "I keep a tortoise named Admiral Byrd.", "sessionId": "sess:admiral" });
    assert_eq!(tab.api("POST", "/personas/prompt", Some(said)).0, 200);
    let mention = json!({ "kind": "semantic", "gist": "The keeper of Admiral Byrd likes the quiet room.", "salience": 0.8,
        "privacyClass": "non-pii", "consentBasis": "not-applicable" });
    assert_eq!(tab.api("POST", "/v1/personas/nora-lindqvist/memories", Some(mention)).0, 201);
    tab.visit("/ui/forget");
    tab.press_text("main", "Forget me");
    tab.reads("This is you.");
    tab.fill("#identifiers", "Admiral Byrd");
    tab.press_text("main", "See what goes");
    tab.reads("Messages in them");
    tab.press_text("main", "Make the request");
    tab.see("#typed");
    tab.run("document.querySelectorAll('.proposals li').forEach((one) => (one.querySelector('input').checked = !one.innerText.includes('Byrd')))");
    let code = tab.run("return new URLSearchParams(location.search).get('erasure').slice(-6)");
    tab.fill("#typed", code.as_str().unwrap());
    tab.press_text("main", "Sign and destroy");
    tab.reads("The person's own records are gone. One mention by others was kept.");
    tab.reads("Verified in this browser");
    let file = downloaded(&stage, &tab);
    let verified = stage.run(&["verify", file.to_str().unwrap()]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    let sessions = tab.api("GET", "/v1/personas/nora-lindqvist/sessions", None).1;
    assert_eq!(sessions["data"].as_array().unwrap().len(), 0);

    let id = tab.run("return new URLSearchParams(location.search).get('erasure')");
    let script = format!(
        "return import(document.querySelector('script[type=module]').src.replace('main.js', 'proof/certificate.js')).then(async ({{ checkCertificate }}) => {{ \
         const {{ certificate }} = await (await fetch('/v1/erasures/{}/certificate')).json(); \
         const at = (change) => {{ const copy = structuredClone(certificate); change(copy); return checkCertificate(copy, [certificate.operator]).then(() => 'holds', (broken) => broken.message); }}; \
         return [await at(() => {{}}), await at((copy) => copy.scan.files++), await checkCertificate(certificate, []).catch((broken) => broken.message)]; }})",
        id.as_str().unwrap()
    );
    assert_eq!(tab.run(&script), json!(["holds", "signature", "signer"]), "a changed one is noticed");
}

#[test]
fn a_request_is_withdrawn_before_it_is_signed_and_nothing_is_destroyed() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/forget?who=ana");
    tab.press_text("main", "See what goes");
    tab.reads("you can withdraw it until you sign it");
    tab.press_text("main", "Make the request");
    tab.see("#typed");
    let found = tab.violations();
    assert!(found.is_empty(), "{found:#?}");
    tab.press_text("main", "Withdraw the request");
    tab.reads("The request is withdrawn. Nothing was destroyed.");
    tab.reads("Who asked to be forgotten?");
    tab.until("return document.querySelector('.lines .tag')?.innerText === 'withdrawn'");
    let erasures = tab.api("GET", "/v1/erasures", None).1;
    assert_eq!(erasures["erasures"][0]["status"], "withdrawn", "{erasures}");
    assert_eq!(tab.api("GET", "/v1/subjects/ana", None).0, 200);
}
