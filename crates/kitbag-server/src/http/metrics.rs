//! Metrics in the text format of Prometheus: requests by route and status, their time, and the state of the index.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::routes::known_path;

/// Upper bounds of the buckets, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

#[derive(Debug, Default)]
pub(super) struct Metrics {
    n_begun: AtomicU64,
    routes: Mutex<BTreeMap<&'static str, Route>>,
}

#[derive(Debug, Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    buckets: [u64; BUCKETS.len()],
    seconds: f64,
    n: u64,
}

impl Metrics {
    /// The number of a request.
    pub(super) fn begin(&self) -> u64 {
        self.n_begun.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn end(&self, path: &str, status: u16, took: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let route = routes.entry(known_path(path)).or_default();
        *route.by_status.entry(status).or_insert(0) += 1;
        let seconds = took.as_secs_f64();
        for (bucket, bound) in route.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= bound);
        }
        route.seconds += seconds;
        route.n += 1;
    }

    /// All metrics, with the current `gauges`: name, help, value.
    pub(super) fn text(&self, gauges: &[(&str, &str, f64)]) -> String {
        let mut text = String::new();
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        head(
            &mut text,
            "kitbag_requests_total",
            "Requests by route and status.",
            "counter",
        );
        for (path, route) in routes.iter() {
            for (status, n) in &route.by_status {
                line(
                    &mut text,
                    format_args!("kitbag_requests_total{{path=\"{path}\",status=\"{status}\"}} {n}"),
                );
            }
        }
        let name = "kitbag_request_seconds";
        head(&mut text, name, "Time to answer.", "histogram");
        for (path, route) in routes.iter() {
            for (bound, n) in BUCKETS.iter().zip(route.buckets) {
                line(
                    &mut text,
                    format_args!("{name}_bucket{{path=\"{path}\",le=\"{bound}\"}} {n}"),
                );
            }
            line(
                &mut text,
                format_args!("{name}_bucket{{path=\"{path}\",le=\"+Inf\"}} {}", route.n),
            );
            line(
                &mut text,
                format_args!("{name}_sum{{path=\"{path}\"}} {}", route.seconds),
            );
            line(
                &mut text,
                format_args!("{name}_count{{path=\"{path}\"}} {}", route.n),
            );
        }
        for (name, help, value) in gauges {
            head(&mut text, name, help, "gauge");
            line(&mut text, format_args!("{name} {value}"));
        }
        text
    }
}

fn head(text: &mut String, name: &str, help: &str, kind: &str) {
    line(text, format_args!("# HELP {name} {help}\n# TYPE {name} {kind}"));
}

fn line(text: &mut String, what: std::fmt::Arguments<'_>) {
    writeln!(text, "{what}").expect("a string takes everything");
}
