//! Whatever people say, it is text: no script of theirs runs, no dialog opens, nothing outside is asked for.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::stage::Stage;
use crate::tab::Tab;

/// Ways to become markup, each around a payload that would be noticed.
const SHAPES: &[&str] = &[
    "<script>{js}</script>",
    "<img src=x onerror=\"{js}\">",
    "<img src=\"{url}/i.png\">",
    "<svg onload=\"{js}\"></svg>",
    "<svg><script>{js}</script></svg>",
    "<iframe src=\"javascript:{js}\"></iframe>",
    "<iframe srcdoc=\"<script>{js}</script>\"></iframe>",
    "<a href=\"javascript:{js}\">click</a>",
    "[click](javascript:{js})",
    "![x]({url}/m.png)",
    "![x](javascript:{js})",
    "<style>@import '{url}/s.css';</style>",
    "<link rel=stylesheet href={url}/l.css>",
    "<body onload={js}>",
    "<input autofocus onfocus={js}>",
    "<details open ontoggle={js}>x</details>",
    "<video><source onerror={js}></video>",
    "<object data=\"{url}/o\"></object>",
    "<embed src=\"{url}/e\">",
    "<form action=\"{url}\"><button>go</button></form>",
    "<math><mtext></p><img src=x onerror={js}></mtext></math>",
    "\"><script>{js}</script>",
    "' onmouseover='{js}",
    "${{js}}",
    "{{constructor.constructor('{js}')()}}",
    "`${{js}}`",
    "</textarea><script>{js}</script>",
    "</title><script>{js}</script>",
    "</style><script>{js}</script>",
    "<!--><script>{js}</script>-->",
    "<![CDATA[<script>{js}</script>]]>",
    "<scr<script>ipt>{js}</scr</script>ipt>",
    "\u{1}0\u{1}<b onclick={js}>b</b>",
    "<base href=\"{url}/\">",
    "<meta http-equiv=refresh content=\"0;url={url}\">",
    "<template><img src=x onerror={js}></template>",
    "<noscript><p title=\"</noscript><img src=x onerror={js}>\">",
    "<marquee onstart={js}>x</marquee>",
    "<a href=\"{url}\" ping=\"{url}/ping\">x</a>",
    "data:text/html,<script>{js}</script>",
];

/// Two hundred of them: every shape with five payloads.
fn strings(url: &str) -> Vec<String> {
    let payloads = ["window.pwned=1", "alert(1)", "confirm(1)", "fetch('URL/f')", "location='URL/x'"];
    let all = SHAPES
        .iter()
        .flat_map(|shape| payloads.iter().map(move |js| shape.replace("{js}", js).replace("{url}", url)));
    all.map(|text| text.replace("URL", url).chars().take(190).collect()).collect()
}

/// A place elsewhere that counts who comes.
fn outside() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (url, visits) = (format!("http://{}", listener.local_addr().unwrap()), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&visits);
    std::thread::spawn(move || {
        for _ in listener.incoming() {
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    (url, visits)
}

fn fill_every_field(tab: &Tab, strings: &[String]) {
    let p = "/v1/personas/nora-lindqvist";
    for text in strings {
        let memory = json!({ "kind": "episodic", "gist": text, "details": [{ "content": text, "brightness": 1.0 }], "salience": 1.0,
            "tags": [text.chars().take(60).collect::<String>()], "privacyClass": "non-pii", "consentBasis": "not-applicable" });
        let made = tab.api("POST", &format!("{p}/memories"), Some(memory));
        assert_eq!(made.0, 201, "{text}: {}", made.1);
    }
    for text in strings.iter().step_by(8) {
        let event = json!({ "tenantId": "default", "eventAt": "2026-11-01T00:00:00Z", "eventLabel": text, "facts": text, "feelings": text,
            "interpretation": text, "emotionTags": [text.chars().take(60).collect::<String>()], "memoryType": "normal", "memoryStrength": 90 });
        let added = tab.api("POST", "/personas/nora-lindqvist/timeline", Some(event));
        assert_eq!(added.0, 201, "{}", added.1);
    }
    let whole = strings.join("\n\n");
    let script = format!(
        "return fetch('/files/HELP.md?persona=nora-lindqvist').then((a) => a.json()).then(({{ file }}) => fetch('/files/HELP.md?persona=nora-lindqvist', {{ method: 'PUT', headers: {{ 'content-type': 'application/json', 'if-match': file.etag }}, body: JSON.stringify({{ content: {} }}) }})).then(async (a) => (await a.text(), a.status))",
        json!(whole)
    );
    assert_eq!(tab.run(&script), 200);
    let renamed = json!({ "displayName": strings[1].chars().take(180).collect::<String>() });
    assert_eq!(tab.api("PATCH", "/personas/nora-lindqvist", Some(renamed)).0, 200);
    for text in [&strings[0], &strings[5], &strings[45]] {
        let said = json!({ "tenantId": "default", "personaId": "nora-lindqvist", "userPrompt": format!("Remember this: {text}"), "sessionId": "sess:hostile" });
        assert_eq!(tab.api("POST", "/personas/prompt", Some(said)).0, 200);
    }
}

#[test]
fn two_hundred_hostile_strings_in_every_field_stay_text() {
    let (url, visits) = outside();
    let stage = Stage::demo();
    let tab = stage.signed_in();
    let strings = strings(&url);
    assert_eq!(strings.len(), 200);
    fill_every_field(&tab, &strings);
    let (_, page) = tab.api("GET", "/v1/personas/nora-lindqvist/memories?limit=1", None);
    let memory = format!("/ui/p/nora-lindqvist/memories/{}", page["data"][0]["id"].as_str().unwrap());
    let script = json!("<script>");
    for (place, sign) in [
        ("/ui/p/nora-lindqvist/memories", "sh-virtual-list .memory"),
        (memory.as_str(), "svg.curve"),
        (
            "/ui/p/nora-lindqvist/memories?q=%3Cimg%20src=x%20onerror=alert(1)%3E%20alert%20window.pwned",
            "sh-virtual-list .memory, .none .empty",
        ),
        ("/ui/p/nora-lindqvist/timeline", ".life .entry"),
        ("/ui/p/nora-lindqvist/files?name=HELP.md&q=script", ".found-turn, .found p"),
        ("/ui/p/nora-lindqvist/audit", ".proof"),
        ("/ui/personas", ".people li"),
        ("/ui/help", ".own .words p"),
        ("/ui/settings", "table"),
        ("/ui/p/nora-lindqvist/chat?session=sess:hostile", ".turn.theirs .words"),
        (
            "/ui/p/%3Cscript%3Ealert(1)%3C%2Fscript%3E/memories?tag=%3Cimg%20src=x%20onerror=alert(1)%3E&at=javascript:alert(1)",
            "main",
        ),
    ] {
        tab.goto(&format!("{}{place}", stage.url));
        tab.see(sign);
        tab.run("window.scrollTo(0, document.body.scrollHeight)");
        assert!(!tab.has_dialog(), "{place} opened a dialog");
        let seen = tab.run("return [window.pwned ?? null, [...document.querySelectorAll('main script, main iframe, main object, main embed, main link, main style, main img, main base, main meta, main [onerror], main [onclick], main [onload]')].length, performance.getEntriesByType('resource').every((entry) => entry.name.startsWith(location.origin)), location.origin]");
        assert_eq!(seen, json!([Value::Null, 0, true, stage.url]), "{place}");
    }
    tab.visit("/ui/p/nora-lindqvist/memories");
    tab.until(&format!("window.scrollBy(0, 600); return document.querySelector('sh-virtual-list').innerText.includes({script})"));
    assert_eq!(visits.load(Ordering::SeqCst), 0, "something outside was asked for");
}
