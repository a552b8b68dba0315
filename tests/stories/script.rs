//! A story as it is written: Markdown, in which fenced blocks are scenes and what they should tell.

use std::fmt;
use std::ops::Range;

use domain::Timestamp;

use crate::step::Step;

/// A story read from its file.
pub(crate) struct Story {
    pub(crate) file: String,
    lines: Vec<String>,
    pub(crate) scenes: Vec<Scene>,
}

/// What happens at one moment.
pub(crate) struct Scene {
    pub(crate) at: Timestamp,
    pub(crate) steps: Vec<Step>,
    /// The place of its block's last fence among the lines.
    end: usize,
    /// The places of the lines it should tell.
    expected: Option<Range<usize>>,
}

impl Scene {
    /// The line where a reader finds what it should tell, or would write it.
    pub(crate) fn expected_line(&self) -> usize {
        self.expected.as_ref().map_or(self.end, |range| range.start) + 1
    }
}

/// Something in a story that can't be understood.
#[derive(Debug)]
pub(crate) struct Mistake {
    file: String,
    line: usize,
    what: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

impl Story {
    /// Reads the story in `text`.
    pub(crate) fn parse(file: &str, text: &str) -> Result<Self, Mistake> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut story = Self { file: file.to_owned(), lines, scenes: Vec::new() };
        for block in blocks(&story.lines) {
            let opening = block.start - 1;
            let read = story.read_block(&block);
            read.map_err(|what| Mistake { file: file.to_owned(), line: opening + 1, what })?;
        }
        Ok(story)
    }

    fn read_block(&mut self, block: &Range<usize>) -> Result<(), String> {
        let info = self.lines[block.start - 1].trim_start_matches('`').trim();
        if let Some(moment) = info.strip_prefix("on ") {
            let at = instant(moment)?;
            let steps = Step::read_all(&self.lines[block.clone()], block.start + 1)?;
            self.scenes.push(Scene { at, steps, end: block.end, expected: None });
            return Ok(());
        }
        let scene = self.scenes.last_mut().filter(|scene| scene.expected.is_none());
        match (info, scene) {
            ("text", Some(scene)) => scene.expected = Some(block.clone()),
            ("text", None) => return Err("no scene tells this".to_owned()),
            _ => return Err(format!("a block is `on DAY TIME` or `text`, not `{info}`")),
        }
        Ok(())
    }

    /// What `scene` should tell.
    pub(crate) fn expected(&self, scene: &Scene) -> String {
        scene.expected.clone().map(|range| self.lines[range].join("\n")).unwrap_or_default()
    }

    /// Everything that is neither a title nor in a block.
    pub(crate) fn prose(&self) -> String {
        let fenced = blocks(&self.lines);
        let outside = |n: &usize| !fenced.iter().any(|block| (block.start - 1..=block.end).contains(n));
        let prose = (0..self.lines.len()).filter(outside).map(|n| self.lines[n].as_str());
        prose.filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")
    }

    /// The file with what was `rendered` as what is expected.
    pub(crate) fn rewritten(&self, rendered: &[String]) -> String {
        let mut lines = self.lines.clone();
        for (scene, rendered) in self.scenes.iter().zip(rendered).rev() {
            let new = rendered.lines().map(str::to_owned);
            match (&scene.expected, rendered.is_empty()) {
                (Some(old), false) => drop(lines.splice(old.clone(), new)),
                (Some(old), true) => drop(lines.drain(old.start - 1..=old.end)),
                (None, true) => {}
                (None, false) => {
                    let rest = lines.split_off(scene.end + 1);
                    lines.extend([String::new(), "```text".to_owned()].into_iter().chain(new));
                    lines.extend(std::iter::once("```".to_owned()).chain(rest));
                }
            }
        }
        lines.join("\n") + "\n"
    }
}

/// The insides of all fenced blocks.
fn blocks(lines: &[String]) -> Vec<Range<usize>> {
    let mut fences = (0..lines.len()).filter(|n| lines[*n].starts_with("```"));
    std::iter::from_fn(|| Some(fences.next()? + 1..fences.next().unwrap_or(lines.len()))).collect()
}

/// An instant from a day and a time in UTC.
pub(crate) fn instant(text: &str) -> Result<Timestamp, String> {
    let instant = text.split_once(' ').and_then(|(day, time)| format!("{day}T{time}:00Z").parse().ok());
    instant.ok_or_else(|| format!("`{text}` is no moment; write it like `2026-04-22 14:18`"))
}

#[test]
fn what_can_not_be_played_is_named_with_its_line() {
    for (text, mistake) in [
        ("```on noon\n```", "a.md:1: `noon` is no moment; write it like `2026-04-22 14:18`"),
        ("\n```rust\n```", "a.md:2: a block is `on DAY TIME` or `text`, not `rust`"),
        ("```text\nHi\n```", "a.md:1: no scene tells this"),
        ("```on 2026-04-22 12:00\nsing\n```", "a.md:1: line 2: there is no verb `sing`"),
    ] {
        assert_eq!(Story::parse("a.md", text).err().unwrap().to_string(), mistake);
    }
}

#[test]
fn expectations_are_put_in_and_taken_out_where_they_belong() {
    let scene = "```on 2026-04-22 12:00\nsign\n```\n";
    let bare = format!("# A\n\n{scene}\nThe end.\n");
    let rendered = format!("# A\n\n{scene}\n```text\nHi\nHo\n```\n\nThe end.\n");
    let hi = ["Hi\nHo".to_owned()];
    assert_eq!(Story::parse("a.md", &bare).unwrap().rewritten(&hi), rendered);
    assert_eq!(Story::parse("a.md", &rendered).unwrap().rewritten(&hi), rendered);
}
