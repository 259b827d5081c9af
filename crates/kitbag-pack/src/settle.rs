//! The hard rule (PACK-31): what is counted is the finished text. A selection is made for the room there seems to be, written,
//! counted, and made again with more or less room until the text is as full as it can be and not one token fuller.
//!
//! Costs of single items do not add up to the tokens of the whole (headings are shared, tokens span line breaks), so no
//! arithmetic on them is trusted. A round is a selection over costs already known, a rendering and one count.

use kitbag_types::LineRange;

use crate::format::{Frame, render, shown_text};
use crate::pack::{Excluded, ExcludedReason, Guide, Item, PackError, PackOptions};
use crate::piece::Resolution;
use crate::select::{Choice, Costs, select};
use crate::session::{Known, Seen, Session};
use crate::tuning;

pub(crate) struct Settled {
    pub text: String,
    pub tokens: usize,
    pub items: Vec<Item>,
    pub hints: Vec<String>,
}

pub(crate) fn settle(
    task: &str,
    candidates: Vec<Item>,
    options: &PackOptions,
    count: &dyn Fn(&str) -> usize,
    excluded: &mut Vec<Excluded>,
    guide: Guide<'_>,
) -> Result<Settled, PackError> {
    let note = note_of(task, options, count)?;
    let write = |items: &[&Item], hints: &[String]| -> Result<(String, usize), PackError> {
        let text = render(items, Frame { task, note, hints }, &options.style).map_err(PackError::Template)?;
        let tokens = count(&text);
        Ok((text, tokens))
    };
    let (mut text, mut tokens) = write(&[], &[])?;
    let frame_tokens = tokens;
    if tokens > options.budget {
        // Not even the frame fits: then nothing is handed out.
        (text, tokens) = (String::new(), 0);
    }
    // A template that fails on one item would fail on all of them: `write` above would have said so, or the first round will.
    let measure = |item: &Item, resolution: Resolution, lines: &[LineRange]| {
        let mut alone = item.clone();
        alone.resolution = resolution;
        alone.lines = lines.to_vec();
        write(&[&alone], &[]).map_or(usize::MAX / 4, |(_, tokens)| tokens.saturating_sub(frame_tokens))
    };
    let mut costs = Costs::new(candidates.len(), options.style.shares_headings(), &measure);
    let for_hints = ((options.budget as f64 * tuning::HINTS_SHARE) as usize).min(tuning::HINTS_TOKENS);
    let target = options.budget.saturating_sub(for_hints);
    let names_room = (target as f64 * tuning::NAMES_SHARE) as usize;
    let mut room = target.saturating_sub(frame_tokens);
    let mut best: Option<(Vec<Item>, String, usize)> = None;
    let mut tried = Vec::new();
    let mut n_over = 0;
    // Room that was enough, and room that was too much.
    let (mut low, mut high) = (0, usize::MAX);
    while !candidates.is_empty() && !tried.contains(&room) {
        if best.is_some() && tried.len() >= tuning::SETTLE_ROUNDS {
            break;
        }
        tried.push(room);
        let choices = select(&candidates, &mut costs, room, names_room, options);
        let items = chosen(&candidates, &choices);
        let (made, n) = write(&items.iter().collect::<Vec<_>>(), &[])?;
        if n > target {
            // Twice as far each time: a selection that is over by a little may be over by as much with a little less room.
            n_over += 1;
            high = high.min(room);
            let next = room.saturating_sub((n - target) << n_over);
            room = if next <= low { low.midpoint(high) } else { next };
            continue;
        }
        let all =
            items.len() == candidates.len() && items.iter().all(|item| item.resolution == Resolution::Full);
        let enough = n as f64 >= tuning::FULL_ENOUGH * target as f64;
        if best.as_ref().is_none_or(|(.., known)| n > *known) {
            best = Some((items, made, n));
        }
        if all || enough {
            break;
        }
        low = low.max(room);
        let next = room + (target - n);
        room = if next >= high { low.midpoint(high) } else { next };
    }
    let mut items = match best {
        Some((items, made, n)) => {
            (text, tokens) = (made, n);
            items
        }
        // Every round was over: the first that can be named.
        None => {
            let mut named = Vec::new();
            for candidate in candidates.iter().take(tuning::MOST_MISSES) {
                let (made, n) = write(&[candidate], &[])?;
                if n <= options.budget {
                    (text, tokens) = (made, n);
                    named.push(candidate.clone());
                    break;
                }
            }
            named
        }
    };
    if items.is_empty() {
        // A title alone is no pack.
        (text, tokens) = (String::new(), 0);
    }
    leave_out(&candidates, &items, excluded);
    explain(&mut items, candidates.len());
    let mut hints = Vec::new();
    for hint in guide(&items, excluded) {
        if items.is_empty() || hint.trim().is_empty() {
            continue;
        }
        hints.push(hint);
        let (made, n) = write(&items.iter().collect::<Vec<_>>(), &hints)?;
        if n <= options.budget {
            (text, tokens) = (made, n);
        } else {
            hints.pop();
        }
    }
    Ok(Settled {
        text,
        tokens,
        items,
        hints,
    })
}

/// Replaces what the session has seen by references, where those are shorter, and gives the tokens that this saves. Nothing
/// else changes: the room stays free. `known`: by rank.
pub(crate) fn refer(
    settled: &mut Settled,
    task: &str,
    options: &PackOptions,
    session: &Session<'_>,
    known: &[Known<'_>],
    count: &dyn Fn(&str) -> usize,
) -> Result<usize, PackError> {
    let note = note_of(task, options, count)?;
    let write = |items: &[&Item], hints: &[String]| {
        render(items, Frame { task, note, hints }, &options.style).map_err(PackError::Template)
    };
    let frame_tokens = count(&write(&[], &[])?);
    let mut items = settled.items.clone();
    let mut any = false;
    for item in &mut items {
        let known = &known[item.rank - 1];
        let Some(answers) = known.delivered_in(&item.lines, item.resolution, session.intent) else {
            continue;
        };
        let how = format!("delivered in {}", Seen::answers(&answers));
        let reason = item.why.split("; ").next().unwrap_or_default();
        let mut reference = Item {
            lines: Vec::new(),
            truncated: false,
            why: format!("{reason}; {how}, {} there", item.resolution.as_str()),
            seen: Some(Seen::Delivered {
                answers,
                resolution: item.resolution,
            }),
            resolution: Resolution::Reference,
            ..item.clone()
        };
        reference.tokens = count(&write(&[&reference], &[])?).saturating_sub(frame_tokens);
        // Its heading may be shared and stay: what a reference saves for sure is the text.
        if reference.tokens < count(&shown_text(item, &options.style)) {
            *item = reference;
            any = true;
        }
    }
    if !any {
        return Ok(0);
    }
    let text = write(&items.iter().collect::<Vec<_>>(), &settled.hints)?;
    let tokens = count(&text);
    // A template need not write what it is given.
    let saved = settled.tokens.saturating_sub(tokens);
    if saved > 0 {
        (settled.text, settled.tokens, settled.items) = (text, tokens, items);
    }
    Ok(saved)
}

fn chosen(candidates: &[Item], choices: &[Option<Choice>]) -> Vec<Item> {
    let pairs = candidates.iter().zip(choices);
    pairs
        .filter_map(|(item, choice)| {
            let choice = choice.as_ref()?;
            let mut item = item.clone();
            item.resolution = choice.resolution;
            item.lines = choice.lines.clone();
            item.truncated = choice.truncated;
            item.tokens = choice.cost;
            Some(item)
        })
        .collect()
}

/// What did not get in, for lack of room.
fn leave_out(candidates: &[Item], items: &[Item], excluded: &mut Vec<Excluded>) {
    let mut included = items.iter().map(|item| item.rank).peekable();
    for candidate in candidates {
        if included.next_if_eq(&candidate.rank).is_some() {
            continue;
        }
        let detail = format!("rank {}: the budget was used up by better ones", candidate.rank);
        excluded.push(Excluded::of(&candidate.piece, ExcludedReason::Budget, detail));
    }
}

fn explain(items: &mut [Item], n_candidates: usize) {
    for item in items {
        let reason = if item.piece.pinned {
            "asked for".to_owned()
        } else if let Some(by) = &item.piece.pulled_by {
            by.clone()
        } else if item.piece.named {
            "named by the task".to_owned()
        } else {
            format!("rank {} of {n_candidates}", item.rank)
        };
        let how = match item.resolution {
            _ if item.truncated => "cut to what fits",
            Resolution::Full => "in full",
            Resolution::Outline => "as an outline: in full it did not fit",
            Resolution::Signature => "signature only: more did not fit",
            Resolution::Reference => "by name only: more did not fit",
        };
        item.why = format!("{reason}; {how}");
    }
}

/// The note, unless it leaves no room for anything else.
fn note_of<'o>(
    task: &str,
    options: &'o PackOptions,
    count: &dyn Fn(&str) -> usize,
) -> Result<&'o str, PackError> {
    let note = options.note.as_str();
    if note.is_empty() {
        return Ok(note);
    }
    let hints = &[];
    let text = render(&[], Frame { task, note, hints }, &options.style).map_err(PackError::Template)?;
    Ok(if count(&text) <= options.budget / 2 {
        note
    } else {
        ""
    })
}
