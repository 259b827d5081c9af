use super::*;

fn row(at: i64, operation: &str, tokens: u64, baseline: Option<u64>) -> UsageRow {
    UsageRow {
        at,
        door: "cli".into(),
        operation: operation.into(),
        total_us: tokens * 10,
        items: 2,
        tokens,
        budget: if operation == "pack" { 2_000 } else { 0 },
        providers: vec![("full_text".into(), 2), ("symbol".into(), 1)],
        languages: vec![("rust".into(), 2)],
        baseline_tokens: baseline,
        ..UsageRow::default()
    }
}

#[test]
fn met_2_what_cannot_be_compared_counts_for_nothing_and_losses_count() {
    let rows = [
        row(1, "pack", 1_000, Some(10_000)),
        row(2, "pack", 1_000, Some(500)),
        row(3, "search", 1_000, Some(5_000)),
        row(4, "search", 9_999, None),
    ];
    let reply = summary(&rows, 7, Timestamp(5));
    let saving = reply.saving;
    assert_eq!((saving.counted, saving.unknown), (3, 1));
    assert_eq!(saving.median_saved_tokens, Some(4_000));
    assert_eq!(saving.median_saved_percent, Some(80.0));
    let top: Vec<i64> = reply.top_savings.iter().map(|top| top.saved_tokens).collect();
    assert_eq!(top, [9_000, 4_000]);
    assert_eq!(reply.tokens_delivered, 12_999);
    assert_eq!(reply.utilisation, Some(0.5));
}

#[test]
fn met_2_nobody_reads_more_than_fits_a_window() {
    // A row of a version that counted whole files.
    let rows = [row(1, "pack", 1_000, Some(15_633_604))];
    let reply = summary(&rows, 7, Timestamp(5));
    assert_eq!(reply.saving.median_saved_tokens, Some(99_000));
    assert_eq!(reply.top_savings[0].baseline_tokens, 100_000);
}

#[test]
fn met_1_shares_are_of_items_and_times_of_operations() {
    let rows: Vec<UsageRow> = (1..=20).map(|n| row(n, "search", n as u64 * 100, None)).collect();
    let reply = summary(&rows, 7, Timestamp(50));
    let providers: Vec<(&str, f64)> = reply
        .providers
        .iter()
        .map(|one| (one.name.as_str(), one.share))
        .collect();
    assert_eq!(providers, [("full_text", 1.0), ("symbol", 0.5)]);
    assert_eq!((reply.latency[0].p50_ms, reply.latency[0].p95_ms), (10.0, 19.0));
    assert_eq!(reply.doors["cli"], 20);
}

#[test]
fn met_1_the_trend_has_fourteen_days_with_and_without_requests() {
    let now = Timestamp(20 * DAY_MS + 5);
    let rows = [
        row(now.0 - 14 * DAY_MS, "pack", 1, None),
        row(now.0 - DAY_MS, "pack", 10, Some(30)),
        row(now.0, "pack", 10, Some(20)),
        row(now.0, "pack", 5, None),
    ];
    let trend = summary(&rows, 90, now).trend;
    assert_eq!(trend.len(), 14);
    assert_eq!((trend[0].day.as_str(), trend[0].requests), ("1970-01-08", 0));
    let last: Vec<(&str, u64, u64)> = trend[12..]
        .iter()
        .map(|day| (day.day.as_str(), day.requests, day.tokens))
        .collect();
    assert_eq!(last, [("1970-01-20", 1, 10), ("1970-01-21", 2, 15)]);
}

#[test]
fn nothing_asked_is_an_answer() {
    let reply = summary(&[], 7, Timestamp(0));
    assert_eq!((reply.requests, reply.saving.median_saved_tokens), (0, None));
    assert_eq!(reply.trend.len(), 14);
}

#[test]
fn dates_are_those_of_the_calendar() {
    let cases = [
        (0, "1970-01-01"),
        (59, "1970-03-01"),
        (11_016, "2000-02-29"),
        (19_782, "2024-02-29"),
        (20_773, "2026-11-16"),
        (-1, "1969-12-31"),
    ];
    for (days, expected) in cases {
        assert_eq!(date(days), expected);
    }
}
