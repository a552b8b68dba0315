//! `selfhood eval`: measures the recall of the product on benchmarks.

mod everyday;
mod reader;

use std::collections::BTreeMap;
use std::path::Path;

use engine::Encoders;
use recall::eval::{
    Conversation, Fading, Measured, Metrics, Unreadable, measure, read_locomo, read_longmemeval,
};
use wire::{Code, Exit, Problem};

use crate::cli::Eval;
use crate::config::Settings;
use crate::output::{Output, Table};
use crate::progress;

/// The row that sums up all categories.
const OVERALL: &str = "overall";

type Reader = fn(&[u8]) -> Result<Vec<Conversation>, Unreadable>;

/// Measures recall on a benchmark's file.
pub(crate) fn run(asked: &Eval, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    match asked {
        Eval::Everyday(everyday) => everyday::run(everyday, settings, output),
        Eval::Locomo(benchmark) => run_questions(&benchmark.file, read_locomo, output),
        Eval::Longmemeval(benchmark) => run_questions(&benchmark.file, read_longmemeval, output),
    }
}

/// Asks all questions with fading off and on, and prints the metrics overall and per category.
fn run_questions(file: &Path, read: Reader, output: &Output) -> Result<Exit, Problem> {
    let conversations = read(&contents(file)?).map_err(|error| unreadable(file, &error))?;
    let encoders = encoders()?;
    let bar = progress::bar(conversations.len() * 2, "asking");
    let mut table = Table::new([
        "category",
        "fading",
        "questions",
        "recall@1",
        "recall@5",
        "recall@10",
        "recall@20",
        "any@10",
        "all@10",
        "nDCG@10",
        "MRR",
    ]);
    for (fading, name) in [(Fading::Off, "off"), (Fading::On, "on")] {
        let mut categories: BTreeMap<String, Measured> = BTreeMap::new();
        for conversation in &conversations {
            for (category, measured) in measure(conversation, fading, Some(&encoders)) {
                categories.entry(OVERALL.to_owned()).or_default().join(&measured);
                categories.entry(category).or_default().join(&measured);
            }
            bar.inc(1);
        }
        for (category, measured) in categories {
            table.push(row(&category, name, &measured));
        }
    }
    bar.finish_and_clear();
    output.table(&table)?;
    Ok(Exit::Ok)
}

fn encoders() -> Result<Encoders, Problem> {
    engine::built_in_encoders().map_err(|reason| Problem::new(Code::Internal, reason))
}

fn contents(file: &Path) -> Result<Vec<u8>, Problem> {
    std::fs::read(file).map_err(|error| Problem::new(Code::IoFailed, format!("{}: {error}", file.display())))
}

fn unreadable(file: &Path, error: &Unreadable) -> Problem {
    Problem::new(Code::ValidationFailed, format!("{}: {error}", file.display()))
}

fn row(category: &str, fading: &str, measured: &Measured) -> [serde_json::Value; 11] {
    let Metrics { recall, any, all, ndcg, mrr } = measured.means();
    let [one, five, ten, twenty] = recall;
    let ([_, _, any, _], [_, _, all, _]) = (any, all);
    [
        category.into(),
        fading.into(),
        measured.questions.into(),
        rounded(one),
        rounded(five),
        rounded(ten),
        rounded(twenty),
        rounded(any),
        rounded(all),
        rounded(ndcg),
        rounded(mrr),
    ]
}

fn rounded(number: f64) -> serde_json::Value {
    ((number * 1000.0).round() / 1000.0).into()
}
