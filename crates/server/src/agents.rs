//! Which agents have come lately, so that their owner can see whether a client is connected.
//!
//! Kept in memory only, for a day and so many for each tenant: a client may put anything into its name.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{Days, TenantName, Timestamp};
use wire::agent::{AgentList, AgentTransport, AgentView};

/// How many agents of a tenant are known at once; the one seen longest ago makes room.
const MOST: usize = 50;
/// For how long an agent is shown.
const SHOWN: Days = Days(1.0);
/// The longest a client's name or version is shown, in characters.
const LONGEST: usize = 64;

/// The agents of every tenant.
#[derive(Default)]
pub(crate) struct Agents(Mutex<HashMap<TenantName, Vec<AgentView>>>);

/// A request of an agent.
pub(crate) struct AgentRequest<'a> {
    pub(crate) tenant: &'a TenantName,
    pub(crate) key: Option<&'a str>,
    pub(crate) persona: &'a str,
    pub(crate) transport: AgentTransport,
    /// Its name, its version and the revision it speaks, where the request says them.
    pub(crate) client: Option<ClientInfo<'a>>,
    pub(crate) now: Timestamp,
}

/// What a client says of itself.
pub(crate) struct ClientInfo<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: Option<&'a str>,
    pub(crate) revision: &'a str,
}

impl Agents {
    /// Notes a request. One that does not say who it is from is of the agent last seen with the same key and persona.
    pub(crate) fn note(&self, request: &AgentRequest<'_>) {
        let mut tenants = self.tenants();
        let agents = tenants.entry(request.tenant.clone()).or_default();
        let same_way = |agent: &&mut AgentView| {
            agent.key.as_deref() == request.key
                && agent.persona == request.persona
                && agent.transport == request.transport
        };
        let Some(client) = &request.client else {
            let last = agents.iter_mut().filter(same_way).max_by_key(|agent| agent.last_seen_at);
            if let Some(agent) = last {
                agent.last_seen_at = request.now;
            }
            return;
        };
        let (name, version) = (shown(client.name), client.version.map(shown));
        let same = agents.iter_mut().filter(same_way).find(|agent| {
            agent.name == name && agent.version == version && agent.revision == client.revision
        });
        if let Some(agent) = same {
            agent.last_seen_at = request.now;
            return;
        }
        agents.push(AgentView {
            name,
            version,
            persona: request.persona.to_owned(),
            transport: request.transport,
            revision: client.revision.to_owned(),
            key: request.key.map(str::to_owned),
            since: request.now,
            last_seen_at: request.now,
        });
        agents.sort_by_key(|agent| std::cmp::Reverse(agent.last_seen_at));
        agents.truncate(MOST);
    }

    /// The agents of a tenant that were seen in the last day.
    pub(crate) fn list(&self, tenant: &TenantName, now: Timestamp) -> AgentList {
        let mut tenants = self.tenants();
        let Some(agents) = tenants.get_mut(tenant) else { return AgentList::default() };
        agents.retain(|agent| now < agent.last_seen_at.plus(SHOWN));
        agents.sort_by_key(|agent| std::cmp::Reverse(agent.last_seen_at));
        AgentList { agents: agents.clone() }
    }

    fn tenants(&self) -> MutexGuard<'_, HashMap<TenantName, Vec<AgentView>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a client says of itself, without what could disturb a terminal, and not too long.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request<'a>(tenant: &'a TenantName, name: Option<&'a str>, now: i64) -> AgentRequest<'a> {
        let client = name.map(|name| ClientInfo { name, version: Some("1"), revision: "2025-11-25" });
        let (key, persona, transport) = (Some("k"), "nora", AgentTransport::Http);
        AgentRequest { tenant, key, persona, transport, client, now: Timestamp::from_millis(now) }
    }

    #[test]
    fn an_agent_is_known_once_for_a_day_and_to_its_tenant_only() {
        let (agents, home, other) = (Agents::default(), "home".parse().unwrap(), "other".parse().unwrap());
        for (name, now) in
            [(Some("claude-code"), 1), (Some("cursor\u{1b}[31m"), 2), (Some("claude-code"), 3), (None, 4)]
        {
            agents.note(&request(&home, name, now));
        }
        let seen = |tenant: &TenantName, now: i64| -> Vec<(String, i64)> {
            let listed = agents.list(tenant, Timestamp::from_millis(now)).agents;
            listed.iter().map(|agent| (agent.name.clone(), agent.last_seen_at.as_millis())).collect()
        };
        assert_eq!(seen(&home, 5), [("claude-code".to_owned(), 4), ("cursor[31m".to_owned(), 2)]);
        assert_eq!(seen(&other, 5), []);
        assert_eq!(seen(&home, 24 * 60 * 60 * 1000 + 3), [("claude-code".to_owned(), 4)]);
    }

    #[test]
    fn however_many_come_only_so_many_are_known() {
        let (agents, home) = (Agents::default(), "home".parse().unwrap());
        for number in 0..200 {
            agents.note(&request(&home, Some(&format!("agent {number}")), number));
        }
        let listed = agents.list(&home, Timestamp::from_millis(300)).agents;
        assert_eq!((listed.len(), listed[0].name.as_str()), (MOST, "agent 199"));
    }
}
