//! The alert rules and the dashboard in `deploy/monitoring` ask only for what the server really counts.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use domain::{Deadlines, ErasureId, ErasureStatus, ForgettingDeadlines};
use serde_json::json;
use store::{Decision, Deployment as _, DeploymentChange, ErasureRecord};
use wire::Code;
use wire::route::ROUTES;

use crate::fixture::{Fixture, TENANT, now};
use crate::talk::fixture;

fn monitoring(file: &str) -> String {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..");
    fs::read_to_string(root.join("deploy/monitoring").join(file)).unwrap()
}

/// The expressions of the alert rules and of the dashboard's panels.
fn expressions() -> Vec<String> {
    let rules = monitoring("alerts.yaml");
    let mut found: Vec<String> =
        rules.lines().filter_map(|line| line.trim().strip_prefix("expr: ")).map(str::to_owned).collect();
    assert!(found.len() > 5, "does the test still read the rules right?");
    let dashboard: serde_json::Value = serde_json::from_str(&monitoring("dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().into_iter().flatten());
    let asked: Vec<String> = targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect();
    assert!(asked.len() >= panels.len().min(5), "a panel without a query shows nothing");
    found.extend(asked);
    found
}

/// The words of an expression that begin with our prefix.
fn metrics_in(expression: &str) -> BTreeSet<String> {
    let words = expression.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with("selfhood_")).map(str::to_owned).collect()
}

/// What stands between quotes after `label=` in an expression.
fn values_of(label: &str, expression: &str) -> Vec<String> {
    let beginning = format!("{label}=\"");
    let parts = expression.split(&beginning).skip(1);
    parts.filter_map(|part| part.split('"').next()).map(str::to_owned).collect()
}

#[tokio::test]
async fn every_metric_that_is_watched_is_one_that_is_counted() {
    let (fixture, _) = fixture().await;
    fixture.engine.backup_found(domain::Timestamp::from_millis(1_776_867_522_000));
    let said = json!({ "model": "maya-chen", "input": "Where is coffee served?" });
    fixture.ask("POST", "/v1/responses", Some(said)).await;
    fixture.ask("GET", "/v1/models/nobody", None).await;
    let text = fixture.ask("GET", "/metrics", None).await.text;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let counted: BTreeSet<&str> = lines.filter_map(|line| line.split(['{', ' ']).next()).collect();
    for expression in expressions() {
        for metric in metrics_in(&expression) {
            assert!(
                counted.contains(metric.as_str()),
                "{expression} asks for {metric}, which is not in\n{text}"
            );
        }
        for code in values_of("code", &expression) {
            assert!(Code::ALL.iter().any(|own| own.as_str() == code), "{expression}: no code {code}");
        }
        for verb in values_of("verb", &expression) {
            assert!(ROUTES.iter().any(|route| route.verb == verb), "{expression}: no verb {verb}");
        }
        for alarm in values_of("alarm", &expression) {
            assert!(text.contains(&format!("alarm=\"{alarm}\"")), "{expression}: no alarm {alarm}");
        }
    }
}

/// Every node on one database counts the same requests and copies, so their sum would be a multiple.
#[test]
fn what_all_nodes_count_alike_is_not_summed() {
    for expression in expressions() {
        let is_shared =
            ["selfhood_erasures_", "selfhood_key_mirrors"].iter().any(|name| expression.contains(name));
        assert!(!is_shared || !expression.contains("sum"), "{expression}");
    }
}

#[tokio::test]
async fn open_erasures_that_cannot_be_read_are_not_reported_as_none() {
    let fixture = Fixture::new().await;
    let counted = fixture.ask("GET", "/metrics", None).await.text;
    assert!(counted.contains(r#"selfhood_erasures_open{alarm="overdue"} 0"#), "{counted}");
    let unreadable = ErasureRecord {
        id: ErasureId("018f0000-0000-7000-8000-000000000001".parse().unwrap()),
        tenant: TENANT.parse().unwrap(),
        status: ErasureStatus::Received,
        deadlines: Deadlines::of(now(), ForgettingDeadlines::default()),
        changed_at: now(),
        progress: json!("not what the engine writes"),
        private: None,
    };
    let changes = vec![DeploymentChange::PutErasure(Box::new(unreadable))];
    let tenant = TENANT.parse().unwrap();
    let decision = Decision { now: now(), tenant, changes, events: Vec::new() };
    fixture.engine.store().decide(decision).await.unwrap();
    let uncounted = fixture.ask("GET", "/metrics", None).await.text;
    assert!(!uncounted.contains("selfhood_erasures_"), "{uncounted}");
    assert!(uncounted.contains("selfhood_ready 1"), "{uncounted}");
}
