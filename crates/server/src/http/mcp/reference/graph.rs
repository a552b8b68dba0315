//! A knowledge graph made of memories: what it holds, what it adds, and which memories leave with a part of it.

use domain::{Kind, PrivacyClass, SubjectRef, Text};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use wire::Problem;
use wire::fields;
use wire::fields::Fields;
use wire::memory::{MemoryAnswer, MemoryFilter, MemoryPage, Remember};
use wire::verb;

use super::super::memory_tools::set_aside;
use super::super::session::{Ask, Session, Words};
use super::{Entity, Relation};

/// The label of every memory of a graph.
const TAG: &str = "knowledge-graph";
/// How many memories are read at once.
const PAGE: usize = 200;
/// The longest gist.
const LONGEST_GIST: usize = 280;
/// The longest label.
const LONGEST_TAG: usize = 64;
/// How much a part of a graph weighs.
const SALIENCE: f64 = 0.6;

/// What a memory is in the graph.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
enum Part {
    #[serde(rename_all = "camelCase")]
    Entity { name: String, entity_type: String, place: u64 },
    /// An observation of the entity whose memory has the id `of`, or, if it was imported, whose name that is. Then its
    /// own words stand here, because its memory says of whom they are.
    Observation {
        of: String,
        place: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    #[serde(rename_all = "camelCase")]
    Relation { from: String, to: String, relation_type: String, place: u64 },
}

/// A part with the memory it stands in.
struct Stored {
    id: String,
    text: String,
    part: Part,
}

/// The graph of one speaker.
pub(super) struct Graph {
    entities: Vec<EntityNode>,
    relations: Vec<(String, Relation)>,
    /// The place of the next part: parts are listed in the order they came.
    next: u64,
}

struct EntityNode {
    id: String,
    name: String,
    entity_type: String,
    /// Each with its memory.
    observations: Vec<(String, String)>,
}

impl Part {
    const fn place(&self) -> u64 {
        match self {
            Self::Entity { place, .. } | Self::Observation { place, .. } | Self::Relation { place, .. } => {
                *place
            }
        }
    }
}

impl Graph {
    /// Everything the speaker's graph holds.
    pub(super) async fn load(session: &Session) -> Result<Self, Problem> {
        let (mut stored, mut cursor) = (Vec::new(), None);
        let subject = session.speaker()?;
        loop {
            let query = Some(fields!(MemoryFilter {
                tag: Some(TAG),
                subject: Some(&subject),
                limit: Some(PAGE),
                cursor: cursor
            }));
            let page: MemoryPage = session.ask::<verb::ListMemories>(Ask { query, ..Ask::default() }).await?;
            stored.extend(page.data.iter().filter_map(|memory| part(memory.as_value())));
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        stored.sort_by_key(|stored| stored.part.place());
        Ok(Self::of(stored))
    }

    fn of(stored: Vec<Stored>) -> Self {
        let next = stored.last().map_or(0, |last| last.part.place() + 1);
        let mut graph = Self { entities: Vec::new(), relations: Vec::new(), next };
        for Stored { id, text, part } in stored {
            match part {
                Part::Entity { name, entity_type, .. } => {
                    graph.entities.push(EntityNode { id, name, entity_type, observations: Vec::new() });
                }
                Part::Observation { of, .. } => {
                    let entity =
                        graph.entities.iter_mut().find(|entity| entity.id == of || entity.name == of);
                    if let Some(entity) = entity {
                        entity.observations.push((id, text));
                    }
                }
                Part::Relation { from, to, relation_type, .. } => {
                    graph.relations.push((id, Relation { from, to, relation_type }));
                }
            }
        }
        graph
    }

    /// The entity of this name, if there is one.
    pub(super) fn entity(&self, name: &str) -> Option<Entity> {
        self.entities.iter().find(|entity| entity.name == name).map(shown)
    }

    pub(super) fn has_relation(&self, relation: &Relation) -> bool {
        self.relations.iter().any(|(_, known)| known == relation)
    }

    /// Those of `contents` that the entity was not observed with.
    pub(super) fn unknown_observations(&self, name: &str, contents: Vec<String>) -> Vec<String> {
        let known = self.entity(name).map(|entity| entity.observations).unwrap_or_default();
        contents.into_iter().filter(|text| !known.contains(text)).collect()
    }

    pub(super) async fn create_entity(&mut self, session: &Session, entity: &Entity) -> Result<(), Problem> {
        let Entity { name, entity_type, observations } = entity;
        let part = Part::Entity { name: name.clone(), entity_type: entity_type.clone(), place: self.place() };
        let gist = format!("{name} ({entity_type})");
        let id = keep(session, &gist, None, &part, &[name, entity_type]).await?;
        let node = EntityNode {
            id: id.clone(),
            name: name.clone(),
            entity_type: entity_type.clone(),
            observations: Vec::new(),
        };
        self.entities.push(node);
        for text in observations {
            self.observe_by_id(session, &id, name, text).await?;
        }
        Ok(())
    }

    pub(super) async fn observe(&mut self, session: &Session, name: &str, text: &str) -> Result<(), Problem> {
        let Some(id) = self.entities.iter().find(|it| it.name == name).map(|it| it.id.clone()) else {
            return Ok(());
        };
        self.observe_by_id(session, &id, name, text).await
    }

    async fn observe_by_id(
        &mut self,
        session: &Session,
        of: &str,
        name: &str,
        text: &str,
    ) -> Result<(), Problem> {
        let part = Part::Observation { of: of.to_owned(), place: self.place(), text: None };
        let id = keep(session, text, Some(text), &part, &[name]).await?;
        if let Some(entity) = self.entities.iter_mut().find(|entity| entity.id == of) {
            entity.observations.push((id, text.to_owned()));
        }
        Ok(())
    }

    pub(super) async fn create_relation(
        &mut self,
        session: &Session,
        relation: &Relation,
    ) -> Result<(), Problem> {
        let Relation { from, to, relation_type } = relation.clone();
        let gist = format!("{from} {relation_type} {to}");
        let place = self.place();
        let part = Part::Relation { from: from.clone(), to: to.clone(), relation_type, place };
        let id = keep(session, &gist, None, &part, &[&from, &to]).await?;
        self.relations.push((id, relation.clone()));
        Ok(())
    }

    fn place(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// The memories that leave with the entities of these names: their own, their observations and their relations.
    pub(super) fn records_of_entities(&self, names: &[String]) -> Vec<String> {
        let entities = self.entities.iter().filter(|entity| names.contains(&entity.name));
        let of_entity = |entity: &EntityNode| {
            let observations: Vec<String> = entity.observations.iter().map(|(id, _)| id.clone()).collect();
            [vec![entity.id.clone()], observations].concat()
        };
        let is_with = |relation: &Relation| names.contains(&relation.from) || names.contains(&relation.to);
        let relations = self.relations.iter().filter(|(_, relation)| is_with(relation));
        entities.flat_map(of_entity).chain(relations.map(|(id, _)| id.clone())).collect()
    }

    pub(super) fn records_of_observations(&self, name: &str, texts: &[String]) -> Vec<String> {
        let entity = self.entities.iter().find(|entity| entity.name == name);
        let observations = entity.map(|entity| entity.observations.as_slice()).unwrap_or_default();
        observations.iter().filter(|(_, text)| texts.contains(text)).map(|(id, _)| id.clone()).collect()
    }

    pub(super) fn records_of_relations(&self, relations: &[Relation]) -> Vec<String> {
        let gone = self.relations.iter().filter(|(_, relation)| relations.contains(relation));
        gone.map(|(id, _)| id.clone()).collect()
    }

    /// The entities that `chosen` chooses, with every relation that has one of them at an end.
    pub(super) fn part(&self, chosen: impl Fn(&Entity) -> bool) -> Value {
        let entities: Vec<Entity> = self.entities.iter().map(shown).filter(chosen).collect();
        let is_among = |name: &String| entities.iter().any(|entity| entity.name == *name);
        let relations = self.relations.iter().map(|(_, relation)| relation);
        let relations: Vec<&Relation> =
            relations.filter(|relation| is_among(&relation.from) || is_among(&relation.to)).collect();
        json!({ "entities": entities, "relations": relations })
    }

    /// So many entities and then relations from the place `from`, and the place where the next ones start.
    pub(super) fn page(&self, from: usize, most: usize) -> (Value, Option<usize>) {
        let entities: Vec<Entity> = self.entities.iter().skip(from).take(most).map(shown).collect();
        let room = most - entities.len();
        let passed = from.saturating_sub(self.entities.len());
        let relations: Vec<&Relation> =
            self.relations.iter().skip(passed).take(room).map(|(_, relation)| relation).collect();
        let end = from + entities.len() + relations.len();
        let all = self.entities.len() + self.relations.len();
        (json!({ "entities": entities, "relations": relations }), (end < all).then_some(end))
    }
}

/// The whole graph as its resource gives it.
pub(in super::super) async fn graph_as_text(session: &Session) -> Result<String, Problem> {
    let graph = Graph::load(session).await?.part(|_| true);
    Ok(serde_json::to_string_pretty(&graph).unwrap_or_default())
}

/// Sets the memories aside.
pub(super) async fn forget(session: &Session, ids: &[String]) -> Result<(), Problem> {
    for id in ids {
        let path = [("id", id.as_str())];
        let body = Some(set_aside());
        session.answer::<verb::RedactMemory>(Ask { path: &path, body, ..Ask::default() }).await?;
    }
    Ok(())
}

async fn keep(
    session: &Session,
    gist: &str,
    text: Option<&str>,
    part: &Part,
    names: &[&str],
) -> Result<String, Problem> {
    let short = gist_of(gist);
    let mut tags: Vec<String> = vec![TAG.to_owned()];
    tags.extend(names.iter().map(|name| cut(name.trim(), LONGEST_TAG)).filter(|name| !name.is_empty()));
    tags.dedup();
    let words = Words::of(Some(&Text::new(text.unwrap_or(gist).to_owned())), &[], &[]);
    let (class, basis) = session.classified(words, PrivacyClass::GuestPii).await?;
    let mentions: Vec<SubjectRef> = names.iter().take(1).filter_map(|name| name.parse().ok()).collect();
    let mut extensions = Map::from_iter([("x-reference".to_owned(), json!(part))]);
    let longer = text.filter(|text| *text != short);
    extensions.extend(longer.map(|text| ("x-text".to_owned(), json!(text))));
    let own = fields!(Remember {
        kind: Some(Kind::Semantic),
        gist: Some(&short),
        salience: Some(SALIENCE),
        privacy_class: Some(class),
        consent_basis: Some(basis),
        subject: Some(session.speaker()?),
        tags: Some(tags),
        mentions: Some(mentions),
    });
    let body = Some(own.overridden_by(Fields::from_object(extensions)));
    let MemoryAnswer { memory } = session.ask::<verb::Remember>(Ask { body, ..Ask::default() }).await?;
    Ok(memory.as_value().get("id").and_then(Value::as_str).unwrap_or_default().to_owned())
}

/// `text` as the sentence of a memory: something, on one line, and not too long.
fn gist_of(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.as_str() {
        "" => "(empty)".to_owned(),
        line => cut(line, LONGEST_GIST),
    }
}

fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

fn part(memory: &Value) -> Option<Stored> {
    let text = |name: &str| memory.get(name).and_then(Value::as_str).map(str::to_owned);
    let part = serde_json::from_value(memory.get("x-reference")?.clone()).ok()?;
    let own = match &part {
        Part::Observation { text, .. } => text.clone(),
        Part::Entity { .. } | Part::Relation { .. } => None,
    };
    Some(Stored { id: text("id")?, text: own.or_else(|| text("x-text")).or_else(|| text("gist"))?, part })
}

fn shown(node: &EntityNode) -> Entity {
    let observations = node.observations.iter().map(|(_, text)| text.clone()).collect();
    Entity { name: node.name.clone(), entity_type: node.entity_type.clone(), observations }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph() -> Graph {
        let stored = |place: u64, part: fn(u64) -> Part| Stored {
            id: format!("mem:{place:012x}"),
            text: format!("text {place}"),
            part: part(place),
        };
        let entity =
            |place| Part::Entity { name: format!("e{place}"), entity_type: "person".to_owned(), place };
        let relation = |place| Part::Relation {
            from: "e0".to_owned(),
            to: "e9".to_owned(),
            relation_type: "knows".to_owned(),
            place,
        };
        let observation = |place| Part::Observation { of: "mem:000000000000".to_owned(), place, text: None };
        Graph::of(vec![stored(0, entity), stored(1, entity), stored(2, observation), stored(3, relation)])
    }

    #[test]
    fn an_entity_leaves_with_its_observations_and_relations() {
        let ids = |names: &[&str]| {
            graph()
                .records_of_entities(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
                .len()
        };
        assert_eq!((ids(&["e0"]), ids(&["e1"]), ids(&["e9"]), ids(&["e0", "e1"])), (3, 1, 1, 4));
    }

    #[test]
    fn pages_follow_one_another_without_gap_or_overlap() {
        let (graph, mut from, mut seen) = (graph(), 0, 0);
        loop {
            let (page, next) = graph.page(from, 2);
            seen += page["entities"].as_array().unwrap().len() + page["relations"].as_array().unwrap().len();
            match next {
                Some(next) => from = next,
                None => break,
            }
        }
        assert_eq!(seen, 3);
        assert_eq!(
            graph.part(|entity| entity.name == "e1"),
            json!({ "entities": [{ "name": "e1", "entityType": "person", "observations": [] }], "relations": [] })
        );
    }

    #[test]
    fn any_text_becomes_a_gist() {
        assert_eq!(gist_of(" a\n b "), "a b");
        assert_eq!(gist_of(" \n"), "(empty)");
        assert_eq!(gist_of(&"ä".repeat(500)).chars().count(), LONGEST_GIST);
    }
}
