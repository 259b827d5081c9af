//! `kitbag stats`: what is there to answer from, what was asked of this project, what it cost, and what it may have saved.

use kitbag_engine::api::{
    self, ContextStats, ContextStatsRequest, DoorState, LanguageStats, ProviderStats, RecentRequest,
    UsageReply,
};

use crate::cli::answer::Answer;
use crate::cli::arguments::Stats;
use crate::cli::context::Context;
use crate::cli::saved::USER;
use kitbag_door::failure::Failure;
use kitbag_door::printer::{Align, Page, Style, Table, ago, counted, grouped};

/// The longest bar of the trend.
const BAR: u64 = 30;
/// Most languages that are shown; the JSON has all.
const LANGUAGES: usize = 8;

pub(crate) fn run(context: &Context, arguments: &Stats) -> Result<Answer, Failure> {
    let (engine, settings) = context.open_if_off(Vec::new())?;
    let request = ContextStatsRequest {
        days: Some(arguments.days),
        ..ContextStatsRequest::default()
    };
    let door = DoorState {
        enabled: settings.engine.enabled,
        mode: settings.engine.mode.as_str().to_owned(),
        ..DoorState::default()
    };
    let now = context.around.now;
    let reply = api::context_stats(&engine, &request, door, USER, now)?;
    let usage = &reply.usage;
    let answer = Answer::new(context, &reply, |page| {
        state(page, &reply);
        languages(page, &reply.languages);
        if usage.requests > 0 {
            page.end_line();
            render(page, usage, now.0);
            providers(page, &reply.providers);
            recent(page, &reply.recent, now.0);
        }
    });
    Ok(if usage.requests == 0 {
        let days = counted(usage.days, "day");
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
    shown_languages(page, reply);
    latency(page, reply);
    trend(page, reply);
}

/// Who answers, and from what.
fn state(page: &mut Page, reply: &ContextStats) {
    let mut table = Table::new(&[(Align::Left, Some(Style::Quiet)), (Align::Left, None)]);
    let mode = match reply.door.enabled {
        true => reply.door.mode.clone(),
        false => "switched off (engine.enabled)".to_owned(),
    };
    table.row(&["mode", &mode]);
    let (files, chunks) = (
        counted(reply.index.files, "file"),
        counted(reply.index.chunks, "chunk"),
    );
    let state = match (reply.index.updated_at, reply.index.complete) {
        (None, _) => "not indexed yet",
        (_, true) => "complete",
        (_, false) => "not complete",
    };
    table.row(&["index", &format!("{files}, {chunks}, {state}")]);
    if let Some(job) = &reply.rebuild {
        let (done, total) = (grouped(job.processed), grouped(job.total));
        table.row(&[
            "rebuild",
            &format!("{}: {}, {done} of {total} files", job.id, job.status),
        ]);
    }
    table.print(page);
}

fn languages(page: &mut Page, languages: &[LanguageStats]) {
    if languages.is_empty() {
        return;
    }
    let mut languages: Vec<&LanguageStats> = languages.iter().collect();
    languages.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.language.cmp(&b.language)));
    let right = (Align::Right, None);
    let mut table = Table::new(&[(Align::Left, None), right, right, right]).indented(2);
    page.end_line().line("indexed");
    table.row(&["language", "files", "chunks", "tokens"]);
    for one in languages.into_iter().take(LANGUAGES) {
        let [files, chunks, tokens] = [one.files, one.chunks, one.tokens].map(grouped);
        table.row(&[&one.language, &files, &chunks, &tokens]);
    }
    table.print(page);
}

fn providers(page: &mut Page, providers: &[ProviderStats]) {
    page.end_line().line("providers");
    let right = (Align::Right, None);
    let mut table = Table::new(&[(Align::Left, None), right, right, right, (Align::Left, None)]).indented(2);
    table.row(&["name", "requests", "items", "share", "time for a pack"]);
    for one in providers {
        let time = match (&one.missing, one.p50_ms, one.p95_ms) {
            (Some(why), ..) => why.clone(),
            (None, Some(p50), Some(p95)) => format!("p50 {p50:.1} ms, p95 {p95:.1} ms"),
            (None, ..) => String::new(),
        };
        let share = format!("{:.0} %", one.share * 100.0);
        table.row(&[&one.name, &grouped(one.used), &grouped(one.items), &share, &time]);
    }
    table.print(page);
}

fn recent(page: &mut Page, recent: &[RecentRequest], now: i64) {
    page.end_line().line("last requests");
    let (left, right) = ((Align::Left, None), (Align::Right, None));
    let mut table = Table::new(&[left, left, right, right, (Align::Left, Some(Style::Quiet))]).indented(2);
    for one in recent {
        let (ms, tokens) = (format!("{:.1} ms", one.ms), counted(one.tokens, "token"));
        table.row(&[&one.operation, &one.door, &ms, &tokens, &ago(one.at, now)]);
    }
    table.print(page);
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

fn shown_languages(page: &mut Page, reply: &UsageReply) {
    if reply.languages.is_empty() {
        return;
    }
    page.end_line().line("items by language");
    let mut table =
        Table::new(&[(Align::Left, None), (Align::Right, None), (Align::Right, None)]).indented(2);
    for one in reply.languages.iter().take(LANGUAGES) {
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
