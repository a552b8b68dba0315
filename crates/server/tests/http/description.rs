//! What people and programs read about the API.

use axum::body::Body;
use axum::http::Request;
use wire::Code;
use wire::route::ROUTES;

use crate::fixture::{ADDRESS, Answer, Fixture};

async fn page(fixture: &Fixture, path: &str) -> Answer {
    fixture.send(Request::get(path).header("host", ADDRESS).body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn the_description_and_its_page_name_every_route_and_code() {
    let fixture = Fixture::new().await;
    let description = page(&fixture, "/openapi.json").await;
    assert_eq!(description.json()["openapi"], "3.1.0");
    let docs = page(&fixture, "/docs").await;
    assert_eq!(docs.header("content-type"), "text/html; charset=utf-8");
    for route in ROUTES {
        assert!(docs.text.contains(&format!("id=\"{}\"", route.verb)), "{}", route.verb);
        assert!(docs.text.contains(&route.path.replace("{*", "{")), "{}", route.path);
    }
    for code in Code::ALL {
        assert!(docs.text.contains(&format!("/docs/errors/{code}")), "{code}");
        let explained = page(&fixture, &format!("/docs/errors/{code}")).await;
        assert_eq!(explained.status.as_u16(), 200);
        assert!(explained.text.contains("The way out."), "{code}");
    }
}

#[tokio::test]
async fn the_pages_run_no_script_and_fetch_nothing_from_elsewhere() {
    let fixture = Fixture::new().await;
    for path in ["/docs", "/docs/errors/unauthorized", "/docs/style.css"] {
        let page = page(&fixture, path).await;
        assert_eq!(page.status.as_u16(), 200, "{path}");
        assert!(page.header("content-security-policy").starts_with("default-src 'none'; style-src 'self'"));
        for word in ["<script", "http://", "https://", "@import", " style="] {
            assert!(!page.text.contains(word), "{path} has {word}");
        }
    }
}

/// The addresses that a page of ours links to, on this server.
fn own_links(page: &str) -> Vec<String> {
    let links = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let links = links.filter(|link| link.starts_with('/')).filter_map(|link| link.split('#').next());
    links.map(str::to_owned).collect()
}

#[tokio::test]
async fn the_guide_is_read_without_a_key_and_every_link_of_it_is_answered() {
    let fixture = Fixture::new().await;
    let (mut waiting, mut seen) = (vec!["/guide".to_owned()], std::collections::BTreeSet::new());
    while let Some(path) = waiting.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let mut request = fixture.request("GET", &path, None);
        request.headers_mut().remove("x-api-key");
        let answer = fixture.send(request).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}");
        if path.starts_with("/guide") {
            assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{path}");
            assert!(!answer.text.contains("<script"), "{path}");
            waiting.extend(own_links(&answer.text));
        }
    }
    for page in [
        "/guide/start",
        "/guide/glossary",
        "/guide/guides/hotel",
        "/guide/policy",
        "/docs/errors/home_locked",
    ] {
        assert!(seen.contains(page), "nothing links to {page}");
    }
    let unknown = fixture.ask("GET", "/guide/nothing", None).await;
    assert_eq!(unknown.status.as_u16(), 404);
}
