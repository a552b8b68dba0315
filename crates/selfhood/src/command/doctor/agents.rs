//! Which agents use a persona's memory, and how those that don't could.

use wire::agent::AgentList;
use wire::doctor::Check;
use wire::persona::PersonaList;
use wire::verb;

use crate::command::mcp::{flag, installed};
use crate::config::Settings;
use crate::home_client::{HomeClient, WithoutHome};
use crate::request::Request;

const CHECK: &str = "agents";

/// One finding for each client on this machine, and one for each agent that came lately.
pub(super) fn examine(settings: &Settings) -> Vec<Check> {
    let client =
        settings.acting_tenant().and_then(|tenant| HomeClient::open(settings, tenant, WithoutHome::Refuse));
    let (personas, agents) = client.map(asked).unwrap_or_default();
    let persona = settings.persona.as_ref().map(ToString::to_string).or_else(|| personas.first().cloned());
    let persona = persona.unwrap_or_else(|| "NAME".to_owned());
    let mut checks: Vec<Check> = Vec::new();
    for client in installed() {
        let offer = format!("`selfhood mcp install --client {} --persona {persona}`", flag(client.client));
        let check = match client.entries.as_slice() {
            [] => {
                let detail = "is on this machine and has no persona's memory";
                Check { way_out: Some(format!("to add it: {offer}")), ..Check::ok(CHECK, detail) }
            }
            entries => Check::ok(CHECK, format!("has {}", entries.join(", "))),
        };
        checks.push(check.about(client.called));
    }
    for agent in agents.agents {
        let detail = format!("asked for {} and was last seen {}", agent.persona, agent.last_seen_at);
        checks.push(Check::ok(CHECK, detail).about(&agent.name));
    }
    if checks.is_empty() {
        let detail = "no agent has come, and none of the known clients is on this machine";
        let way_out = "`selfhood mcp install --help` says how to connect one";
        checks.push(Check { way_out: Some(way_out.to_owned()), ..Check::ok(CHECK, detail) });
    }
    checks
}

/// The names of the personas, and the agents that the server has seen; nothing where it can't be asked.
fn asked(client: HomeClient) -> (Vec<String>, AgentList) {
    let personas: Option<PersonaList> =
        Request::<verb::ListPersonas>::to(&[]).and_then(|request| client.ask(request)).ok();
    let agents = Request::<verb::ListAgents>::to(&[]).and_then(|request| client.ask(request));
    let _ = client.close();
    let names = personas.map(|list| list.personas.iter().map(|it| it.name.to_string()).collect());
    (names.unwrap_or_default(), agents.unwrap_or_default())
}
