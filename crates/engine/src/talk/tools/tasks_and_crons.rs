//! `TASKS.json` and `CRONS.json`: lists of objects that people may edit too. Unknown properties are kept; a
//! list that can't be read is never overwritten.

use domain::{Schedule, Text};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::DocumentName;
use wire::tool::{AddCron, AddTask, JobType, TaskStatus, UpdateTask};
use wire::{Code, Problem};

use super::arguments::{line, the_one};

/// An entry of `TASKS.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Task {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    title: String,
    #[serde(default)]
    status: TaskStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// An entry of `CRONS.json`.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Cron {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    pub(crate) schedule: Schedule,
    #[serde(rename = "type")]
    pub(crate) job: JobType,
    pub(crate) text: String,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// Refuses a `TASKS.json` that the tools could not read.
pub(crate) fn check_tasks(text: &str) -> Result<(), Problem> {
    read::<Task>(DocumentName::Tasks, text).map(drop)
}

/// The jobs of a `CRONS.json`.
pub(crate) fn crons(text: &str) -> Result<Vec<Cron>, Problem> {
    read(DocumentName::Crons, text)
}

/// The open tasks of a `TASKS.json`.
pub(crate) fn open_tasks(text: &str) -> Result<Vec<String>, Problem> {
    let tasks: Vec<Task> = read(DocumentName::Tasks, text)?;
    Ok(tasks.into_iter().filter(|task| task.status != TaskStatus::Done).map(|task| task.title).collect())
}

/// Refuses a `CRONS.json` that the tools could not read.
pub(crate) fn check_crons(text: &str) -> Result<(), Problem> {
    read::<Cron>(DocumentName::Crons, text).map(drop)
}

/// The entries of two lists as one list. An entry that both have is in it once; an id that is taken is
/// replaced by the next free one.
pub(crate) fn joined_lists(name: DocumentName, own: &str, theirs: &str) -> Result<String, Problem> {
    type Entry = Map<String, Value>;
    let mut all: Vec<Entry> = read(name, own)?;
    let id = |entry: &Entry| entry.get("id").and_then(Value::as_str).map(str::to_owned);
    let words = |entry: &Entry| entry.clone().into_iter().filter(|(key, _)| key != "id").collect::<Entry>();
    let known: Vec<Entry> = all.iter().map(words).collect();
    for mut entry in read::<Entry>(name, theirs)?.into_iter().filter(|entry| !known.contains(&words(entry))) {
        let taken: Vec<String> = all.iter().filter_map(id).collect();
        if let Some(own) = id(&entry).filter(|own| taken.contains(own)) {
            let letter = own.chars().next().unwrap_or('t');
            let free = next_id(letter, taken.iter().map(String::as_str));
            entry.insert("id".to_owned(), free.into());
        }
        all.push(entry);
    }
    Ok(written(&all))
}

pub(super) fn add_task(document: &str, asked: &AddTask) -> Result<(String, String), Problem> {
    let mut tasks: Vec<Task> = read(DocumentName::Tasks, document)?;
    let id = next_id('t', tasks.iter().filter_map(|task| task.id.as_deref()));
    let title = line(&asked.title)?;
    let notes = asked.notes.as_ref().map(|notes| notes.as_str().to_owned());
    let answer = format!("task {id}: {title}");
    tasks.push(Task { id: Some(id), title, status: TaskStatus::Open, notes, others: Map::new() });
    Ok((written(&tasks), answer))
}

pub(super) fn list_tasks(document: &str) -> Result<String, Problem> {
    let tasks: Vec<Task> = read(DocumentName::Tasks, document)?;
    let lines = tasks.iter().map(|task| {
        let notes =
            task.notes.as_ref().map(|notes| format!(" ({})", recall::folded(notes))).unwrap_or_default();
        let id = task.id.as_ref().map(|id| format!("{id} ")).unwrap_or_default();
        format!("- {id}[{}] {}{notes}", task.status.as_str(), task.title)
    });
    Ok(lines_or(lines, "there are no tasks"))
}

pub(super) fn update_task(document: &str, asked: &UpdateTask) -> Result<(String, String), Problem> {
    let mut tasks: Vec<Task> = read(DocumentName::Tasks, document)?;
    let (place, _) = the_one(&tasks, &asked.which, "task", |task| named(task.id.as_deref(), &task.title))?;
    let title = asked.title.as_ref().map(line).transpose()?;
    let mut answer = String::new();
    if let Some(task) = tasks.get_mut(place) {
        task.title = title.unwrap_or_else(|| std::mem::take(&mut task.title));
        task.notes =
            asked.notes.as_ref().map(|notes| notes.as_str().to_owned()).or_else(|| task.notes.take());
        task.status = asked.status.unwrap_or(task.status);
        answer = format!("[{}] {}", task.status.as_str(), task.title);
    }
    Ok((written(&tasks), answer))
}

pub(super) fn add_cron(document: &str, asked: &AddCron) -> Result<(String, String), Problem> {
    let mut crons: Vec<Cron> = read(DocumentName::Crons, document)?;
    let id = next_id('c', crons.iter().filter_map(|cron| cron.id.as_deref()));
    let text = line(&asked.text)?;
    let answer = format!("job {id}: {} {} {text}", asked.schedule, asked.job.as_str());
    let others = Map::new();
    crons.push(Cron { id: Some(id), schedule: asked.schedule, job: asked.job, text, others });
    Ok((written(&crons), answer))
}

pub(super) fn list_crons(document: &str) -> Result<String, Problem> {
    let crons: Vec<Cron> = read(DocumentName::Crons, document)?;
    let lines = crons.iter().map(|cron| {
        let id = cron.id.as_ref().map(|id| format!("{id} ")).unwrap_or_default();
        format!("- {id}{} {} {}", cron.schedule, cron.job.as_str(), cron.text)
    });
    Ok(lines_or(lines, "nothing is scheduled"))
}

pub(super) fn remove_cron(document: &str, which: &Text) -> Result<(String, String), Problem> {
    let mut crons: Vec<Cron> = read(DocumentName::Crons, document)?;
    let (place, _) = the_one(&crons, which, "scheduled job", |cron| named(cron.id.as_deref(), &cron.text))?;
    let gone = crons.remove(place);
    Ok((written(&crons), format!("removed: {} {} {}", gone.schedule, gone.job.as_str(), gone.text)))
}

fn named(id: Option<&str>, words: &str) -> Vec<String> {
    id.into_iter().chain([words]).map(str::to_owned).collect()
}

fn read<T: DeserializeOwned>(name: DocumentName, text: &str) -> Result<Vec<T>, Problem> {
    // Two lists, one after the other, are what merging people once left.
    let lists: Result<Vec<Vec<T>>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
    lists.map(|lists| lists.into_iter().flatten().collect()).map_err(|error| {
        let at = format!("line {}, column {}", error.line(), error.column());
        let rule = if error.is_data() { "an entry is invalid" } else { "it is not valid JSON" };
        let detail = format!("{name} can't be read ({at}: {rule}); fix it by hand; nothing was written");
        Problem::new(Code::MalformedJson, detail)
    })
}

fn written<T: Serialize>(entries: &[T]) -> String {
    serde_json::to_string_pretty(entries).unwrap_or_default() + "\n"
}

/// The first free id, such as `t3`.
fn next_id<'i>(letter: char, taken: impl Iterator<Item = &'i str>) -> String {
    let number = |id: &str| id.strip_prefix(letter)?.parse::<u32>().ok();
    let greatest = taken.filter_map(number).max().unwrap_or(0);
    format!("{letter}{}", greatest.saturating_add(1))
}

fn lines_or(lines: impl Iterator<Item = String>, none: &str) -> String {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() { none.to_owned() } else { lines.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(text: &str) -> AddTask {
        AddTask { title: Text::new(text), notes: None }
    }

    #[test]
    fn tasks_come_and_change_and_what_people_added_stays() {
        let by_hand = r#"[{"title": "mend the roof", "priority": 1}]"#;
        let (document, reply) = add_task(by_hand, &title("call the bank")).unwrap();
        assert_eq!(reply, "task t1: call the bank");
        let update = UpdateTask {
            which: Text::new("ROOF"),
            title: None,
            notes: Some(Text::new("in May")),
            status: Some(TaskStatus::Done),
        };
        let (document, _) = update_task(&document, &update).unwrap();
        assert!(document.contains("\"priority\": 1"), "{document}");
        assert_eq!(
            list_tasks(&document).unwrap(),
            "- [done] mend the roof (in May)\n- t1 [open] call the bank"
        );
        check_tasks(&document).unwrap();
        assert_eq!(list_tasks("").unwrap(), "there are no tasks");
        let joined_before = r#"[{"title": "mend the roof"}]

[{"title": "call the bank"}]
"#;
        assert_eq!(list_tasks(joined_before).unwrap().lines().count(), 2);
    }

    #[test]
    fn a_broken_edit_is_reported_with_its_place_and_never_written_over() {
        let tasks = ["[\n  {\"title\": \"x\",}\n]", "{}", "[{\"title\": \"x\", \"status\": \"someday\"}]"];
        let cron = "[{\"schedule\": \"now and then\", \"type\": \"note\", \"text\": \"x\"}]";
        let [first, second, third] = tasks.map(check_tasks);
        for (refused, place) in
            [(first, "line 2"), (second, "line 1"), (third, "line 1"), (check_crons(cron), "line 1")]
        {
            let refused = refused.unwrap_err();
            assert!(
                refused.code == Code::MalformedJson && refused.detail.contains(place),
                "{}",
                refused.detail
            );
            assert!(!refused.detail.contains("now and then"), "its words are not told: {}", refused.detail);
        }
        assert!(add_task("nonsense", &title("x")).is_err());
    }

    #[test]
    fn jobs_are_kept_under_their_schedule() {
        let asked = AddCron {
            schedule: "weekly:mon:08:00".parse().unwrap(),
            job: JobType::Brief,
            text: Text::new("the week ahead"),
        };
        let (document, reply) = add_cron("[]\n", &asked).unwrap();
        assert_eq!(reply, "job c1: weekly:mon:08:00 brief the week ahead");
        assert_eq!(list_crons(&document).unwrap(), "- c1 weekly:mon:08:00 brief the week ahead");
        assert_eq!(remove_cron(&document, &Text::new("c1")).unwrap().0, "[]\n");
    }
}
