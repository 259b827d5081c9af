//! `kitbag stats`: what was asked of this project, what it cost, and what it may have saved.

use kitbag_engine::api::{self, UsageReply, UsageShare};

use crate::cli::answer::Answer;
use crate::cli::arguments::Stats;
use crate::cli::context::Context;
use kitbag_door::failure::Failure;
use kitbag_door::printer::{Align, Page, Style, Table, ago, counted, grouped};

/// The longest bar of the trend.
const BAR: u64 = 30;
/// Most languages that are shown; the JSON has all.
const LANGUAGES: usize = 8;

pub(crate) fn run(context: &Context, arguments: &Stats) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let reply = api::usage_stats(&engine, arguments.days, context.around.now)?;
    let answer = Answer::new(context, &reply, |page| {
        if reply.requests > 0 {
            render(page, &reply, context.around.now.0);
        }
    });
    Ok(if reply.requests == 0 {
        let days = counted(reply.days, "day");
        answer.remark(context, &format!("nothing was asked here in the last {days}"))
    } else {
        answer
    })
}

fn render(page: &mut Page, reply: &UsageReply, now: i64) {
    let mut table = Table::new(&[(Align::Left, Some(Style::Quiet)), (Align::Left, None)]);
    let doors: Vec<String> = reply
        .doors
        .iter()
        .map(|(door, n)| format!("{door} {}", grouped(*n)))
        .collect();
    let days = counted(reply.days, "day");
    table.row(&[
        "requests",
        &format!("{} in {days} ({})", grouped(reply.requests), doors.join(", ")),
    ]);
    table.row(&["delivered", &counted(reply.tokens_delivered, "token")]);
    if reply.duplicate_tokens > 0 {
        table.row(&["duplicates left out", &counted(reply.duplicate_tokens, "token")]);
    }
    if reply.session_tokens > 0 {
        table.row(&["known to the session", &counted(reply.session_tokens, "token")]);
    }
    if let Some(share) = reply.utilisation {
        table.row(&["budget used", &format!("{:.0} %", share * 100.0)]);
    }
    table.row(&["saved", &saved(reply)]);
    table.print(page);
    page.styled(Style::Quiet, reply.saving.basis).end_line();
    top(page, reply, now);
    shares(page, "items by provider", &reply.providers);
    shares(
        page,
        "items by language",
        &reply.languages[..reply.languages.len().min(LANGUAGES)],
    );
    latency(page, reply);
    trend(page, reply);
}

fn saved(reply: &UsageReply) -> String {
    let saving = &reply.saving;
    let (Some(tokens), Some(percent)) = (saving.median_saved_tokens, saving.median_saved_percent) else {
        return format!(
            "unknown: none of {} can be compared",
            counted(reply.requests, "request")
        );
    };
    format!(
        "about {} tokens, {percent:.0} %, by the median of {} ({} unknown)",
        signed(tokens),
        counted(saving.counted, "request"),
        grouped(saving.unknown)
    )
}

fn signed(n: i64) -> String {
    let sign = if n < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(n.unsigned_abs()))
}

fn top(page: &mut Page, reply: &UsageReply, now: i64) {
    if reply.top_savings.is_empty() {
        return;
    }
    page.end_line().line("saved most");
    let mut table = Table::new(&[
        (Align::Left, None),
        (Align::Right, None),
        (Align::Left, None),
        (Align::Left, Some(Style::Quiet)),
    ])
    .indented(2);
    for one in &reply.top_savings {
        let instead = format!(
            "{} instead of {}",
            grouped(one.tokens),
            grouped(one.baseline_tokens)
        );
        table.row(&[
            &one.operation,
            &signed(one.saved_tokens),
            &instead,
            &ago(one.at, now),
        ]);
    }
    table.print(page);
}

fn shares(page: &mut Page, title: &str, shares: &[UsageShare]) {
    if shares.is_empty() {
        return;
    }
    page.end_line().line(title);
    let mut table =
        Table::new(&[(Align::Left, None), (Align::Right, None), (Align::Right, None)]).indented(2);
    for one in shares {
        let name = if one.name.is_empty() { "other" } else { &one.name };
        table.row(&[name, &grouped(one.items), &format!("{:.0} %", one.share * 100.0)]);
    }
    table.print(page);
}

fn latency(page: &mut Page, reply: &UsageReply) {
    page.end_line().line("time");
    let mut table = Table::new(&[(Align::Left, None), (Align::Right, None), (Align::Left, None)]).indented(2);
    for one in &reply.latency {
        let times = format!("p50 {:.1} ms, p95 {:.1} ms", one.p50_ms, one.p95_ms);
        table.row(&[&one.operation, &grouped(one.requests), &times]);
    }
    table.print(page);
}

/// One bar per day, in requests.
fn trend(page: &mut Page, reply: &UsageReply) {
    let most = reply
        .trend
        .iter()
        .map(|day| day.requests)
        .max()
        .unwrap_or(0)
        .max(1);
    page.end_line().line("requests by day");
    let mut table = Table::new(&[
        (Align::Left, Some(Style::Quiet)),
        (Align::Right, None),
        (Align::Left, None),
    ])
    .indented(2);
    for day in &reply.trend {
        let bar = "#".repeat((day.requests * BAR).div_ceil(most) as usize);
        table.row(&[&day.day, &grouped(day.requests), &bar]);
    }
    table.print(page);
}
