//! What an argument of a tool means: the one thing of a list, or text on one line.

use domain::Text;
use wire::{Code, Problem};

/// The one of `things` that `which` means: the one it equals, else the only one that contains it.
pub(super) fn the_one<'t, T>(
    things: &'t [T],
    which: &Text,
    kind: &str,
    words: impl Fn(&T) -> Vec<String>,
) -> Result<(usize, &'t T), Problem> {
    let wanted = which.as_str().trim().to_lowercase();
    let found = |fits: &dyn Fn(&str) -> bool| -> Vec<(usize, &'t T)> {
        let any = |thing: &T| words(thing).iter().any(|own| fits(&own.to_lowercase()));
        things.iter().enumerate().filter(|(_, thing)| any(thing)).collect()
    };
    let equal = found(&|own| own == wanted);
    let fitting = if equal.is_empty() { found(&|own| own.contains(&wanted)) } else { equal };
    match fitting.as_slice() {
        [only] => Ok(*only),
        [] => {
            Err(Problem::new(Code::ValidationFailed, format!("no {kind} has these words; list them first")))
        }
        several => {
            let detail = format!("{} {kind}s have these words; give more of the one you mean", several.len());
            Err(Problem::new(Code::ValidationFailed, detail))
        }
    }
}

/// Text on one line.
pub(super) fn line(text: &Text) -> Result<String, Problem> {
    if text.trimmed().length() == 0 {
        return Err(Problem::new(Code::ValidationFailed, "the text is empty; say what to write down"));
    }
    Ok(recall::folded(text.as_str()))
}
