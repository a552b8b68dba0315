//! A browser comes in by a link or a key, and its cookie opens exactly what its bearer may.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};
use server::client::Ask;

use crate::fixture::{ADDRESS, Answer, Fixture, TENANT};

/// A request as a browser sends it: with a cookie, and saying where it comes from.
fn browser(method: &str, path: &str, cookie: &str, site: Option<&str>, body: Option<Value>) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path).header("host", ADDRESS);
    request = request.header("content-type", "application/json").header("cookie", cookie);
    if let Some(site) = site {
        request = request.header("sec-fetch-site", site);
    }
    request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_string()))).unwrap()
}

async fn sign_in(fixture: &Fixture, asked: Value) -> Answer {
    fixture.send(browser("POST", "/v1/sign-in", "", Some("same-origin"), Some(asked))).await
}

fn cookie(answer: &Answer) -> String {
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

/// The secret of a new link for `tenant`.
async fn link(fixture: &Fixture, tenant: &str) -> String {
    let caller = engine::Caller::local(tenant.parse().unwrap(), domain::Actor::operator("did:key:test"));
    let call = engine::Call { caller, now: crate::fixture::now(), request: None };
    fixture.engine.offer_sign_in(&call).await.unwrap().0
}

#[tokio::test]
async fn a_link_lets_one_browser_in_once() {
    let fixture = Fixture::new().await;
    let secret = link(&fixture, TENANT).await;
    let first = sign_in(&fixture, json!({ "link": secret })).await;
    assert_eq!(first.status.as_u16(), 200, "{}", first.text);
    let set = first.header("set-cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    assert!(!set.contains(&secret));
    let again = sign_in(&fixture, json!({ "link": secret })).await;
    assert_eq!((again.status.as_u16(), &again.problem()["code"]), (401, &json!("unauthorized")));

    let me = fixture.send(browser("GET", "/v1/me", &cookie(&first), Some("same-origin"), None)).await.json();
    assert_eq!((&me["tenant"], &me["speaks"]), (&json!(TENANT), &json!("owner")));
    assert!(me["actor"].as_str().unwrap().starts_with("page:"), "{me}");
}

#[tokio::test]
async fn a_cookie_changes_nothing_unless_our_own_page_asks() {
    let fixture = Fixture::new().await;
    let cookie = cookie(&sign_in(&fixture, json!({ "key": fixture.key })).await);
    let persona = json!({ "name": "inara" });
    for (site, status) in [
        (None, 403),
        (Some("none"), 403),
        (Some("cross-site"), 403),
        (Some("same-site"), 403),
        (Some("same-origin"), 201),
    ] {
        let asked = browser("POST", "/setup/persona", &cookie, site, Some(persona.clone()));
        assert_eq!(fixture.send(asked).await.status.as_u16(), status, "{site:?}");
    }
    let read = fixture.send(browser("GET", "/personas", &cookie, None, None)).await;
    assert_eq!(read.status.as_u16(), 200);
}

#[tokio::test]
async fn a_key_that_was_revoked_signs_out_and_so_does_signing_out() {
    let mut fixture = Fixture::new().await;
    fixture.key = fixture.new_key(TENANT, &["read"]).await;
    let opened = cookie(&sign_in(&fixture, json!({ "key": fixture.key })).await);
    let another = cookie(&sign_in(&fixture, json!({ "key": fixture.key })).await);
    let see = async |cookie: &str| {
        fixture.send(browser("GET", "/personas", cookie, Some("same-origin"), None)).await.status.as_u16()
    };
    let out = fixture.send(browser("POST", "/v1/sign-out", &opened, Some("same-origin"), None)).await;
    assert_eq!(out.status.as_u16(), 204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert_eq!((see(&opened).await, see(&another).await), (401, 200));

    let forbidden =
        fixture.send(browser("POST", "/v1/sign-in-links", &another, Some("same-origin"), None)).await;
    assert_eq!(forbidden.status.as_u16(), 403, "a cookie opens no more than its key");
    let id = fixture.key.split('_').nth(1).unwrap();
    fixture.local(TENANT).send(Ask::new(Method::DELETE, format!("/v1/keys/{id}"))).await.unwrap();
    assert_eq!(see(&another).await, 401);
}

#[tokio::test]
async fn a_cookie_of_one_tenant_sees_nothing_of_another() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let own = cookie(&sign_in(&fixture, json!({ "link": link(&fixture, TENANT).await })).await);
    let other = cookie(&sign_in(&fixture, json!({ "link": link(&fixture, "somebody").await })).await);
    let mut seen = Vec::new();
    for cookie in [&own, &other] {
        let list = fixture.send(browser("GET", "/personas", cookie, Some("same-origin"), None)).await.json();
        seen.push(list["personas"].as_array().unwrap().len());
    }
    assert_eq!(seen, [1, 0]);
    let foreign =
        fixture.send(browser("GET", "/personas/maya-chen", &other, Some("same-origin"), None)).await;
    assert_eq!(foreign.status.as_u16(), 404);
}

#[tokio::test]
async fn the_page_comes_with_a_policy_that_lets_nothing_else_run() {
    let fixture = Fixture::new().await;
    let page = fixture.send(browser("GET", "/ui/p/anybody/chat", "", None, None)).await;
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("require-trusted-types-for 'script'"));
    assert!(!policy.contains("unsafe"), "{policy}");
    let source = page.text.split('"').find(|part| part.ends_with("main.js")).unwrap();
    let script = fixture.send(browser("GET", source, "", None, None)).await;
    assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8");
    assert!(script.header("cache-control").contains("immutable"));
    for lost in
        ["/web/0000/main.js", &source.replace("main.js", "../index.html"), &source.replace("main", "x")]
    {
        let lost = fixture.send(browser("GET", lost, "", None, None)).await;
        assert_eq!(lost.status.as_u16(), 404);
    }
}

#[tokio::test]
async fn signing_in_takes_a_link_or_a_key_from_a_page_and_nothing_else() {
    let fixture = Fixture::new().await;
    let refused = sign_in(&fixture, json!({ "link": "00" })).await;
    assert_eq!(refused.status.as_u16(), 401);
    let both = sign_in(&fixture, json!({ "link": "00", "key": fixture.key })).await;
    assert_eq!(both.problem()["code"], json!("usage"));
    let silent = browser("POST", "/v1/sign-in", "", None, Some(json!({ "key": fixture.key })));
    assert_eq!(fixture.send(silent).await.status.as_u16(), 403, "programs use the key itself");
}
