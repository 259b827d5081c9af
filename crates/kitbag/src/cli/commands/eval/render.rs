//! Figures as tables.

use kitbag_engine::api::{
    EvalAblation, EvalChange, EvalComparison, EvalFigures, EvalGroup, EvalResult, EvalRun, EvalSummary,
    METRICS,
};

use kitbag_door::printer::{Align, Page, Style, Table, counted, grouped};

/// Misses that are shown; JSON has them all.
const MISSES: usize = 10;
const QUERY_CHARS: usize = 80;

pub(super) fn run(page: &mut Page, run: &EvalRun) {
    let mut columns = vec![(Align::Left, Some(Style::Label)), (Align::Right, None)];
    columns.extend(METRICS.iter().map(|_| (Align::Right, None)));
    let mut table = Table::new(&columns);
    let mut header = vec!["", "queries"];
    header.extend(METRICS.iter().map(|metric| metric.label));
    table.row(&header);
    row(&mut table, "all", &run.summary.all);
    for groups in [
        &run.summary.by_category,
        &run.summary.by_language,
        &run.summary.by_repo,
    ] {
        // One group is the whole once more.
        if groups.len() > 1 {
            table.row(&[""]);
            for EvalGroup { name, figures } in groups {
                row(&mut table, name, figures);
            }
        }
    }
    table.print(page);
    page.end_line();
    definitions(page, &run.summary);
    packs(page, &run.summary);
    if run.summary.all.repos > 1 {
        page.line(&format!(
            "mean within each of {} repositories, then over them; tokens: median",
            run.summary.all.repos
        ));
    } else {
        page.line("tokens: median of what is read before the first right file");
    }
    page.line(&format!(
        "latency p50 {:.1} ms, p95 {:.1} ms; {}, {}",
        run.timing.p50_ms,
        run.timing.p95_ms,
        counted(run.files, "file"),
        counted(run.chunks, "chunk")
    ));
    for note in &run.notes {
        page.line(note);
    }
    misses(page, &run.results);
    ablation(page, &run.ablation);
}

fn row(table: &mut Table, name: &str, figures: &EvalFigures) {
    let shares = [
        figures.ndcg10,
        figures.recall1,
        figures.recall5,
        figures.recall10,
        figures.all1,
        figures.all3,
        figures.all5,
        figures.all10,
        figures.mrr,
    ];
    let mut cells = vec![name.to_owned(), grouped(figures.queries as u64)];
    cells.extend(shares.map(|share| format!("{share:.3}")));
    cells.push(grouped(figures.tokens_median.round() as u64));
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    table.row(&cells);
}

/// All, then by category and by language, where there is more than one.
fn rows_of(summary: &EvalSummary) -> Vec<(&str, &EvalFigures)> {
    let mut rows = vec![("all", &summary.all)];
    for groups in [&summary.by_category, &summary.by_language] {
        if groups.len() > 1 {
            rows.extend(groups.iter().map(|group| (group.name.as_str(), &group.figures)));
        }
    }
    rows
}

fn definitions(page: &mut Page, summary: &EvalSummary) {
    if summary.all.definitions.is_none() && summary.all.match_auroc.is_none() {
        return;
    }
    let mut columns = vec![(Align::Left, Some(Style::Label))];
    columns.extend([(Align::Right, None); 6]);
    let mut table = Table::new(&columns);
    table.row(&[
        "right definition",
        "queries",
        "Acc@1",
        "Acc@5",
        "Acc@10",
        "all@10",
        "match AUROC",
    ]);
    for (name, figures) in rows_of(summary) {
        let found = figures.definitions.unwrap_or_default();
        let mut cells = vec![name.to_owned(), grouped(found.queries as u64)];
        let shares = [found.acc1, found.acc5, found.acc10, found.all10];
        cells.extend(shares.map(|share| format!("{share:.3}")));
        cells.push(
            figures
                .match_auroc
                .map_or("-".to_owned(), |share| format!("{share:.3}")),
        );
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        table.row(&cells);
    }
    table.print(page);
    page.end_line();
}

fn packs(page: &mut Page, summary: &EvalSummary) {
    if summary.all.packs.is_empty() {
        return;
    }
    let mut columns = vec![(Align::Left, Some(Style::Label))];
    columns.extend([(Align::Right, None); 10]);
    let mut table = Table::new(&columns);
    table.row(&[
        "packs",
        "budget",
        "queries",
        "any line",
        "lines",
        "precision",
        "files",
        "filler",
        "scaffolding",
        "names",
        "tokens",
    ]);
    for (name, figures) in rows_of(summary) {
        for pack in &figures.packs {
            let mut cells = vec![
                name.to_owned(),
                grouped(pack.budget as u64),
                grouped(pack.queries as u64),
            ];
            let shares = [pack.any, pack.lines];
            cells.extend(shares.map(|share| format!("{share:.3}")));
            cells.push(format!("{:.4}", pack.precision));
            let shares = [pack.files, pack.filler, pack.scaffolding, pack.names];
            cells.extend(shares.map(|share| format!("{share:.3}")));
            cells.push(grouped(pack.tokens.round() as u64));
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            table.row(&cells);
        }
    }
    table.print(page);
    page.end_line();
}

/// What somebody who wants better figures looks at first.
fn misses(page: &mut Page, results: &[EvalResult]) {
    let missed: Vec<&EvalResult> = results
        .iter()
        .filter(|result| result.measures.recall10 == 0.0 && !result.unanswerable)
        .collect();
    if missed.is_empty() {
        return;
    }
    page.end_line();
    page.line(&format!(
        "no right file among the first ten: {}",
        queries(missed.len())
    ));
    let columns = [
        (Align::Left, Some(Style::Quiet)),
        (Align::Left, None),
        (Align::Left, Some(Style::Path)),
    ];
    let mut table = Table::new(&columns).indented(2);
    for result in missed.iter().take(MISSES) {
        let gold = result.gold.first().map_or("", |gold| gold.path.as_str());
        table.row(&[&result.id, &shortened(&result.query), gold]);
    }
    table.print(page);
    if missed.len() > MISSES {
        page.line(&format!(
            "  … {} more (`--json` has them all)",
            missed.len() - MISSES
        ));
    }
}

fn ablation(page: &mut Page, ablation: &[EvalAblation]) {
    if ablation.is_empty() {
        return;
    }
    page.end_line();
    let columns = [
        (Align::Left, Some(Style::Label)),
        (Align::Right, None),
        (Align::Right, None),
        (Align::Right, None),
        (Align::Right, None),
    ];
    let mut table = Table::new(&columns);
    table.row(&["without", "NDCG@10", "all@5", "R@10", "queries that change"]);
    let mut sorted: Vec<&EvalAblation> = ablation.iter().collect();
    sorted.sort_by(|a, b| {
        let by_loss = a.ndcg10.total_cmp(&b.ndcg10);
        by_loss.then_with(|| a.without.cmp(&b.without))
    });
    for off in sorted {
        table.row(&[
            &off.without,
            &signed(off.ndcg10),
            &signed(off.all5),
            &signed(off.recall10),
            &grouped(off.changed as u64),
        ]);
    }
    table.print(page);
}

pub(super) fn comparison(page: &mut Page, comparison: &EvalComparison) {
    let mut columns = vec![(Align::Left, Some(Style::Label))];
    columns.extend([(Align::Right, None); 7]);
    let mut table = Table::new(&columns);
    table.row(&[
        "",
        "before",
        "after",
        "difference",
        "95 % interval",
        "better",
        "worse",
        "same",
    ]);
    for metric in &comparison.metrics {
        let is_tokens = metric.metric == "tokens";
        let plain = |value: f64| match is_tokens {
            true => format!("{value:.0}"),
            false => format!("{value:.4}"),
        };
        let change = |value: f64| match is_tokens {
            true => format!("{:+.0}", value + 0.0),
            false => signed(value),
        };
        table.row(&[
            &metric.label,
            &plain(metric.before),
            &plain(metric.after),
            &change(metric.difference),
            &format!("{} … {}", change(metric.low), change(metric.high)),
            &grouped(metric.better as u64),
            &grouped(metric.worse as u64),
            &grouped(metric.same as u64),
        ]);
    }
    table.print(page);
    page.end_line();
    let repos = match comparison.repos {
        1 => "1 repository".to_owned(),
        n => format!("{n} repositories"),
    };
    page.line(&format!(
        "{} of {repos}; the interval is drawn over {}",
        queries(comparison.queries),
        comparison.drawn
    ));
    changes(page, "gains", &comparison.gains);
    changes(page, "losses", &comparison.losses);
}

fn changes(page: &mut Page, title: &str, changes: &[EvalChange]) {
    if changes.is_empty() {
        return;
    }
    page.end_line();
    page.line(&format!("largest {title} (NDCG@10; ranks of the gold files)"));
    let columns = [
        (Align::Right, None),
        (Align::Left, Some(Style::Quiet)),
        (Align::Left, None),
        (Align::Left, None),
    ];
    let mut table = Table::new(&columns).indented(2);
    for change in changes {
        let ranks = format!("{} → {}", ranks(&change.ranks_before), ranks(&change.ranks_after));
        let difference = format!("{:+.3}", change.difference);
        table.row(&[&difference, &change.id, &ranks, &shortened(&change.query)]);
    }
    table.print(page);
}

fn ranks(ranks: &[Option<usize>]) -> String {
    let rank = |rank: &Option<usize>| rank.map_or("-".to_owned(), |rank| rank.to_string());
    ranks.iter().map(rank).collect::<Vec<_>>().join(",")
}

/// Adding 0 turns the negative zero into the plain one.
fn signed(value: f64) -> String {
    format!("{:+.4}", value + 0.0)
}

fn queries(n: usize) -> String {
    match n {
        1 => "1 query".to_owned(),
        n => format!("{} queries", grouped(n as u64)),
    }
}

/// The first line, not all of it.
fn shortened(query: &str) -> String {
    let line = query
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let line = line.trim();
    match line.char_indices().nth(QUERY_CHARS) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line.to_owned(),
    }
}
