//! Problems in terms of the command line: a field of a request is named by its flag.

use clap::{Arg, ArgMatches, Command};
use domain::ConsentBasis;
use wire::{Code, Pointed, Problem};

/// Fields whose flag has another name.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("emotionalValence", "valence"),
    ("halfLifeDays", "half_life"),
    ("maxMemories", "max"),
    ("sessionId", "session"),
    ("memoryType", "type"),
    ("memoryStrength", "strength"),
    ("eventLabel", "label"),
    ("eventAt", "at"),
];

/// `problem` in terms of the command that was typed.
pub(crate) fn named(problem: Problem, matches: &ArgMatches, program: &Command) -> Problem {
    let command = typed(matches, program);
    let errors: Vec<Pointed> = problem.errors.iter().map(|place| in_flags(place, command)).collect();
    let mut detail = problem.detail.clone();
    for (before, after) in problem.errors.iter().zip(&errors) {
        if let Some(rest) = detail.strip_prefix(&format!("{} {}", before.pointer, before.detail)) {
            detail = format!("{} {}{rest}", after.pointer, after.detail);
            break;
        }
    }
    if problem.code == Code::EventOutOfOrder {
        let option = |name: &str| command.get_arguments().any(|arg| arg.get_long() == Some(name));
        detail = detail.replace("`eventAt`", if option("event-at") { "--event-at" } else { "`eventAt`" });
        if option("allow-out-of-order") {
            detail.push_str("; --allow-out-of-order places it all the same");
        }
    }
    if matches!(problem.code, Code::ConsentBasisUnknown | Code::ConsentBasisRequired)
        && command.get_arguments().any(|arg| arg.get_long() == Some("consent-basis"))
    {
        let none = ConsentBasis::not_applicable();
        let bases: Vec<&str> =
            ConsentBasis::LISTED.into_iter().filter(|basis| *basis != none.as_str()).collect();
        detail = format!("{detail}; --consent-basis takes {}", bases.join(", "));
    }
    Problem { detail, errors, ..problem }
}

/// The innermost command that was typed.
fn typed<'c>(mut matches: &ArgMatches, mut command: &'c Command) -> &'c Command {
    while let Some((name, inner)) = matches.subcommand() {
        let Some(below) = command.find_subcommand(name) else { break };
        (command, matches) = (below, inner);
    }
    command
}

fn in_flags(place: &Pointed, command: &Command) -> Pointed {
    let Some(pointer) = flag(&place.pointer, command) else { return place.clone() };
    let field = place.pointer.rsplit('/').next().unwrap_or_default();
    let detail = place.detail.strip_prefix(&format!("`{field}` ")).unwrap_or(&place.detail);
    let flags = command.get_arguments().filter(|arg| arg.get_long().is_some());
    let in_words = |text: String, arg: &Arg| text.replace(&format!("`{}`", arg.get_id()), &shown(arg));
    Pointed { pointer, detail: flags.fold(detail.to_owned(), in_words) }
}

/// The flag or argument of the field at `pointer`: the innermost part that has one.
fn flag(pointer: &str, command: &Command) -> Option<String> {
    pointer.split('/').skip(1).collect::<Vec<_>>().iter().rev().find_map(|part| {
        let other = OTHER_NAMES.iter().find(|(name, _)| name == part).map(|(_, other)| *other);
        let own = snake_case(part);
        let is_meant = |arg: &&Arg| {
            let id = arg.get_id().as_str();
            id == own || Some(id) == other || arg.get_long() == Some(own.replace('_', "-").as_str())
        };
        command.get_arguments().find(is_meant).map(shown)
    })
}

fn shown(arg: &Arg) -> String {
    match arg.get_long() {
        Some(long) => format!("--{long}"),
        None => arg.get_id().as_str().to_uppercase(),
    }
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn places_are_named_as_they_were_typed() {
        for (line, pointer, expected) in [
            ("selfhood memory add x", "/privacyClass", "--privacy-class"),
            ("selfhood memory add x", "/salience", "--salience"),
            ("selfhood memory add x", "/emotionalValence", "--valence"),
            ("selfhood memory add x", "/details/1/content", "--detail"),
            ("selfhood memory add x", "/decayProfile/halfLifeDays", "--half-life"),
            ("selfhood memory add x", "/gist", "GIST"),
            ("selfhood memory search x", "/maxMemories", "--max"),
            ("selfhood memory add x", "/provenance/turnIndex", "/provenance/turnIndex"),
        ] {
            let matches = Cli::command().try_get_matches_from(line.split(' ')).unwrap();
            let place = Pointed { pointer: pointer.to_owned(), detail: "must be better".to_owned() };
            let problem = Problem::new(Code::ValidationFailed, format!("{pointer} must be better"));
            let reported = named(problem.pointing_at(vec![place]), &matches, &Cli::command());
            assert_eq!(reported.errors[0].pointer, expected, "{line}");
            assert_eq!(reported.detail, format!("{expected} must be better"), "{line}");
        }
    }

    #[test]
    fn what_is_said_of_a_place_speaks_of_flags_too() {
        for (line, pointer, detail, expected) in [
            ("selfhood timeline add x", "/facts", "`facts` is required", "--facts is required"),
            (
                "selfhood key new",
                "/subject",
                "is a guest; leave `speaks` out",
                "--subject is a guest; leave --speaks out",
            ),
            (
                "selfhood memory add x",
                "/details/0/content",
                "must differ from `gist`",
                "--detail must differ from `gist`",
            ),
        ] {
            let matches = Cli::command().try_get_matches_from(line.split(' ')).unwrap();
            let place = Pointed { pointer: pointer.to_owned(), detail: detail.to_owned() };
            let problem = wire::read::invalid(vec![place.clone(), place]);
            let reported = named(problem, &matches, &Cli::command());
            assert_eq!(reported.detail, format!("{expected} (and 1 more)"), "{line}");
        }
    }
}
