use serde_json::json;

use super::*;

const VS_CODE: &str = r#"{
	// Servers of the whole team.
	"servers": {
		"github": { "type": "http", "url": "https://example.org//mcp" }, // not ours
	},
	/* secrets are asked for */
	"inputs": []
}
"#;

#[test]
fn everything_else_stays_comments_and_trailing_commas_too() {
    let value = json!({ "type": "stdio", "args": ["mcp"] });
    let edited = set(VS_CODE, &["servers", "selfhood"], &value).unwrap();
    let expected = r#"{
	// Servers of the whole team.
	"servers": {
		"github": { "type": "http", "url": "https://example.org//mcp" }, // not ours
		"selfhood": {
			"type": "stdio",
			"args": [
				"mcp"
			]
		},
	},
	/* secrets are asked for */
	"inputs": []
}
"#;
    assert_eq!(edited, expected);
    assert_eq!(set(&edited, &["servers", "selfhood"], &value).unwrap(), edited, "twice is once");
    assert_eq!(remove(&edited, &["servers", "selfhood"]).unwrap(), VS_CODE);
    assert_eq!(get(&edited, &["servers", "selfhood"]).unwrap(), Some(value));
}

#[test]
fn what_is_missing_is_made() {
    let one = json!(1);
    for (text, expected) in [
        ("", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"),
        ("{}", "{\n  \"a\": {\n    \"b\": 1\n  }\n}"),
        ("{\"x\": 2}\n", "{\"x\": 2,\n  \"a\": {\n    \"b\": 1\n  }\n}\n"),
        ("{\n    \"x\": 2\n}\n", "{\n    \"x\": 2,\n    \"a\": {\n        \"b\": 1\n    }\n}\n"),
        ("{\n  \"a\": {}\n}\n", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"),
        ("{\n  \"a\": {\n    \"b\": [2]\n  }\n}\n", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"),
    ] {
        let edited = set(text, &["a", "b"], &one).unwrap();
        assert_eq!(edited, expected, "{text}");
        assert_eq!(get(&edited, &["a", "b"]).unwrap(), Some(one.clone()), "{text}");
    }
}

#[test]
fn a_member_is_taken_out_wherever_it_stands() {
    for (text, expected) in [
        ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"b\": 2\n}\n"),
        ("{\n  \"b\": 2,\n  \"a\": 1\n}\n", "{\n  \"b\": 2\n}\n"),
        ("{\n  \"a\": 1\n}\n", "{\n}\n"),
        ("{\"a\": 1}", "{}"),
        ("{\n  \"b\": 2\n}\n", "{\n  \"b\": 2\n}\n"),
    ] {
        assert_eq!(remove(text, &["a"]).unwrap(), expected, "{text}");
    }
}

#[test]
fn an_item_is_added_to_an_array_and_taken_out_again_between_comments() {
    let item = json!({ "id": "key" });
    for (text, expected) in [
        (
            "{\n  // asked once\n  \"a\": [\n    { \"id\": 1 } // first\n    // last\n  ]\n}\n",
            "{\n  // asked once\n  \"a\": [\n    { \"id\": 1 }, // first\n    // last\n    {\n      \"id\": \"key\"\n    }\n  ]\n}\n",
        ),
        (
            "{\n\t\"a\": [\n\t\t1,\n\t]\n}\n",
            "{\n\t\"a\": [\n\t\t1,\n\t\t{\n\t\t\t\"id\": \"key\"\n\t\t},\n\t]\n}\n",
        ),
    ] {
        let edited = append(text, &["a"], &item).unwrap();
        assert_eq!(edited, expected);
        assert_eq!(remove_items(&edited, &["a"], |found| *found == item).unwrap(), text);
    }
    assert_eq!(append("{}", &["a"], &json!(1)).unwrap(), "{\n  \"a\": [\n    1\n  ]\n}");
    assert_eq!(append("{\"a\": []}", &["a"], &json!(1)).unwrap(), "{\"a\": [\n  1\n]}");
    assert_eq!(
        remove_items("{\"a\": [1, 2, 1]}", &["a"], |found| *found == json!(1)).unwrap(),
        "{\"a\": [ 2 ]}"
    );
}

#[test]
fn a_text_that_is_no_json_is_refused_with_its_line() {
    for (text, line) in [("{\n  \"a\": \n}\n", 3), ("{\n  \"a\" 1\n}", 2), ("[1]", 1), ("{\n\"a\": \"x", 2)] {
        assert_eq!(set(text, &["a"], &json!(1)), Err(NotJson { line }), "{text}");
    }
}
