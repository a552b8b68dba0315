//! `selfhood key sign-in`: creates a one-time sign-in link to the page of the running server.

use wire::sign_in::SignInLink;
use wire::verb;
use wire::{Exit, Problem};

use crate::command::CommandContext;
use crate::output::Table;
use crate::report;
use crate::request::Request;

/// Creates a link and prints it.
pub(crate) fn run(context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let link: SignInLink = context.client.ask(Request::<verb::OfferSignIn>::to(&[])?)?;
    let mut table = Table::new(["url", "expiresAt"]);
    table.push([link.url.as_str().into(), link.expires_at.to_string().into()]);
    let whole = serde_json::to_value(&link).unwrap_or_default();
    context.output.one(&whole, &table, || table.aligned())?;
    report::note("it works once; anyone who opens it has your rights");
    Ok(Exit::Ok)
}
