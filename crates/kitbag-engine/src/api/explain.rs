//! `explain`: why something is in a pack at its rank, or why it is out (PACK-15). Nothing is computed again: the pack has
//! its reasons.

use schemars::JsonSchema;
use serde::Serialize;

use super::{PackExcluded, PackItem, PackReply, PackWeights};

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct ExplainReply {
    pub task: String,
    pub intent: String,
    pub intent_inferred: bool,
    /// What each part of a score counts.
    pub weights: PackWeights,
    pub tokens: usize,
    pub budget: usize,
    /// The items that were asked about; all items of the pack if none were named.
    pub items: Vec<PackItem>,
    pub excluded: Vec<PackExcluded>,
}

/// `target`: a citation, a rank, `path`, `path:line`, `path:first-last`, or a name.
pub fn explain(pack: &PackReply, target: Option<&str>) -> ExplainReply {
    let wanted = target.map(Target::parse);
    let is_wanted = |place: &Place<'_>| wanted.as_ref().is_none_or(|wanted| wanted.is(place));
    let items = pack.items.iter().filter(|item| is_wanted(&Place::of_item(item)));
    let excluded = pack
        .excluded
        .iter()
        .filter(|one| is_wanted(&Place::of_excluded(one)));
    ExplainReply {
        task: pack.task.clone(),
        intent: pack.intent.clone(),
        intent_inferred: pack.intent_inferred,
        weights: pack.weights,
        tokens: pack.tokens,
        budget: pack.budget,
        items: items.cloned().collect(),
        excluded: excluded.cloned().collect(),
    }
}

/// What can be asked about, in a pack or left out of it.
struct Place<'p> {
    citation: Option<&'p str>,
    rank: Option<usize>,
    path: &'p str,
    lines: Option<(u32, u32)>,
    label: &'p str,
}

impl<'p> Place<'p> {
    fn of_item(item: &'p PackItem) -> Self {
        Self {
            citation: Some(&item.citation),
            rank: Some(item.rank),
            path: &item.path,
            lines: Some((item.line_start, item.line_end)),
            label: &item.label,
        }
    }

    fn of_excluded(one: &'p PackExcluded) -> Self {
        Self {
            citation: None,
            rank: None,
            path: &one.path,
            lines: one.line_start.zip(one.line_end.or(one.line_start)),
            label: &one.label,
        }
    }
}

/// What a text can mean.
struct Target<'t> {
    text: &'t str,
    path: &'t str,
    lines: Option<(u32, u32)>,
}

impl<'t> Target<'t> {
    fn parse(text: &'t str) -> Self {
        let text = text.trim().trim_start_matches('[').trim_end_matches(']');
        let found = text
            .rsplit_once(':')
            .and_then(|(path, lines)| Some((path, range(lines)?)));
        let (path, lines) = found.map_or((text, None), |(path, lines)| (path, Some(lines)));
        Self {
            text,
            path: path.trim_start_matches("./"),
            lines,
        }
    }

    fn is(&self, place: &Place<'_>) -> bool {
        // A number is only the rank of an item: as part of a name or path it would match almost anything.
        if self.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return place.rank.is_some_and(|rank| self.text == rank.to_string());
        }
        if place.citation == Some(self.text) {
            return true;
        }
        let same_path = place.path == self.path
            || (!self.path.is_empty()
                && place
                    .path
                    .strip_suffix(self.path)
                    .is_some_and(|rest| rest.ends_with('/')));
        let same_lines = match (self.lines, place.lines) {
            (Some((start, end)), Some((first, last))) => start <= last && first <= end,
            _ => true,
        };
        (same_path && same_lines) || is_called(place.label, self.text)
    }
}

/// The names in a label: `Parser::next, peek` has `Parser::next`, `next` and `peek`.
fn is_called(label: &str, name: &str) -> bool {
    let ends_with_name = |part: &str| {
        part.strip_suffix(name)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', ':', '#']))
    };
    !name.is_empty() && (label == name || label.split(", ").any(ends_with_name))
}

/// `12` or `12-40`.
fn range(text: &str) -> Option<(u32, u32)> {
    let (start, end) = text.split_once('-').unwrap_or((text, text));
    Some((start.parse().ok()?, end.parse().ok()?))
}

#[cfg(test)]
mod tests;
