//! Search results as text for a model (MCP-3): a line that says where, then the code, best first, and never over the budget.
//!
//! Smaller than a pack on purpose: no sections, citations or hints, because the reader asked for places and judges for itself.
//! Whole chunks while they fit, then their lines that matter, then only where they are; one that does not fit does not stop
//! smaller ones behind it. What counts is the finished text, as in a pack.

use std::fmt::Write as _;

use kitbag_types::{LineRange, Stop, Stopped};

use crate::format::json::quoted;
use crate::format::layout::piece_rows;
use crate::format::markdown::{body, code_span, fence_for, info};
use crate::format::{Format, Style, one_line};
use crate::outline::{beginning, lines_of};
use crate::piece::{Piece, Resolution};
use crate::session::{KnownPiece, SeenBefore, Session};

#[derive(Clone, Debug, PartialEq)]
pub struct ListOptions {
    /// Tokens the finished text may have.
    pub budget: usize,
    /// As JSON, for programs.
    pub json: bool,
    /// A note at the top, on a line of its own. Left out if it alone is over the budget.
    pub note: String,
}

/// What became of one result.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// `None`: it did not fit. `Reference`: only its place is shown.
    pub resolution: Option<Resolution>,
    /// The lines that are in the text.
    pub lines: Vec<LineRange>,
    pub seen: Option<SeenBefore>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    pub text: String,
    pub tokens: usize,
    /// One per piece, in the same order.
    pub entries: Vec<Entry>,
    /// Tokens saved by references to earlier answers.
    pub tokens_saved: usize,
}

/// Lists `pieces`, best first, until `stop` says that nobody waits for it. `count` is the tokenizer; it must count the empty text as 0.
pub fn list(
    pieces: &[Piece],
    options: &ListOptions,
    session: Option<&Session<'_>>,
    count: &dyn Fn(&str) -> usize,
    stop: Stop<'_>,
) -> Result<Listing, Stopped> {
    let known: Vec<KnownPiece<'_>> = pieces
        .iter()
        .map(|piece| session.map_or_else(KnownPiece::default, |session| KnownPiece::of(piece, session)))
        .collect();
    let mut entries: Vec<Entry> = known
        .iter()
        .map(|known| Entry {
            resolution: None,
            lines: Vec::new(),
            seen: known.changed_since.map(|since| SeenBefore::Changed { since }),
        })
        .collect();
    choose(pieces, &mut entries, options, count, stop)?;
    let (mut text, mut tokens) = fit(pieces, &mut entries, options, count, stop)?;
    let mut tokens_saved = 0;
    if let Some(session) = session {
        let referred = refer(pieces, &entries, &known, options, session, count);
        let shorter = render(pieces, &referred, options);
        let n = count(&shorter);
        if n < tokens {
            tokens_saved = tokens - n;
            (text, tokens, entries) = (shorter, n, referred);
        }
    }
    // A count that was stopped is not a count.
    stop.check()?;
    Ok(Listing {
        text,
        tokens,
        entries,
        tokens_saved,
    })
}

/// Gives each piece the largest form that fits what the better ones left, by the cost of each alone.
fn choose(
    pieces: &[Piece],
    entries: &mut [Entry],
    options: &ListOptions,
    count: &dyn Fn(&str) -> usize,
    stop: Stop<'_>,
) -> Result<(), Stopped> {
    let mut left = options
        .budget
        .saturating_sub(count(&render(pieces, entries, options)));
    for (idx, piece) in pieces.iter().enumerate() {
        stop.check()?;
        let seen = entries[idx].seen.clone();
        let with = |resolution: Resolution, lines: Vec<LineRange>| Entry {
            resolution: Some(resolution),
            lines,
            seen: seen.clone(),
        };
        let cost = |entry: &Entry| count(&written(piece, entry, options));
        let mut tried = vec![with(Resolution::Full, vec![piece.lines])];
        let outline = lines_of(piece, Resolution::Outline);
        if outline != [piece.lines] {
            tried.push(with(Resolution::Outline, outline));
        }
        if idx == 0 {
            // The best piece is shown in some form, however large it is.
            let fits = |lines: &[LineRange]| cost(&with(Resolution::Outline, lines.to_vec())) <= left;
            tried.extend(beginning(piece, &fits).map(|lines| with(Resolution::Outline, lines)));
        }
        tried.push(with(Resolution::Reference, Vec::new()));
        let fitting = tried.into_iter().map(|entry| (cost(&entry), entry));
        if let Some((cost, entry)) = fitting.into_iter().find(|(cost, _)| *cost <= left) {
            left -= cost;
            entries[idx] = entry;
        }
    }
    Ok(())
}

/// The finished text. Costs do not add up exactly: while the text is over the budget, the last entry gets shorter.
fn fit(
    pieces: &[Piece],
    entries: &mut [Entry],
    options: &ListOptions,
    count: &dyn Fn(&str) -> usize,
    stop: Stop<'_>,
) -> Result<(String, usize), Stopped> {
    loop {
        stop.check()?;
        let text = render(pieces, entries, options);
        let tokens = count(&text);
        if tokens <= options.budget {
            return Ok((text, tokens));
        }
        let Some(last) = entries.iter_mut().rev().find(|entry| entry.resolution.is_some()) else {
            // Not even the note fits.
            return Ok((String::new(), 0));
        };
        last.resolution = (last.resolution > Some(Resolution::Reference)).then_some(Resolution::Reference);
        last.lines.clear();
    }
}

/// The entries with references in place of what was delivered, where a reference is shorter.
fn refer(
    pieces: &[Piece],
    entries: &[Entry],
    known: &[KnownPiece<'_>],
    options: &ListOptions,
    session: &Session<'_>,
    count: &dyn Fn(&str) -> usize,
) -> Vec<Entry> {
    let one = |((entry, known), piece): ((&Entry, &KnownPiece<'_>), &Piece)| {
        let resolution = entry.resolution?;
        let answers = known.delivered_in(&entry.lines, resolution, session.intent)?;
        let reference = Entry {
            resolution: Some(Resolution::Reference),
            lines: Vec::new(),
            seen: Some(SeenBefore::Delivered { answers, resolution }),
        };
        let cost = |entry: &Entry| count(&written(piece, entry, options));
        (cost(&reference) < cost(entry)).then_some(reference)
    };
    let all = entries.iter().zip(known).zip(pieces);
    all.map(|three| one(three).unwrap_or_else(|| three.0.0.clone()))
        .collect()
}

fn render(pieces: &[Piece], entries: &[Entry], options: &ListOptions) -> String {
    let shown = pieces
        .iter()
        .zip(entries)
        .filter(|(_, entry)| entry.resolution.is_some());
    let n_omitted = entries.iter().filter(|entry| entry.resolution.is_none()).count();
    let parts: Vec<String> = shown
        .map(|(piece, entry)| written(piece, entry, options))
        .collect();
    let note = harmless(one_line(&options.note).trim());
    if options.json {
        return format!(
            "{{\"note\":{},\"results\":[{}],\"omitted\":{n_omitted}}}\n",
            quoted(&options.note),
            parts.join(",")
        );
    }
    let mut out = String::new();
    if !note.is_empty() {
        let _ = writeln!(out, "{note}\n");
    }
    out.push_str(&parts.concat());
    if n_omitted > 0 {
        let _ = writeln!(out, "… {n_omitted} more did not fit");
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn written(piece: &Piece, entry: &Entry, options: &ListOptions) -> String {
    if options.json {
        return json_of(piece, entry);
    }
    let mut out = head(piece);
    match &entry.seen {
        Some(SeenBefore::Delivered { answers, .. }) => {
            let _ = write!(out, "  (delivered in {})", SeenBefore::answers(answers));
        }
        Some(SeenBefore::Changed { since }) if !entry.lines.is_empty() => {
            let _ = write!(out, "  (changed since answer {since})");
        }
        _ => {}
    }
    out.push('\n');
    if !entry.lines.is_empty() {
        let text = shown_text(piece, entry);
        let fence = fence_for(&text);
        let _ = writeln!(out, "{fence}{}\n{text}{fence}", info(&piece.language));
    }
    out.push('\n');
    out
}

fn json_of(piece: &Piece, entry: &Entry) -> String {
    let resolution = entry.resolution.unwrap_or(Resolution::Reference);
    let mut out = format!(
        "\n{{\"path\":{},\"lines\":[{},{}],\"label\":{},\"resolution\":\"{}\"",
        quoted(&piece.path),
        piece.lines.start(),
        piece.lines.end(),
        quoted(&piece.label),
        resolution.as_str()
    );
    match &entry.seen {
        Some(SeenBefore::Delivered { answers, .. }) => {
            let _ = write!(out, ",\"delivered_in\":{answers:?}");
        }
        Some(SeenBefore::Changed { since }) if !entry.lines.is_empty() => {
            let _ = write!(out, ",\"changed_since\":{since}");
        }
        _ => {}
    }
    if !entry.lines.is_empty() {
        let _ = write!(out, ",\"text\":{}", quoted(&shown_text(piece, entry)));
    }
    out.push('}');
    out
}

fn shown_text(piece: &Piece, entry: &Entry) -> String {
    let style = Style {
        format: Format::Markdown,
        template: None,
        line_numbers: false,
    };
    body(&piece_rows(piece, &entry.lines), &style)
}

/// `src/a.rs:10-20  Parser::next`.
fn head(piece: &Piece) -> String {
    let lines = piece.lines;
    let place = format!("{}:{}-{}", one_line(&piece.path), lines.start(), lines.end());
    let place = format!("{place}  {}", one_line(&piece.label));
    harmless(place.trim())
}

/// A path as it is if it has no special characters, else as code: a file may have any name (SEC-3).
fn harmless(line: &str) -> String {
    let is_tame = |c: char| c.is_alphanumeric() || "/._-:;,()<>@+=#$%…'? ".contains(c);
    let begins = line.starts_with(|c: char| c.is_alphabetic() || matches!(c, '.' | '/' | '_'));
    if line.is_empty() || (begins && line.chars().all(is_tame)) {
        line.to_owned()
    } else {
        code_span(line)
    }
}
