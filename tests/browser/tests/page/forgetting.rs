//! Somebody is forgotten, from the first step to a certificate that holds elsewhere.

use std::time::{Duration, Instant};

use crate::stage::Stage;

#[test]
fn somebody_is_forgotten_and_the_downloaded_certificate_holds() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/people/ana");
    tab.press_text("main", "Forget this person");
    tab.see("#subject");
    tab.fill("#identifiers", "Ana Ionescu");
    tab.press_text("main", "See what would go");
    tab.reads("Nothing is kept or changed yet.");
    tab.reads("memory.db:payloads");
    assert_eq!(tab.api("GET", "/v1/erasures", None).1["erasures"].as_array().unwrap().len(), 0);

    tab.press_text("main", "Take the request");
    tab.see("#typed");
    tab.fill("#typed", "something else");
    tab.press_text("main", "Sign and destroy");
    tab.see("#typed:invalid");
    let id = tab.text(".field code");
    tab.fill("#typed", &id);
    tab.press_text("main", "Sign and destroy");
    tab.reads("Certificate of erasure");
    tab.reads("Everything is gone, and that is proven");
    tab.picture("certificate");
    tab.press("#download");

    let file = stage.path(&format!("downloads/certificate-{id}.json"));
    let begun = Instant::now();
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "nothing was downloaded");
        std::thread::sleep(Duration::from_millis(100));
    }
    let verified = stage.run(&["verify", file.to_str().unwrap()]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    tab.visit("/ui/people");
    tab.reads("okafor");
    assert!(!tab.run("return document.body.innerText").as_str().unwrap().contains("ana\n"));
    tab.visit("/ui/people/ana");
    tab.reads("Nobody of this name");
}
