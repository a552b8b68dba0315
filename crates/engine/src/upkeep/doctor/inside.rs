//! The checks of an open home.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{TenantName, Timestamp};
use recall::sentences::MAKER;
use recall::words::Lexicon;
use store::{Deployment, Health, PersonaEntry, Records, StoreError, Upkeep};
use vault::keyring::KeyringFile;
use wire::Problem;
use wire::doctor::{Check, Examination};
use wire::persona::{MemoryState, NoticeCode};

use super::outside::{loose, whole};
use super::records::{examine_deployment, examine_persona};
use super::server::examine_server;
use crate::call::Call;
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

/// How far the clock may be behind the last event.
const CLOCK_SLACK_MILLIS: i64 = 5 * 60 * 1000;

impl Engine {
    /// Checks everything the caller may see.
    #[boxed]
    pub async fn examine(&self, call: &Call) -> Result<Examination, Problem> {
        let mut checks = vec![disk(&self.store.health().await), encoders(self.encoders_problem())];
        if call.is_operator() {
            checks.extend(examine_server(&self.store).await);
            checks.extend(examine_deployment(&self.store).await);
        }
        let mut newest = self.last_deployment_event().await;
        for tenant in self.tenants_of(call).await? {
            checks.push(self.examine_keyring(&tenant).await.about(tenant.as_str()));
            checks.extend(self.examine_erasures(&tenant, call.now).await);
            let model = self.examine_connected_model(&tenant).await;
            checks.extend(model.map(|check| check.about(tenant.as_str())));
            for broken in self.adopt_waiting(&tenant, call.now).await? {
                let name = format!("{tenant}/{}", broken.persona);
                let way_out = "fix the folder, or move it out of the home";
                checks.push(Check::fail("folder", broken.detail, way_out).about(&name));
            }
            for persona in self.store.personas(&tenant).await? {
                checks.extend(examine_persona(&self.store, &persona).await);
                checks.extend(self.examine_document(&persona, call.now).await);
                checks.extend(self.examine_vectors(&persona).await);
                let name = format!("{}/{}", persona.tenant, persona.name);
                checks.extend(self.examine_decay(call, &persona).await.map(|check| check.about(&name)));
                newest = newest.max(self.last_event(&persona).await);
            }
        }
        checks.push(clock(newest, call.now));
        Ok(Examination { checks })
    }

    /// Opens every record of the caller's tenant, and verifies its logs and its keyring.
    #[boxed]
    pub async fn verify_vault(&self, call: &Call) -> Result<Examination, Problem> {
        let tenant = &call.caller.tenant;
        let mut checks = vec![self.examine_keyring(tenant).await.about(tenant.as_str())];
        if call.is_operator() {
            let keys = self.key_directory()?;
            checks.extend(loose(keys.path()));
            checks.extend(whole(keys));
        }
        for persona in self.store.personas(tenant).await? {
            checks.extend(examine_persona(&self.store, &persona).await);
        }
        Ok(Examination { checks })
    }

    /// Whether the keyring on disk opens and is at least as new as in the newest signed checkpoint.
    async fn examine_keyring(&self, tenant: &TenantName) -> Check {
        let way_out = "restore the newest keyring of the home, or the newest backup";
        match self.reread_keyring(tenant).await {
            Ok((epoch, counter)) => {
                let detail = format!("epoch {epoch}, change {counter}, as new as the newest checkpoint");
                Check::ok("keyring", detail)
            }
            Err(problem) => Check::fail("keyring", problem.detail, way_out),
        }
    }

    async fn reread_keyring(&self, tenant: &TenantName) -> Result<(u64, u64), Problem> {
        let published = self.store.persona_checkpoints(tenant).await?;
        let seen = published.iter().filter_map(|(_, signed)| signed.keyring_counter).max().unwrap_or(0);
        let known = self.store.keys(tenant).await?;
        let Ok(home) = self.home() else {
            self.key_directory()?.kek(tenant.as_str(), known.epoch).map_err(StoreError::from)?;
            return Ok((known.epoch, known.counter));
        };
        let path = home.paths().keyring(tenant);
        let refused = |error: vault::keyring::KeyringError| Problem::from(StoreError::from(error));
        let epoch = KeyringFile::peek(&path).map_err(refused)?.epoch;
        let kek = home.key_directory().kek(tenant.as_str(), epoch).map_err(StoreError::from)?;
        let expected = seen.max(known.counter);
        let file = KeyringFile::open(&path, tenant.as_str(), kek, expected).map_err(refused)?;
        Ok((file.keyring().epoch(), file.keyring().counter()))
    }

    async fn examine_document(&self, entry: &PersonaEntry, now: Timestamp) -> Vec<Check> {
        let name = format!("{}/{}", entry.tenant, entry.name);
        let loaded = match self.load_document(entry, now).await {
            Ok(loaded) => loaded,
            Err(problem) => {
                let way_out = format!(
                    "fix persona.json or restore it from a backup, then run `selfhood persona sign --persona {0}`; or \
                     give the persona up with `selfhood persona delete {0}`",
                    entry.name
                );
                return vec![Check::fail("document", problem.detail, way_out).about(&name)];
            }
        };
        let document = match loaded.memory() {
            MemoryState::On => Check::ok("document", "signed, and memory is on"),
            MemoryState::Off => Check::ok("document", "signed, and memory is off by its policy"),
            MemoryState::Paused => Check::fail(
                "document",
                "persona.json was changed since it was signed, so memory is paused",
                format!("look at what changed, then `selfhood persona sign --persona {}`", entry.name),
            ),
        };
        let persona = PersonaContext { entry: entry.clone(), loaded: Arc::clone(&loaded) };
        let mut policy = self.examine_policy(&persona, now).await;
        policy.extend(
            self.notices(&persona).await.into_iter().filter(|notice| notice.code == NoticeCode::Copied).map(
                |notice| {
                    Check::warn("copied", notice.text, "`selfhood doctor --fix` removes the copied database")
                },
            ),
        );
        let language = &loaded.document.identity.language;
        let stems = if Lexicon::new(language).stems() {
            Check::ok("language", format!("words of `{language}` are stemmed"))
        } else {
            let detail = format!("no stemmer for `{language}`: only exact words are found");
            Check::warn("language", detail, "nothing to do; search by meaning still works")
        };
        let policy = policy.into_iter().map(|check| check.about(&name));
        [document.about(&name), stems.about(&name)].into_iter().chain(policy).collect()
    }

    /// Whether the stored memories comply with the current policy; one finding per rule.
    async fn examine_policy(&self, persona: &PersonaContext, now: Timestamp) -> Vec<Check> {
        // Unreadable records are reported elsewhere.
        let Ok(problems) = self.stored_problems(persona, now).await else { return Vec::new() };
        let mut by_rule: BTreeMap<&str, Vec<&domain::Problem>> = BTreeMap::new();
        for problem in &problems {
            by_rule.entry(problem.code.as_str()).or_default().push(problem);
        }
        if by_rule.is_empty() {
            return vec![Check::ok("policy", "every memory complies with the policy")];
        }
        let check = |(rule, broken): (&str, Vec<&domain::Problem>)| {
            let first = broken.first().map_or("", |problem| problem.message.as_str());
            let at = broken.first().map_or("", |problem| problem.pointer.as_str());
            let detail = format!("{} break `{rule}`, such as {at}: {first}", broken.len());
            let way_out = format!(
                "see `selfhood persona validate` for `{}`, then change the policy or redact",
                persona.entry.name
            );
            Check::warn("policy", detail, way_out)
        };
        by_rule.into_iter().map(check).collect()
    }

    /// How many memories and events have sentence vectors; unreadable ones are reported elsewhere.
    async fn examine_vectors(&self, persona: &PersonaEntry) -> Option<Check> {
        let progress = self.stored_vector_progress(persona).await.ok()?;
        let (made, of) = (grouped(progress.made), grouped(progress.of));
        let detail = match progress.left() {
            0 => format!("all {of} memories and events have their sentence vectors"),
            _ => format!("{made} of {of} memories and events have their sentence vectors; the others follow"),
        };
        Some(Check::ok("vectors", detail).about(&format!("{}/{}", persona.tenant, persona.name)))
    }

    async fn last_deployment_event(&self) -> Timestamp {
        let logged = self.store.deployment_events(0..u64::MAX).await;
        let last = logged.ok().and_then(|events| events.last().map(|logged| logged.event.at()));
        last.unwrap_or(Timestamp::from_millis(0))
    }

    /// The time of a persona's last event; an unreadable one is reported elsewhere.
    async fn last_event(&self, persona: &PersonaEntry) -> Timestamp {
        let logged = self.store.events(&persona.scope(), 0..u64::MAX).await;
        let last = logged.ok().and_then(|events| events.last().map(|logged| logged.event.at()));
        last.unwrap_or(Timestamp::from_millis(0))
    }
}

fn disk(health: &Health) -> Check {
    match health {
        Health::Well => Check::ok("writes", "the store accepts writes"),
        Health::ReadOnly { reason } => Check::fail(
            "writes",
            format!("the store is read-only: {reason}"),
            "free space, or repair the disk",
        ),
        Health::Closed => Check::fail("writes", "the store is closed", "start the server again"),
    }
}

fn encoders(problem: Option<&str>) -> Check {
    match problem {
        None => Check::ok("encoders", format!("sentence encoders {MAKER}")),
        Some(problem) => Check::fail(
            "encoders",
            format!(
                "the sentence encoders can't be used, so recall uses only words and the static table: \
                {problem}"
            ),
            "install the program again; memories get their vectors when it starts",
        ),
    }
}

/// A number with a comma after every three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn clock(last_event: Timestamp, now: Timestamp) -> Check {
    if now.as_millis() + CLOCK_SLACK_MILLIS >= last_event.as_millis() {
        return Check::ok("clock", format!("{now}, and nothing was logged after it"));
    }
    let detail = format!("the clock says {now}, but something was logged at {last_event}");
    Check::fail("clock", detail, "correct the clock; memories don't fade until it catches up")
}
