//! `selfhood persona …`: made, listed, shown, edited, deleted.

use serde_json::json;

use crate::Stage;

#[test]
fn a_persona_is_made_from_templates_or_from_facts() {
    let stage = Stage::with_inara();
    let facts = ["--first-name", "Maya", "--last-name", "Chen", "--age", "34", "--location", "Lisbon"];
    let made = stage.run(&[&["persona", "new"], &facts[..], &["--occupation", "product designer"]].concat());
    assert_eq!(made.status, 0, "{}", made.stderr);
    assert_eq!(stage.run(&["persona", "list", "-o", "quiet"]).stdout, "inara\nmaya-chen\n");
    let shown = stage.run(&["persona", "show", "maya-chen", "-o", "json"]).object();
    assert_eq!(shown["persona"]["summary"], "Maya Chen, 34, based in Lisbon, works as product designer.");
    assert_eq!(shown["timelineEntries"], 1);
    assert!(stage.path("home/default/persona/inara/IDENTITY.md").exists());
}

#[test]
fn a_template_decides_how_a_persona_remembers() {
    let stage = Stage::with_inara();
    assert_eq!(stage.run(&["persona", "new", "flora", "--template", "hospitality"]).status, 0);
    assert_eq!(stage.run(&["persona", "new", "ghost", "--template", "butler"]).status, 2);
    for (name, days, fact) in [("inara", 730, 730.0), ("flora", 90, 180.0)] {
        let shown = stage.run(&["persona", "show", name, "-o", "json"]).object();
        let policy = &shown["document"]["memoryPolicy"];
        assert_eq!(policy["retentionPolicy"]["perPrivacyClass"]["guest-pii"], days, "{name}");
        assert_eq!(policy["decayDefaults"]["semantic"]["halfLifeDays"], fact, "{name}");
        assert_eq!(shown["persona"]["memory"], "on", "{name}");
    }
    let fixed = stage.run(&["doctor", "--fix", "--yes", "-o", "json"]);
    assert!(!fixed.stderr.contains("would change"), "personas made today have a template: {}", fixed.stderr);
}

#[test]
fn a_taken_name_writes_nothing_and_a_wrong_one_is_refused() {
    let stage = Stage::with_inara();
    let before = stage.read("home/default/persona/inara/persona.json");
    for (arguments, status, code) in [
        (&["persona", "new", "inara", "-o", "json"][..], 5, "name_taken"),
        (&["persona", "new", "../x", "-o", "json"], 1, "validation_failed"),
        (&["persona", "show", "nobody", "-o", "json"], 3, "persona_not_found"),
    ] {
        let ran = stage.run(arguments);
        assert_eq!((ran.status, &ran.problem()["code"]), (status, &json!(code)), "{arguments:?}");
    }
    let as_people_write = stage.run(&["persona", "new", "Ana Maria"]);
    let way_out = "persona new ana-maria --display-name \"Ana Maria\"";
    assert!(as_people_write.stderr.contains(way_out), "{}", as_people_write.stderr);
    let too_old =
        ["--first-name", "M", "--last-name", "C", "--age", "200", "--location", "L", "--occupation", "o"];
    let ran = stage.run(&[&["persona", "new", "-o", "json"], &too_old[..]].concat());
    assert_eq!(ran.problem()["errors"][0]["pointer"], "/seed/age");
    assert_eq!(stage.run(&["persona", "new"]).status, 2);
    assert_eq!(stage.run(&["persona", "new", "--first-name", "M"]).status, 2);
    assert_eq!(stage.read("home/default/persona/inara/persona.json"), before);
}

#[test]
fn tenants_do_not_see_each_other() {
    let stage = Stage::with_inara();
    assert_eq!(stage.run(&["--tenant", "scott", "persona", "new", "tina"]).status, 0);
    assert_eq!(stage.run(&["persona", "list", "-o", "quiet"]).stdout, "inara\n");
    let by_environment = stage.run_in(&[("SELFHOOD_TENANT", "scott")], &["persona", "list", "-o", "quiet"]);
    assert_eq!(by_environment.stdout, "tina\n");
    assert_eq!(stage.run(&["persona", "show", "tina"]).status, 3);
}

#[test]
fn an_editor_opens_the_file_that_is_meant() {
    let stage = Stage::with_inara();
    let script = stage.write("editor.sh", "#!/bin/sh\necho edited >> \"$1\"\n");
    let edit = |arguments: &[&str]| stage.run_in(&[("EDITOR", &format!("/bin/sh {script}"))], arguments);
    let edited = edit(&["persona", "edit", "inara", "SOUL.md"]);
    assert_eq!(edited.status, 0, "{}", edited.stderr);
    assert!(edited.stderr.contains("the next request sees it"), "{}", edited.stderr);
    assert!(stage.read("home/default/persona/inara/SOUL.md").ends_with("edited\n"));
    assert_eq!(edit(&["persona", "edit"]).status, 0);
    assert!(stage.read("home/default/persona/inara/IDENTITY.md").ends_with("edited\n"));
    let unknown = edit(&["persona", "edit", "inara", "../../x"]);
    assert_eq!(unknown.status, 3);
    assert!(unknown.stderr.contains("there are: persona.json, IDENTITY.md"), "{}", unknown.stderr);
    assert_eq!(edit(&["persona", "edit", "nobody"]).status, 3);
    assert_eq!(stage.run_in(&[("EDITOR", "/no/such/editor")], &["persona", "edit"]).status, 1);
}

#[test]
fn an_edit_of_the_document_pauses_memory_until_it_is_signed() {
    let stage = Stage::with_inara();
    let file = "home/default/persona/inara/persona.json";
    stage.write(file, stage.read(file).replace("\"safetyTier\": 2", "\"safetyTier\": 1"));
    assert!(stage.run(&["persona", "list"]).stdout.contains("paused"));
    let refused = stage.run(&["memory", "add", "The sauna opens at seven.", "-o", "json"]);
    assert_eq!(refused.problem()["code"], "document_unsigned");
    let signed = stage.run(&["persona", "sign"]);
    assert_eq!(signed.status, 0, "{}", signed.stderr);
    assert_eq!(stage.run(&["memory", "add", "The sauna opens at seven."]).status, 0);
}

#[test]
fn nothing_is_destroyed_unless_somebody_means_it() {
    let stage = Stage::with_inara();
    stage.run(&["memory", "add", "The sauna opens at seven."]);
    let dry = stage.run(&["persona", "delete", "inara", "--dry-run"]);
    assert!(dry.status == 0 && dry.stderr.contains("1 memories"), "{}", dry.stderr);
    let unasked = stage.run(&["persona", "delete", "inara"]);
    assert!(unasked.status == 2 && unasked.stderr.contains("--yes"), "{}", unasked.stderr);
    assert_eq!(stage.run(&["persona", "list", "-o", "quiet"]).stdout, "inara\n");
    assert_eq!(stage.run(&["persona", "delete", "inara", "--yes"]).status, 0);
    assert_eq!(stage.run(&["persona", "list", "-o", "quiet"]).stdout, "");
    assert!(!stage.path("home/default/persona/inara").exists());
    assert_eq!(stage.run(&["persona", "delete", "inara", "--yes"]).status, 3);
}

#[test]
fn the_only_persona_is_meant_and_several_must_be_named() {
    let stage = Stage::new();
    stage.run(&["init"]);
    let nobody = stage.run(&["memory", "add", "x"]);
    assert!(nobody.status == 3 && nobody.stderr.contains("persona new NAME"), "{}", nobody.stderr);
    for name in ["inara", "tina"] {
        stage.run(&["persona", "new", name]);
    }
    let several = stage.run(&["persona", "show"]);
    assert!(several.status == 2 && several.stderr.contains("inara, tina"), "{}", several.stderr);
    assert_eq!(stage.run(&["persona", "show", "--persona", "tina"]).status, 0);
    for (name, gist) in [("inara", "The sauna opens at seven."), ("tina", "The lobby opens at six.")] {
        assert_eq!(stage.run(&["memory", "add", gist, "--persona", name]).status, 0);
    }
    assert_eq!(stage.run(&["memory", "list"]).stdout.lines().count(), 2, "lists span all personas");
    assert_eq!(stage.run(&["memory", "list", "--persona", "tina"]).stdout.lines().count(), 1);
}
