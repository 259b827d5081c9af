//! Messages about a pack: the summary of one screen, the table of `--preview`, the figures of `--stats`.

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_engine::Tokenizer;
use kitbag_engine::api::{PackExcluded, PackItem, PackReply, PackSession};

use kitbag_door::printer::{Align, Page, Style, Table, counted, grouped, seconds};

/// Most left-out items that are named.
const NAMED: usize = 5;
/// Best first, as people count them.
const RESOLUTIONS: [&str; 4] = ["full", "outline", "signature", "reference"];

/// One screen, for standard error.
pub(super) fn summary(page: &mut Page, reply: &PackReply, tokenizer: &Tokenizer, took: Duration) {
    let mut table = Table::new(&[(Align::Left, Some(Style::Quiet)), (Align::Left, None)]);
    let how = if reply.exact {
        format!("exact, by {}", reply.tokenizer)
    } else {
        let percent = tokenizer.count("a").headroom_percent;
        format!("at most, by {} with {percent} % headroom", reply.tokenizer)
    };
    let n = |n: usize| grouped(n as u64);
    let percent = reply.stats.utilisation * 100.0;
    let used = format!(
        "{} of {} tokens ({percent:.1} %; {how})",
        n(reply.tokens),
        n(reply.budget)
    );
    table.row(&["pack", &used]);
    let told = if reply.intent_inferred {
        " (inferred from the task)"
    } else {
        ""
    };
    table.row(&["intent", &format!("{}{told}", reply.intent)]);
    let by_resolution = RESOLUTIONS
        .iter()
        .filter_map(|name| Some(format!("{} {name}", n(*reply.stats.by_resolution.get(*name)?))));
    let items = format!(
        "{} in {}: {}",
        counted(reply.stats.items as u64, "item"),
        counted(reply.stats.files as u64, "file"),
        by_resolution.collect::<Vec<_>>().join(", ")
    );
    table.row(&["items", items.trim_end_matches(": ")]);
    if !reply.sections.is_empty() {
        table.row(&["sections", &counts(&reply.sections)]);
    }
    if let Some(session) = &reply.session {
        table.row(&["session", &session_row(session)]);
    }
    if !reply.excluded.is_empty() {
        let what = format!(
            "{} ({})",
            n(reply.excluded.len()),
            reasons(&reply.stats.by_reason)
        );
        table.row(&["left out", &what]);
    }
    for one in reply.excluded.iter().take(NAMED) {
        table.row(&["", &format!("{} ({})", place_of_excluded(one), one.reason)]);
    }
    if reply.excluded.len() > NAMED {
        table.row(&["", "… (`kitbag explain` lists them all)"]);
    }
    // A small budget has no room for all of them.
    let is_written = |hint: &&String| reply.text.contains(hint.as_str());
    let n_hints = reply.missing_context_hints.iter().filter(is_written).count();
    if n_hints > 0 {
        let hints = counted(n_hints as u64, "hint");
        table.row(&["see also", &format!("{hints} at the end of the pack")]);
    }
    table.row(&["time", &seconds(took)]);
    table.print(page);
}

/// `work, answer 2: 14 items not sent again, 1 changed, 5,210 tokens saved`.
fn session_row(session: &PackSession) -> String {
    let answer = session
        .answer
        .map_or("not counted".to_owned(), |answer| format!("answer {answer}"));
    let changed = match session.changed {
        0 => String::new(),
        n => format!(", {} changed", grouped(n as u64)),
    };
    format!(
        "{}, {answer}: {} not sent again{changed}, {} tokens saved",
        session.id,
        counted(session.referred as u64, "item"),
        grouped(session.tokens_saved as u64)
    )
}

/// `definitions 410, tests 90`, most first.
fn counts(counts: &BTreeMap<String, usize>) -> String {
    let mut sorted: Vec<(&String, &usize)> = counts.iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let words = sorted
        .iter()
        .map(|(name, n)| format!("{name} {}", grouped(**n as u64)));
    words.collect::<Vec<_>>().join(", ")
}

/// `no room 210, duplicate 5`, most first.
fn reasons(by_reason: &BTreeMap<String, usize>) -> String {
    let said = |reason: &str| match reason {
        "budget" => "no room".to_owned(),
        "below_threshold" => "low score".to_owned(),
        other => other.replace('_', " "),
    };
    let mut named = BTreeMap::new();
    for (reason, n) in by_reason {
        *named.entry(said(reason)).or_insert(0) += n;
    }
    counts(&named)
}

/// The items, without their text (PACK-45).
pub(super) fn preview(page: &mut Page, items: &[PackItem]) {
    let columns = [
        (Align::Right, None),
        (Align::Left, Some(Style::Label)),
        (Align::Left, Some(Style::Path)),
        (Align::Left, None),
        (Align::Right, None),
        (Align::Left, Some(Style::Quiet)),
    ];
    let mut table = Table::new(&columns);
    table.row(&["rank", "citation", "place", "resolution", "tokens", "section"]);
    for item in items {
        table.row(&[
            &item.rank.to_string(),
            &item.citation,
            &place(item),
            &item.resolution,
            &grouped(item.tokens as u64),
            &item.section,
        ]);
    }
    table.fit(2).print(page);
}

/// `src/a.rs:10-40  Parser::next`.
pub(in crate::cli) fn place(item: &PackItem) -> String {
    let place = format!(
        "{}:{}-{}  {}",
        item.path, item.line_start, item.line_end, item.label
    );
    place.trim_end().to_owned()
}

pub(in crate::cli) fn place_of_excluded(one: &PackExcluded) -> String {
    let lines = match (one.line_start, one.line_end) {
        (Some(start), Some(end)) => format!(":{start}-{end}"),
        _ => String::new(),
    };
    // An item that was asked for by name is shown under its name.
    let label = if one.label == one.path {
        ""
    } else {
        one.label.as_str()
    };
    format!("{}{lines}  {label}", one.path).trim_end().to_owned()
}

/// PACK-45.
pub(super) fn stats(page: &mut Page, reply: &PackReply) {
    let stats = &reply.stats;
    let n = |n: usize| grouped(n as u64);
    let ratio = format!("{:.1} %", stats.utilisation * 100.0);
    let all = [
        ("candidates", n(stats.candidates)),
        ("items", n(stats.items)),
        ("files", n(stats.files)),
        ("excluded", n(reply.excluded.len())),
        ("budget used", ratio),
        ("tokens saved by deduplication", n(stats.tokens_saved)),
        ("files changed since indexed", n(stats.changed_files.len())),
    ];
    let mut table = numbers();
    for (name, value) in &all {
        table.row(&[name, value]);
    }
    table.print(page);
    let lists = [
        ("tokens by section", &reply.sections),
        ("tokens by source", &stats.by_source),
        ("items by resolution", &stats.by_resolution),
        ("excluded by reason", &stats.by_reason),
    ];
    for (title, counts) in lists {
        if counts.is_empty() {
            continue;
        }
        page.end_line().line(title);
        let mut table = numbers().indented(2);
        for (name, count) in counts {
            table.row(&[name, &n(*count)]);
        }
        table.print(page);
    }
    page.end_line().line("seconds by stage");
    let mut table = numbers().indented(2);
    for (stage, ms) in &reply.timings_ms {
        table.row(&[stage, &format!("{:.4}", ms / 1_000.0)]);
    }
    table.print(page);
}

fn numbers() -> Table {
    Table::new(&[(Align::Left, Some(Style::Quiet)), (Align::Right, None)])
}
