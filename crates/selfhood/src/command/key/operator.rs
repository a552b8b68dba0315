//! `selfhood key operator …`.

use serde_json::Value;
use wire::fields::fields;
use wire::operator::{NewOperator, OperatorAnswer, OperatorList, OperatorView};
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::{Operator, OperatorNew, OperatorRevoke};
use crate::command::CommandContext;
use crate::output::Table;
use crate::request::Request;
use crate::resolve::{self, Missing};
use crate::{confirm, report};

const MISSING: Missing = Missing { code: Code::NotFound, what: "operator key", list: "key operator list" };

/// Runs an operator key command.
pub(crate) fn run(verb: &Operator, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    match verb {
        Operator::New(asked) => new(asked, context),
        Operator::List => list(context),
        Operator::Revoke(asked) => revoke(asked, context),
    }
}

fn new(asked: &OperatorNew, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let body = fields!(NewOperator { name: Some(asked.name.as_str()) });
    let OperatorAnswer { operator } =
        context.client.ask(Request::<verb::NewOperator>::to(&[])?.with_body(body))?;
    show(&[operator], context)?;
    report::note(format_args!(
        "the key is in {}; keep a copy of that folder; it can't be created again",
        context.settings.keys.display()
    ));
    Ok(Exit::Ok)
}

fn list(context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let OperatorList { operators } = context.client.ask(Request::<verb::ListOperators>::to(&[])?)?;
    show(&operators, context)?;
    Ok(Exit::Ok)
}

fn revoke(asked: &OperatorRevoke, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let OperatorList { operators } = context.client.ask(Request::<verb::ListOperators>::to(&[])?)?;
    let named: Vec<&OperatorView> = operators.iter().filter(|known| known.name == asked.key).collect();
    let did = match named.as_slice() {
        [only] => only.did.clone(),
        _ => resolve::the_id(&asked.key, operators.iter().map(|known| known.did.clone()), &MISSING)?,
    };
    if !asked.yes {
        confirm::go_on(&format!("Signatures of {did} will no longer count. Revoke it?"))?;
    }
    let OperatorAnswer { operator } = context.client.ask(Request::<verb::RevokeOperator>::to(&[&did])?)?;
    show(&[operator], context)?;
    Ok(Exit::Ok)
}

fn show(operators: &[OperatorView], context: &CommandContext<'_>) -> Result<(), Problem> {
    let mut table = Table::new(["did", "name", "addedAt", "revokedAt"]);
    for known in operators {
        table.push([
            known.did.as_str().into(),
            known.name.as_str().into(),
            known.added_at.to_string().into(),
            known.revoked_at.map(|at| at.to_string()).into(),
        ]);
    }
    let whole: Vec<Value> =
        operators.iter().map(|known| serde_json::to_value(known).unwrap_or_default()).collect();
    context.output.list(&whole, &table)
}
