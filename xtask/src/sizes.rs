//! The size of every crate: lines, files, functions and `pub` items, as a table for `docs/decisions`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::stage::ChoreResult;

/// What follows `pub` where it makes an item public.
const ITEMS: [&str; 11] =
    ["async", "const", "enum", "fn", "mod", "static", "struct", "trait", "type", "unsafe", "use"];

/// What is counted in the `src` of one crate, tests inside it included.
#[derive(Default)]
struct Sizes {
    /// The lines of each file.
    files: Vec<usize>,
    /// The lines of each function, from the line of `fn` to its closing brace.
    functions: Vec<usize>,
    /// Functions, types, constants, modules and re-exports that are `pub`; neither fields nor what is `pub(crate)`.
    public_items: usize,
}

/// Prints the table, and says whether every crate could be read.
pub(crate) fn run() -> bool {
    match table(Path::new("crates")) {
        Ok(table) => {
            print!("{table}");
            true
        }
        Err(why) => {
            eprintln!("sizes: {why}");
            false
        }
    }
}

fn table(crates: &Path) -> ChoreResult<String> {
    let unreadable =
        |error: io::Error| format!("can't read {}: {error}; run it in the project", crates.display());
    let mut folders = entries(crates).map_err(unreadable)?;
    folders.sort();
    let mut all = Sizes::default();
    let mut table =
        "| crate | lines | files | per file | per function | `pub` |\n|---|---|---|---|---|---|\n".to_owned();
    for folder in folders {
        let mut own = Sizes::default();
        own.add_folder(&folder.join("src")).map_err(unreadable)?;
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        table.push_str(&own.row(&format!("`{name}`")));
        all.add(own);
    }
    table.push_str(&all.row("all"));
    Ok(table)
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
}

impl Sizes {
    fn add_folder(&mut self, folder: &Path) -> io::Result<()> {
        for path in entries(folder)? {
            if path.is_dir() {
                self.add_folder(&path)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.add_file(&fs::read_to_string(path)?);
            }
        }
        Ok(())
    }

    fn add_file(&mut self, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        self.files.push(lines.len());
        self.public_items += lines.iter().filter(|line| is_public_item(line)).count();
        self.functions.extend((0..lines.len()).filter_map(|first| function_length(lines.get(first..)?)));
    }

    fn add(&mut self, other: Self) {
        self.files.extend(other.files);
        self.functions.extend(other.functions);
        self.public_items += other.public_items;
    }

    fn row(&self, name: &str) -> String {
        let lines: usize = self.files.iter().sum();
        let (files, functions) = (spread(&self.files), spread(&self.functions));
        format!(
            "| {name} | {lines} | {} | {files} | {functions} | {} |\n",
            self.files.len(),
            self.public_items
        )
    }
}

fn is_public_item(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("pub") && words.next().is_some_and(|word| ITEMS.contains(&word))
}

/// The lines of the function that begins at the first of `lines`, if one begins there and has a body.
fn function_length(lines: &[&str]) -> Option<usize> {
    let first = lines.first()?;
    let indentation = first.len() - first.trim_start().len();
    let mut words = first.split_whitespace().skip_while(|word| {
        word.starts_with("pub") || ["const", "async", "unsafe", "super)", "crate)"].contains(word)
    });
    if words.next() != Some("fn") {
        return None;
    }
    let opening = lines.iter().position(|line| line.ends_with(['{', '}', ';']))?;
    match lines.get(opening)?.chars().next_back()? {
        '{' => {
            let closes = |line: &&str| {
                line.len() - line.trim_start().len() == indentation && line.trim_start().starts_with('}')
            };
            lines.iter().skip(opening + 1).position(closes).map(|body| opening + body + 2)
        }
        '}' => Some(opening + 1),
        _ => None,
    }
}

/// The median, the 90th percentile and the greatest.
fn spread(counts: &[usize]) -> String {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    let at = |percent: usize| {
        let position = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(position).copied().unwrap_or_default()
    };
    format!("{}/{}/{}", at(50), at(90), at(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_counted_from_their_first_line_to_their_brace() {
        let text = "\
pub struct One {
    pub field: u32,
}

pub fn short() {}

impl One {
    pub(crate) async fn long(
        &self,
    ) -> u32 {
        let add = |a: u32| {
            a + 1
        };
        add(1)
    }

    fn declared(&self);
}
";
        let mut sizes = Sizes::default();
        sizes.add_file(text);
        assert_eq!((sizes.files, sizes.functions, sizes.public_items), (vec![18], vec![1, 8], 2));
    }

    #[test]
    fn a_spread_is_the_median_the_ninetieth_percentile_and_the_greatest() {
        let counts: Vec<usize> = (1..=10).rev().collect();
        assert_eq!(spread(&counts), "6/10/10");
        assert_eq!(spread(&[]), "0/0/0");
    }
}
