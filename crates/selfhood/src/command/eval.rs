//! `selfhood eval`: how well the product's own recall finds what was said.

use std::collections::BTreeMap;
use std::path::Path;

use recall::eval::{
    Conversation, Fading, Measured, Metrics, Unreadable, measure, read_locomo, read_longmemeval,
};
use wire::{Code, Exit, Problem};

use crate::cli::Eval;
use crate::output::{Output, Table};
use crate::progress;

/// The row that sums up all categories.
const OVERALL: &str = "overall";

type Reader = fn(&[u8]) -> Result<Vec<Conversation>, Unreadable>;

/// Measures recall on a benchmark's file, with fading off and on, overall and per category.
pub(crate) fn run(asked: &Eval, output: &Output) -> Result<Exit, Problem> {
    let (file, read): (&Path, Reader) = match asked {
        Eval::Locomo(benchmark) => (&benchmark.file, read_locomo),
        Eval::Longmemeval(benchmark) => (&benchmark.file, read_longmemeval),
    };
    let told =
        |code, error: &dyn std::fmt::Display| Problem::new(code, format!("{}: {error}", file.display()));
    let bytes = std::fs::read(file).map_err(|error| told(Code::IoFailed, &error))?;
    let conversations = read(&bytes).map_err(|error| told(Code::ValidationFailed, &error))?;
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
            for (category, measured) in measure(conversation, fading) {
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

fn row(category: &str, fading: &str, measured: &Measured) -> [serde_json::Value; 11] {
    let Metrics { recall, any, all, ndcg, mrr } = measured.means();
    let [one, five, ten, twenty] = recall;
    let ([_, _, any, _], [_, _, all, _]) = (any, all);
    let rounded = |number: f64| ((number * 1000.0).round() / 1000.0).into();
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
