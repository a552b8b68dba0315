//! The tools of the reference memory server, to the letter, so that its users change an address and nothing else.
//!
//! What they keep are ordinary memories of the speaker: one for each entity, observation and relation, sealed, audited
//! and forgotten like any other. Names, types and order stand in `x-reference` ([`graph`]), and `x-text` keeps an
//! observation whose words a gist can't hold.

mod graph;
mod schema;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use wire::{Code, Problem, read};

use super::session::Session;
use super::tool::{Done, Hints, Outcome, Tool, ToolInput};
use graph::Graph;

pub(super) use graph::graph_as_text;

/// How many entities and relations a graph is given with at once.
const PAGE: usize = 1_000;
/// Where a request says which page it wants, and an answer where the next one starts.
const CURSOR: &str = "selfhood/cursor";

/// Something the graph knows of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the reference server's own field names")]
pub(super) struct Entity {
    name: String,
    entity_type: String,
    observations: Vec<String>,
}

/// How two entities are related.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the reference server's own field names")]
pub(super) struct Relation {
    from: String,
    to: String,
    relation_type: String,
}

#[derive(Deserialize, JsonSchema)]
struct Entities {
    entities: Vec<Entity>,
}

#[derive(Deserialize, JsonSchema)]
struct Relations {
    relations: Vec<Relation>,
}

#[derive(Deserialize, JsonSchema)]
struct Observations {
    observations: Vec<Added>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Added {
    entity_name: String,
    contents: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EntityNames {
    entity_names: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Deletions {
    deletions: Vec<Deletion>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Deletion {
    entity_name: String,
    observations: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Query {
    query: String,
}

#[derive(Deserialize, JsonSchema)]
struct Names {
    names: Vec<String>,
}

const ADDS: Hints = Hints::Said { reads: false, removes: false, repeatable: false };
const REMOVES: Hints = Hints::Said { reads: false, removes: true, repeatable: true };
const READS: Hints = Hints::Said { reads: true, removes: false, repeatable: true };

/// The nine tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "create_entities",
        title: "Create Entities",
        description: "Create multiple new entities in the knowledge graph",
        hints: ADDS,
        input: || schema::input(&[("entities", schema::list(&schema::entity(schema::Side::Input)))]),
        output: || schema::output(&[("entities", schema::list(&schema::entity(schema::Side::Output)))]),
        run: |session, given| Box::pin(create_entities(session, given)),
    },
    Tool {
        name: "create_relations",
        title: "Create Relations",
        description: "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice",
        hints: ADDS,
        input: || schema::input(&[("relations", schema::list(&schema::relation(schema::Side::Input)))]),
        output: || schema::output(&[("relations", schema::list(&schema::relation(schema::Side::Output)))]),
        run: |session, given| Box::pin(create_relations(session, given)),
    },
    Tool {
        name: "add_observations",
        title: "Add Observations",
        description: "Add new observations to existing entities in the knowledge graph",
        hints: ADDS,
        input: || schema::input(&[("observations", schema::list(&schema::added()))]),
        output: || schema::output(&[("results", schema::list(&schema::results()))]),
        run: |session, given| Box::pin(add_observations(session, given)),
    },
    Tool {
        name: "delete_entities",
        title: "Delete Entities",
        description: "Delete multiple entities and their associated relations from the knowledge graph",
        hints: REMOVES,
        input: || schema::input(&[("entityNames", schema::texts("An array of entity names to delete"))]),
        output: schema::success,
        run: |session, given| Box::pin(delete_entities(session, given)),
    },
    Tool {
        name: "delete_observations",
        title: "Delete Observations",
        description: "Delete specific observations from entities in the knowledge graph",
        hints: REMOVES,
        input: || schema::input(&[("deletions", schema::list(&schema::deletion()))]),
        output: schema::success,
        run: |session, given| Box::pin(delete_observations(session, given)),
    },
    Tool {
        name: "delete_relations",
        title: "Delete Relations",
        description: "Delete multiple relations from the knowledge graph",
        hints: REMOVES,
        input: || {
            let relations = schema::list(&schema::relation(schema::Side::Input));
            schema::input(&[("relations", schema::described(relations, "An array of relations to delete"))])
        },
        output: schema::success,
        run: |session, given| Box::pin(delete_relations(session, given)),
    },
    Tool {
        name: "read_graph",
        title: "Read Graph",
        description: "Read the entire knowledge graph",
        hints: READS,
        input: || schema::input(&[]),
        output: schema::graph,
        run: |session, given| Box::pin(read_graph(session, given)),
    },
    Tool {
        name: "search_nodes",
        title: "Search Nodes",
        description: "Search for nodes in the knowledge graph based on a query",
        hints: READS,
        input: || {
            let words = "The search query to match against entity names, types, and observation content";
            schema::input(&[("query", schema::described(json!({ "type": "string" }), words))])
        },
        output: schema::graph,
        run: |session, given| Box::pin(search_nodes(session, given)),
    },
    Tool {
        name: "open_nodes",
        title: "Open Nodes",
        description: "Open specific nodes in the knowledge graph by their names",
        hints: READS,
        input: || schema::input(&[("names", schema::texts("An array of entity names to retrieve"))]),
        output: schema::graph,
        run: |session, given| Box::pin(open_nodes(session, given)),
    },
];

async fn create_entities(session: &Session, given: ToolInput) -> Done {
    let Entities { entities } = read(given)?;
    let mut graph = Graph::load(session).await?;
    let new: Vec<Entity> = entities.into_iter().filter(|it| graph.entity(&it.name).is_none()).collect();
    for entity in &new {
        graph.create_entity(session, entity).await?;
    }
    listed("entities", &new)
}

async fn create_relations(session: &Session, given: ToolInput) -> Done {
    let Relations { relations } = read(given)?;
    let mut graph = Graph::load(session).await?;
    let new: Vec<Relation> = relations.into_iter().filter(|it| !graph.has_relation(it)).collect();
    for relation in &new {
        graph.create_relation(session, relation).await?;
    }
    listed("relations", &new)
}

async fn add_observations(session: &Session, given: ToolInput) -> Done {
    let Observations { observations } = read(given)?;
    let mut graph = Graph::load(session).await?;
    for added in &observations {
        if graph.entity(&added.entity_name).is_none() {
            let detail = format!("Entity with name {} not found", added.entity_name);
            return Err(Problem::new(Code::NotFound, detail));
        }
    }
    let mut results = Vec::new();
    for Added { entity_name, contents } in observations {
        let new = graph.unknown_observations(&entity_name, contents);
        for text in &new {
            graph.observe(session, &entity_name, text).await?;
        }
        results.push(json!({ "entityName": entity_name, "addedObservations": new }));
    }
    listed("results", &results)
}

async fn delete_entities(session: &Session, given: ToolInput) -> Done {
    let EntityNames { entity_names } = read(given)?;
    let gone = Graph::load(session).await?.records_of_entities(&entity_names);
    forget(session, &gone, "Entities deleted successfully").await
}

async fn delete_observations(session: &Session, given: ToolInput) -> Done {
    let Deletions { deletions } = read(given)?;
    let graph = Graph::load(session).await?;
    let gone: Vec<String> = deletions
        .iter()
        .flat_map(|deletion| graph.records_of_observations(&deletion.entity_name, &deletion.observations))
        .collect();
    forget(session, &gone, "Observations deleted successfully").await
}

async fn delete_relations(session: &Session, given: ToolInput) -> Done {
    let Relations { relations } = read(given)?;
    let gone = Graph::load(session).await?.records_of_relations(&relations);
    forget(session, &gone, "Relations deleted successfully").await
}

async fn read_graph(session: &Session, given: ToolInput) -> Done {
    let from = given.meta.get(CURSOR).and_then(Value::as_str).and_then(|cursor| cursor.parse().ok());
    let (page, next) = Graph::load(session).await?.page(from.unwrap_or(0), PAGE);
    let meta = next.map(|next| Map::from_iter([(CURSOR.to_owned(), json!(next.to_string()))]));
    Ok(Outcome::Done { text: pretty(&page), value: page, meta: meta.unwrap_or_default() })
}

async fn search_nodes(session: &Session, given: ToolInput) -> Done {
    let Query { query } = read(given)?;
    let query = query.to_lowercase();
    let graph = Graph::load(session).await?;
    let has = |text: &String| text.to_lowercase().contains(&query);
    let found = graph
        .part(|entity| has(&entity.name) || has(&entity.entity_type) || entity.observations.iter().any(has));
    let text = pretty(&found);
    Outcome::of(found, text)
}

async fn open_nodes(session: &Session, given: ToolInput) -> Done {
    let Names { names } = read(given)?;
    let found = Graph::load(session).await?.part(|entity| names.contains(&entity.name));
    let text = pretty(&found);
    Outcome::of(found, text)
}

/// What was made: the bare list as text, and under its name for programs.
fn listed(name: &str, items: &[impl Serialize]) -> Done {
    let items = serde_json::to_value(items).unwrap_or_default();
    let text = pretty(&items);
    Outcome::of(json!({ name: items }), text)
}

async fn forget(session: &Session, ids: &[String], message: &str) -> Done {
    graph::forget(session, ids).await?;
    Outcome::of(json!({ "success": true, "message": message }), message)
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn read<T: DeserializeOwned + JsonSchema + 'static>(given: ToolInput) -> Result<T, Problem> {
    read::read_value(given.arguments)
}
