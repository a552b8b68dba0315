//! Tenants, personas, API keys, settings, and the deployment's log.

use domain::{Actor, EventKind, KeyScope, PersonaId, Speaks, example};
use store::{
    AnsweredRequest, ApiKey, Conflict, Decision, Deletion, Deployment, DeploymentChange, DocumentName,
    Documents, EventDraft, KeyBounds, NewPersona, PersonaEntry, Records, RequestTag, StoreError, Upkeep,
};
use uuid::Uuid;

use crate::world::{atom, event, in_every_world, make_persona, remembering};

fn key(public_id: &str, tenant: &str) -> ApiKey {
    ApiKey {
        public_id: public_id.to_owned(),
        tenant: tenant.parse().unwrap(),
        tag: RequestTag([9; 32]),
        scopes: vec![KeyScope::Read, KeyScope::Erase],
        speaks: Speaks::Forwarded,
        created_at: example::day(0),
        expires_at: Some(example::day(90)),
        revoked_at: None,
        bounds: KeyBounds {
            persona: Some(PersonaId(Uuid::from_u128(7))),
            subject_in: Some(PersonaId(Uuid::from_u128(8))),
            label: Some(format!("laptop of {public_id}")),
        },
    }
}

fn deciding(tenant: &str, day: i64, change: DeploymentChange) -> Decision {
    let event =
        event(EventKind::KeyCreated, "k1").privately(None, serde_json::json!({ "by": "Scott" }).into());
    let (now, tenant) = (example::day(day), tenant.parse().unwrap());
    Decision { now, tenant, changes: vec![change], events: vec![event] }
}

#[test]
fn api_keys_are_found_by_public_id_and_revoked_once() {
    in_every_world(|world| async move {
        let store = &world.store;
        store
            .decide(deciding("marriott", 0, DeploymentChange::PutApiKey(key("k1", "marriott"))))
            .await
            .unwrap();
        store.decide(deciding("hilton", 0, DeploymentChange::PutApiKey(key("k2", "hilton")))).await.unwrap();
        let taken = deciding("hilton", 0, DeploymentChange::PutApiKey(key("k1", "hilton")));
        let refused = store.decide(taken).await.unwrap_err();
        assert!(matches!(refused, StoreError::Conflict(Conflict::KeyExists(_))), "{refused}");
        for (tenant, day) in [("hilton", 1), ("marriott", 2), ("marriott", 3)] {
            let revoke = DeploymentChange::RevokeApiKey("k1".to_owned());
            store.decide(deciding(tenant, day, revoke)).await.unwrap();
        }
        let world = world.reopened().await;
        let store = &world.store;
        let found = store.api_key("k1").await.unwrap().unwrap();
        assert_eq!(found, ApiKey { revoked_at: Some(example::day(2)), ..key("k1", "marriott") });
        assert_eq!(store.api_key("k9").await.unwrap(), None);
        assert_eq!(store.api_keys(&"hilton".parse().unwrap()).await.unwrap(), [key("k2", "hilton")]);
        let tenants = store.tenants().await.unwrap();
        assert_eq!(
            tenants.iter().map(|tenant| tenant.name.as_str()).collect::<Vec<_>>(),
            ["hilton", "marriott"]
        );
        let events = store.deployment_events(1..3).await.unwrap();
        assert_eq!(events[0].private, Some(serde_json::json!({ "by": "Scott" }).into()));
        assert_eq!((events[1].event.tenant.as_str(), events[1].event.persona), ("hilton", None));
        assert!(store.deployment_integrity().await.unwrap().is_whole());
    });
}

#[test]
fn settings_and_answered_requests_are_each_tenants_own() {
    in_every_world(|world| async move {
        let store = &world.store;
        let answered = AnsweredRequest {
            tag: RequestTag([1; 32]),
            fingerprint: RequestTag([2; 32]),
            status: 201,
            resource: None,
            at: example::day(0),
        };
        let (ours, theirs) = ("marriott".parse().unwrap(), "hilton".parse().unwrap());
        let put = |value: &str| DeploymentChange::PutSetting("deploymentDid".into(), value.into());
        for change in
            [put("did:gosum:a"), put("did:gosum:b"), DeploymentChange::RecordRequest(answered.clone())]
        {
            store.decide(deciding("marriott", 0, change)).await.unwrap();
        }
        let again = deciding("marriott", 0, DeploymentChange::RecordRequest(answered.clone()));
        assert!(matches!(store.decide(again).await, Err(StoreError::Conflict(Conflict::RequestAnswered))));
        assert_eq!(store.setting(&ours, "deploymentDid").await.unwrap().as_deref(), Some("did:gosum:b"));
        assert_eq!(store.setting(&theirs, "deploymentDid").await.unwrap(), None);
        assert_eq!(store.tenant_request(&ours, answered.tag).await.unwrap(), Some(answered.clone()));
        assert_eq!(store.tenant_request(&theirs, answered.tag).await.unwrap(), None);
        store
            .decide(deciding("marriott", 2, DeploymentChange::ExpireRequests(example::day(1))))
            .await
            .unwrap();
        assert_eq!(store.tenant_request(&ours, answered.tag).await.unwrap(), None);
    });
}

#[test]
fn a_taken_name_is_a_conflict_that_writes_nothing() {
    in_every_world(|world| async move {
        let store = &world.store;
        let entry = PersonaEntry {
            tenant: world.scope.tenant.clone(),
            id: PersonaId(Uuid::from_u128(77)),
            name: "inara".parse().unwrap(),
            created_at: example::day(0),
        };
        let documents = vec![(DocumentName::Soul, "another soul".into())];
        let new = NewPersona { entry: entry.clone(), documents, events: Vec::new() };
        let refused = store.create_persona(new).await.unwrap_err();
        assert!(matches!(refused, StoreError::Conflict(Conflict::NameTaken { .. })), "{refused}");
        assert_eq!(store.read(&world.scope, DocumentName::Soul).await.unwrap(), None);
        assert!(matches!(store.revision(&entry.scope()).await, Err(StoreError::NoPersona(_))));
        let other = make_persona(store, "hilton", "inara", 2).await;
        let found = store.persona_named(&other.tenant, &"inara".parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(found.scope(), other, "two tenants may have a persona of the same name");
        assert_eq!(store.personas(&world.scope.tenant).await.unwrap().len(), 1);
    });
}

#[test]
fn two_tenants_with_the_same_persona_name_stay_separate() {
    in_every_world(|world| async move {
        let store = &world.store;
        let other = make_persona(store, "hilton", "inara", 1).await;
        store.commit(&world.scope, remembering(0, atom(1, None, "ours"))).await.unwrap();
        store.commit(&other, remembering(0, atom(1, None, "theirs"))).await.unwrap();
        let gist = async |scope| store.load(scope).await.unwrap().atoms[0].atom.gist.as_str().to_owned();
        assert_eq!((gist(&world.scope).await.as_str(), gist(&other).await.as_str()), ("ours", "theirs"));
    });
}

#[test]
fn a_deleted_persona_is_gone_and_the_proof_of_it_stays() {
    in_every_world(|world| async move {
        let (store, scope) = (&world.store, &world.scope);
        store.commit(scope, remembering(0, atom(1, Some("guest:ana"), "hello"))).await.unwrap();
        store.commit(scope, remembering(0, atom(2, Some("guest:ana"), "again"))).await.unwrap();
        store.write(scope, DocumentName::Soul, None, "kind".into()).await.unwrap();
        let logged = EventDraft::new(EventKind::PersonaDeleted, Actor::engine()).about(scope.persona);
        let deletion = Deletion { scope: scope.clone(), now: example::day(3), events: vec![logged] };
        store.delete_persona(deletion.clone()).await.unwrap();
        assert!(matches!(store.delete_persona(deletion).await, Err(StoreError::NoPersona(_))));
        let world = world.reopened().await;
        let (store, scope) = (&world.store, &world.scope);
        assert!(matches!(store.load(scope).await, Err(StoreError::NoPersona(_))));
        assert!(store.personas(&scope.tenant).await.unwrap().is_empty());
        assert!(store.unregistered().await.unwrap().is_empty(), "its folder is gone");
        let proofs = store.persona_checkpoints(&scope.tenant).await.unwrap();
        assert_eq!(proofs.iter().map(|(_, signed)| signed.size).collect::<Vec<_>>(), [1, 2]);
        let events = store.deployment_events(0..99).await.unwrap();
        assert!(events.iter().any(|logged| logged.event.kind == EventKind::PersonaDeleted));
        make_persona(store, "marriott", "inara", 2).await;
    });
}
