//! Models and roles in the settings: read, checked, shown without secrets, and looked at by the doctor.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use crate::Stage;

const SECRET: &str = "sk-hunter2";

/// The findings of the doctor about models: outcome, model, and words.
fn found(stage: &Stage, environment: &[(&str, &str)]) -> Vec<(String, String, String)> {
    let rows = stage.run_in(environment, &["doctor", "-o", "json"]).rows();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let about_models = rows.iter().filter(|row| row["check"] == "models");
    about_models
        .map(|row| (text(&row["outcome"]), text(&row["about"]), text(&row["detail"]) + &text(&row["wayOut"])))
        .collect()
}

/// A server that has one model, `tiny`, and answers every question with the list of it.
fn model_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let body = "{\"data\":[{\"id\":\"tiny:latest\"}]}";
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all((head + body).as_bytes());
        }
    });
    port
}

fn settings(port: u16, model: &str) -> String {
    format!(
        "[models.local]\nkind = 'openai'\nbase_url = 'http://127.0.0.1:{port}/v1'\nmodel = '{model}'\n\
         api_key_env = 'LOCAL_KEY'\nanswer_timeout = 5\n[roles.chat]\nmodel = 'local'\n"
    )
}

#[test]
fn a_role_that_names_a_model_nobody_defined_is_refused_wherever_it_is_named() {
    let stage = Stage::new();
    let way_out = "which is not defined; the known ones are claude; or add `[models.local]` to selfhood.toml";
    for (environment, file, origin) in [
        ([("DISTILL_BACKEND_MID", "local")], "", "environment DISTILL_BACKEND_MID: role `distill_mid`"),
        ([("DISTILL_BACKEND_LONG", "")], "[roles.chat]\nmodel = 'local'\n", "selfhood.toml:5: role `chat`"),
        ([("DISTILL_BACKEND_LONG", "")], "[roles.poet]\nmodel = 'local'\n", "selfhood.toml:5: role `poet`"),
    ] {
        let models = "[models.claude]\nkind = 'anthropic'\nmodel = 'c'\n";
        stage.write("home/selfhood.toml", format!("{models}{file}"));
        let ran = stage.run_in(&environment, &["config", "show"]);
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(origin) && ran.stderr.contains(way_out), "{}", ran.stderr);
    }
}

#[test]
fn what_a_model_lacks_is_reported_with_an_example() {
    for (text, message) in [
        ("[models.a]\nmodel = 'm'\n", "has no `kind`; add `kind = \"openai\"`"),
        ("[models.a]\nkind = 'gpt'\n", "must be one of openai, anthropic, offline"),
        ("[models.a]\nkind = 'openai'\nmodel = 'm'\n", "has no `base_url`; add"),
        ("[models.a]\nkind = 'anthropic'\n", "has no `model`; add"),
        ("[models.a]\nkind = 'openai'\nbase_url = 'http://a:b@c'\n", "must hold no user, password"),
        (
            "[models.a]\nkind = 'anthropic'\nmodel = 'm'\napi_key_env = 'A'\napi_key_file = 'b'\n",
            "has both `api_key_env` and `api_key_file`; keep one",
        ),
    ] {
        let stage = Stage::new();
        stage.write("home/selfhood.toml", text);
        let ran = stage.run(&["config", "show"]);
        assert!(ran.status == 2 && ran.stderr.contains(message), "{text}: {}", ran.stderr);
    }
}

#[test]
fn a_server_does_not_start_without_the_key_its_model_needs() {
    let stage = Stage::new();
    stage.write("home/selfhood.toml", settings(9, "tiny"));
    let ran = stage.run(&["serve", "--port", "0"]);
    let message = "model `local` takes its key from LOCAL_KEY, which is not set; set it, or write it into the home's .env";
    assert!(ran.status == 2 && ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn the_doctor_asks_every_model_and_no_secret_is_shown() {
    let stage = Stage::new();
    assert_eq!(stage.run(&["init"]).status, 0);
    let port = model_server();
    stage.write("home/.env", format!("LOCAL_KEY={SECRET}\nDISTILL_BACKEND_MID=local\n"));
    stage.write("home/selfhood.toml", settings(port, "tiny"));
    let expected = (
        "ok".to_owned(),
        "local".to_owned(),
        "answers, as chat, consistency, cues, distill_long, distill_mid, formation".to_owned(),
    );
    assert_eq!(found(&stage, &[]), [expected]);

    stage.write("home/selfhood.toml", settings(port, "huge"));
    let [(outcome, _, words)] = &found(&stage, &[])[..] else { panic!() };
    assert_eq!(outcome, "warn");
    assert_eq!(words, "its server answers, and has no model `huge`its server has tiny:latest");

    let shown = stage.run(&["config", "show", "--origin"]);
    assert!(shown.stdout.contains("LOCAL_KEY") && !shown.stdout.contains(SECRET), "{}", shown.stdout);
}

#[test]
fn a_model_server_is_offered_where_somebody_said_it_may_be_and_nowhere_else() {
    let stage = Stage::new();
    let port = model_server();
    stage.write("home/selfhood.toml", format!("[server]\nmodel_ports = [{port}]\n"));
    let offered = format!("found a model server at http://127.0.0.1:{port}/v1 with tiny:latest");
    let serving = stage.serve(&[]);
    assert!(serving.said.contains(&offered) && serving.said.contains("[roles.chat]"), "{}", serving.said);
    assert_eq!(serving.end().0, 0);
    let [(outcome, _, words)] = &found(&stage, &[])[..] else { panic!() };
    assert!(outcome == "warn" && words.contains(&offered) && words.contains("[models.local]"), "{words}");

    stage.write("home/selfhood.toml", "[server]\nmodel_ports = []\n");
    let [(outcome, _, words)] = &found(&stage, &[])[..] else { panic!() };
    assert!(outcome == "ok" && words.starts_with("no model is configured"), "{words}");
    let refused = stage.run_in(&[("SELFHOOD_SERVER_MODEL_PORTS", "ollama")], &["config", "show"]);
    assert!(refused.stderr.contains("a list of at most 16 ports"), "{}", refused.stderr);
}

#[test]
fn the_doctor_tells_which_model_can_not_be_reached() {
    let stage = Stage::new();
    assert_eq!(stage.run(&["init"]).status, 0);
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    stage.write("home/selfhood.toml", settings(unused, "tiny"));
    let [(outcome, _, words)] = &found(&stage, &[("LOCAL_KEY", SECRET)])[..] else { panic!() };
    assert!(outcome == "warn" && words.contains("model `local` (tiny at http://127.0.0.1:"), "{words}");
    assert!(words.contains("can't be reached; is its server running?") && !words.contains(SECRET), "{words}");
}

#[test]
fn a_model_is_connected_by_a_command_without_a_restart_and_its_key_is_in_no_output() {
    let stage = Stage::new();
    let port = model_server();
    let address = format!("http://127.0.0.1:{port}/v1");
    stage.write(
        "home/selfhood.toml",
        format!("[server]\nmodel_ports = [{port}]\nmodel_providers = ['{address}', 'openai']\n"),
    );
    assert_eq!(stage.run(&["init"]).status, 0);
    let none = stage.run(&["model", "show"]);
    assert!(none.status == 0 && none.stderr.contains("`selfhood model connect` uses it"), "{}", none.stderr);
    let serving = stage.serve(&[]);
    let connected = stage.run(&["model", "connect", "-o", "json"]);
    assert_eq!(connected.status, 0, "{}", connected.stderr);
    let row = &connected.rows()[0];
    assert_eq!((&row["name"], &row["origin"]), (&"tiny:latest".into(), &"connected".into()), "{row}");
    assert_eq!(row["hasApiKey"], false);
    assert_eq!(serving.end().0, 0);

    stage.write("key.txt", format!("{SECRET}\n"));
    let file = stage.path("key.txt").display().to_string();
    let connected =
        stage.run(&["model", "connect", "--provider", &address, "--model", "tiny", "--key-file", &file]);
    assert!(connected.status == 0 && connected.stdout.contains("stored"), "{}", connected.stderr);
    assert!(!(connected.stdout + &connected.stderr).contains(SECRET));
    let checked = found_named(&stage, "model");
    assert!(checked.contains("`tiny` at") && checked.contains("answers"), "{checked}");
    let unknown = stage.run(&["model", "connect", "--provider", "nobody"]);
    assert!(unknown.status == 3 && unknown.stderr.contains("there are: "), "{}", unknown.stderr);
    let gone = stage.run(&["model", "disconnect"]);
    assert!(gone.status == 0 && gone.stderr.contains("no model is connected"), "{}", gone.stderr);
}

/// What the doctor says of one check.
fn found_named(stage: &Stage, check: &str) -> String {
    let rows = stage.run(&["doctor", "-o", "json"]).rows();
    rows.iter().filter(|row| row["check"] == check).map(|row| row["detail"].to_string()).collect()
}
