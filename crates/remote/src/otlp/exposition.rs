//! From the text that Prometheus reads to the metrics of OTLP: one source, so both always say the same.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::attribute;

/// Totals since the start, as Prometheus counts.
const CUMULATIVE: u8 = 2;

/// One line: a name, its labels, a number.
struct Sample<'t> {
    name: &'t str,
    labels: Vec<(&'t str, &'t str)>,
    value: f64,
}

/// The buckets of one histogram: bounds with how many values were at most that, their sum and count.
#[derive(Default)]
struct Buckets {
    bounds: Vec<(f64, f64)>,
    sum: f64,
    count: f64,
}

/// Every metric of `text`, as OTLP writes it.
pub(super) fn metrics(text: &str, started: u64, now: u64) -> Vec<Value> {
    let times = json!({ "startTimeUnixNano": started.to_string(), "timeUnixNano": now.to_string() });
    let mut metrics = Vec::new();
    for family in text.split("# HELP ").skip(1) {
        let mut lines = family.lines();
        let (name, help) = lines.next().and_then(|line| line.split_once(' ')).unwrap_or_default();
        let kind = lines.next().and_then(|line| line.rsplit(' ').next()).unwrap_or_default();
        let samples: Vec<Sample<'_>> = lines.filter_map(sample).collect();
        if samples.is_empty() {
            continue;
        }
        let points =
            if kind == "histogram" { histograms(&samples, &times) } else { points(&samples, &times) };
        let data = match kind {
            "counter" => (
                "sum",
                json!({ "aggregationTemporality": CUMULATIVE, "isMonotonic": true, "dataPoints": points }),
            ),
            "histogram" => {
                ("histogram", json!({ "aggregationTemporality": CUMULATIVE, "dataPoints": points }))
            }
            _ => ("gauge", json!({ "dataPoints": points })),
        };
        metrics.push(json!({ "name": name, "description": help, data.0: data.1 }));
    }
    metrics
}

fn sample(line: &str) -> Option<Sample<'_>> {
    let (named, value) = line.rsplit_once(' ')?;
    let value = value.parse().ok()?;
    let Some((name, labels)) = named.split_once('{') else {
        return Some(Sample { name: named, labels: Vec::new(), value });
    };
    let labels = labels.strip_suffix("\"}")?.split("\",").filter_map(|pair| pair.split_once("=\""));
    Some(Sample { name, labels: labels.collect(), value })
}

fn attributes(labels: &[(&str, &str)]) -> Vec<Value> {
    labels.iter().map(|(key, value)| attribute(key, value)).collect()
}

fn points(samples: &[Sample<'_>], times: &Value) -> Vec<Value> {
    let point = |sample: &Sample<'_>| {
        with_times(json!({ "attributes": attributes(&sample.labels), "asDouble": sample.value }), times)
    };
    samples.iter().map(point).collect()
}

fn histograms(samples: &[Sample<'_>], times: &Value) -> Vec<Value> {
    let mut all: BTreeMap<Vec<(&str, &str)>, Buckets> = BTreeMap::new();
    for sample in samples {
        let bound = sample.labels.iter().find(|(key, _)| *key == "le").map(|(_, value)| *value);
        let labels = sample.labels.iter().copied().filter(|(key, _)| *key != "le").collect();
        let buckets = all.entry(labels).or_default();
        match bound {
            Some(bound) => buckets.bounds.extend(bound.parse().ok().map(|bound: f64| (bound, sample.value))),
            None if sample.name.ends_with("_sum") => buckets.sum = sample.value,
            None => buckets.count = sample.value,
        }
    }
    all.iter().map(|(labels, buckets)| with_times(histogram(labels, buckets), times)).collect()
}

/// Prometheus counts everything up to a bound, OTLP what lies between two.
fn histogram(labels: &[(&str, &str)], buckets: &Buckets) -> Value {
    let finite = || buckets.bounds.iter().filter(|(bound, _)| bound.is_finite());
    let mut before = 0.0;
    let mut between: Vec<String> = Vec::new();
    for upto in finite().map(|(_, upto)| *upto).chain([buckets.count]) {
        between.push(format!("{:.0}", upto - before));
        before = upto;
    }
    json!({
        "attributes": attributes(labels),
        "count": format!("{:.0}", buckets.count),
        "sum": buckets.sum,
        "bucketCounts": between,
        "explicitBounds": finite().map(|(bound, _)| *bound).collect::<Vec<f64>>(),
    })
}

fn with_times(mut point: Value, times: &Value) -> Value {
    if let (Some(point), Some(times)) = (point.as_object_mut(), times.as_object()) {
        point.extend(times.clone());
    }
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# HELP selfhood_requests_total Answered requests.
# TYPE selfhood_requests_total counter
selfhood_requests_total{method=\"POST\",route=\"/v1/personas/{p}/recall\",status=\"200\"} 2
# HELP selfhood_in_flight Requests being answered.
# TYPE selfhood_in_flight gauge
selfhood_in_flight 1
# HELP selfhood_seconds How long.
# TYPE selfhood_seconds histogram
selfhood_seconds_bucket{verb=\"recall\",le=\"0.5\"} 1
selfhood_seconds_bucket{verb=\"recall\",le=\"1\"} 4
selfhood_seconds_bucket{verb=\"recall\",le=\"+Inf\"} 5
selfhood_seconds_sum{verb=\"recall\"} 7.5
selfhood_seconds_count{verb=\"recall\"} 5
# HELP selfhood_nothing Never seen.
# TYPE selfhood_nothing counter
";

    #[test]
    fn counters_gauges_and_histograms_say_what_the_text_says() {
        let metrics = metrics(TEXT, 1, 2);
        let names: Vec<&str> = metrics.iter().map(|metric| metric["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["selfhood_requests_total", "selfhood_in_flight", "selfhood_seconds"]);
        let counted = &metrics[0]["sum"]["dataPoints"][0];
        assert_eq!(counted["asDouble"], 2.0);
        assert_eq!(counted["attributes"][1]["value"]["stringValue"], "/v1/personas/{p}/recall");
        assert_eq!((&counted["startTimeUnixNano"], &counted["timeUnixNano"]), (&json!("1"), &json!("2")));
        assert_eq!(metrics[1]["gauge"]["dataPoints"][0]["asDouble"], 1.0);
        let histogram = &metrics[2]["histogram"]["dataPoints"][0];
        assert_eq!(histogram["bucketCounts"], json!(["1", "3", "1"]));
        assert_eq!(histogram["explicitBounds"], json!([0.5, 1.0]));
        assert_eq!((&histogram["count"], &histogram["sum"]), (&json!("5"), &json!(7.5)));
    }
}
