//! Reads `selfhood.toml`: a key that is not in the catalogue is refused with its line.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::catalogue;
use crate::config::value::Raw;

/// One value of the file and its line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileValue {
    pub(super) line: usize,
    pub(super) raw: Raw,
}

/// What is wrong with the file, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) line: usize,
    pub(super) message: String,
}

/// Reads every setting of `text`, by key.
pub(super) fn parse(text: &str) -> Result<BTreeMap<String, FileValue>, Fault> {
    let whole_text = |error: &toml::de::Error| error.span().map_or(1, |span| line_of(text, &span));
    let table = DeTable::parse(text).map_err(|error| Fault {
        line: whole_text(&error),
        message: error.message().trim().replace('\n', "; "),
    })?;
    let mut settings = BTreeMap::new();
    collect(text, "", table.get_ref(), &mut settings)?;
    Ok(settings)
}

fn collect(
    text: &str,
    above: &str,
    table: &DeTable<'_>,
    into: &mut BTreeMap<String, FileValue>,
) -> Result<(), Fault> {
    for (name, value) in table {
        let key =
            if above.is_empty() { name.get_ref().to_string() } else { format!("{above}.{}", name.get_ref()) };
        let line = line_of(text, &name.span());
        let is_table = above.is_empty() && is_section(&key) || catalogue::holds_named_tables(above);
        if let (DeValue::Table(inner), true) = (value.get_ref(), is_table) {
            if !above.is_empty() {
                check_name(line, name.get_ref())?;
            }
            collect(text, &key, inner, into)?;
        } else if catalogue::is_file_key(&key) {
            let raw = raw(value).ok_or_else(|| wrong_kind(line, &key))?;
            into.insert(key, FileValue { line, raw });
        } else {
            return Err(unknown(line, &key));
        }
    }
    Ok(())
}

fn is_section(name: &str) -> bool {
    catalogue::holds_named_tables(name)
        || catalogue::file_keys().any(|known| known.split('.').next() == Some(name))
}

fn raw(value: &Spanned<DeValue<'_>>) -> Option<Raw> {
    match value.get_ref() {
        DeValue::String(text) => Some(Raw::Text(text.to_string())),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(Raw::Number)
        }
        DeValue::Array(items) => {
            let number = |item: &DeValue<'_>| item.as_integer().map(|number| number.as_str().to_owned());
            let words = items.iter().map(|item| {
                let item = item.get_ref();
                item.as_str().map(str::to_owned).or_else(|| number(item))
            });
            words.collect::<Option<Vec<_>>>().map(Raw::List)
        }
        DeValue::Boolean(is_on) => Some(Raw::Switch(*is_on)),
        DeValue::Float(number) => Some(Raw::Fraction(number.as_str().to_owned())),
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

fn wrong_kind(line: usize, key: &str) -> Fault {
    Fault {
        line,
        message: format!("`{key}` must be a text, a number, true or false, or a list of texts or numbers"),
    }
}

fn unknown(line: usize, key: &str) -> Fault {
    Fault { line, message: format!("unknown setting `{key}`; {}", catalogue::file_suggestion(key)) }
}

/// A name is part of keys, so it must not contain a separator.
fn check_name(line: usize, name: &str) -> Result<(), Fault> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if (1..=64).contains(&name.len()) && name.chars().all(plain) {
        return Ok(());
    }
    Err(Fault { line, message: format!("the name `{name}` must be 1 to 64 of letters, digits, `_` and `-`") })
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_is_read_with_its_line() {
        let settings = parse(
            "# mine\n[vault]\nkeys = 'k'\n[limits]\ndocument_bytes = 1_000\n[consent]\nbases = ['a']\n",
        )
        .unwrap();
        let expected = [
            ("consent.bases", 7, Raw::List(vec!["a".to_owned()])),
            ("limits.document_bytes", 5, Raw::Number(1000)),
            ("vault.keys", 3, Raw::Text("k".to_owned())),
        ];
        let read: Vec<_> = settings.iter().map(|(key, it)| (key.as_str(), it.line, it.raw.clone())).collect();
        assert_eq!(read, expected);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_the_nearest_known_key() {
        for (text, line, message) in [
            ("[vault]\nkey = 'k'", 2, "unknown setting `vault.key`; did you mean `vault.keys`?"),
            ("\n[vaults]\nkeys = 'k'", 2, "unknown setting `vaults`; did you mean `vault.keys`?"),
            ("zzz = 1", 1, "unknown setting `zzz`; `selfhood config show` lists every setting"),
            ("home = 'x'", 1, "unknown setting `home`; `selfhood config show` lists every setting"),
            (
                "[vault]\nkeys = 2026-01-01",
                2,
                "`vault.keys` must be a text, a number, true or false, or a list of texts or numbers",
            ),
            (
                "[models.a]\nkinds = 'x'",
                2,
                "unknown setting `models.a.kinds`; the known ones are kind, base_url, model, embeddings, \
                 api_key_env, api_key_file, connect_timeout, first_byte_timeout, chunk_timeout, answer_timeout",
            ),
            ("[models]\nkind = 'x'", 2, "unknown setting `models.kind`; write `[models.NAME]` above it"),
            (
                "[models.'a b']\nkind = 'x'",
                1,
                "the name `a b` must be 1 to 64 of letters, digits, `_` and `-`",
            ),
            ("vault = 3", 1, "unknown setting `vault`; did you mean `vault.keys`?"),
        ] {
            assert_eq!(parse(text), Err(Fault { line, message: message.to_owned() }), "{text}");
        }
        assert_eq!(parse("[vault]\nkeys = ").unwrap_err().line, 2);
    }
}
