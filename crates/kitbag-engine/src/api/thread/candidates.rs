//! What may stand in the pack for a message: references and files of the thread, what search finds, what was said last.

use std::collections::BTreeSet;

use kitbag_rank::thread::ThreadOrigin;
use kitbag_store::{PlaceRow, Snapshot, ThreadRow};
use kitbag_types::{Filter, RepoPath, Stop, Timestamp};

use crate::conventions::analyse;
use crate::current::Reader;
use crate::retrieve::gather;
use crate::{Engine, EngineError};

/// The last messages are candidates.
const MESSAGES: usize = 20;
const CHUNKS: usize = 20;
const PLACES: usize = 20;
/// Of a reference without lines.
const MOST_LINES: usize = 120;

pub(super) struct ThreadCandidate {
    pub origin: ThreadOrigin,
    /// `path:first-last`; of a message, `message:N`.
    pub place: String,
    /// Who said it, or what it is called.
    pub label: String,
    pub text: String,
    pub at: Option<Timestamp>,
    pub uses: u32,
}

impl ThreadCandidate {
    pub(super) fn citation(&self) -> String {
        match self.origin {
            ThreadOrigin::Message => format!("[{}]", self.label),
            _ => format!("[{}]", self.place),
        }
    }

    pub(super) fn block(&self) -> String {
        format!("{}\n{}\n\n", self.citation(), self.text.trim_end())
    }
}

/// Each place once: a reference before a file before a chunk.
pub(super) fn candidates(
    engine: &Engine,
    snapshot: Option<&Snapshot<'_>>,
    row: &ThreadRow,
    message: &str,
    warnings: &mut Vec<String>,
) -> Result<Vec<ThreadCandidate>, EngineError> {
    let mut found = Vec::new();
    for (kinds, origin) in [
        (&["reference"][..], ThreadOrigin::Reference),
        (&["served", "opened"][..], ThreadOrigin::File),
    ] {
        let mut places: Vec<&PlaceRow> = row
            .places
            .iter()
            .filter(|one| kinds.contains(&one.kind.as_str()))
            .collect();
        places.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.place.cmp(&b.place)));
        for place in places.into_iter().take(PLACES) {
            match read(engine, place, origin) {
                Some(candidate) => found.push(candidate),
                None => warnings.push(format!("{} is no longer there", place.place)),
            }
        }
    }
    if let Some(snapshot) = snapshot {
        found.extend(searched(engine, snapshot, message, warnings)?);
    }
    let n_messages = row.messages.len();
    for (idx, said) in row
        .messages
        .iter()
        .enumerate()
        .skip(n_messages.saturating_sub(MESSAGES))
    {
        found.push(ThreadCandidate {
            origin: ThreadOrigin::Message,
            place: format!("message:{}", idx + 1),
            label: said.role.clone(),
            text: said.text.clone(),
            at: Some(said.at),
            uses: 0,
        });
    }
    let mut seen = BTreeSet::new();
    found.retain(|candidate| seen.insert(candidate.place.clone()));
    Ok(found)
}

fn read(engine: &Engine, place: &PlaceRow, origin: ThreadOrigin) -> Option<ThreadCandidate> {
    let (path, lines) = split(&place.place);
    let path = RepoPath::new(path).ok()?;
    if engine.tree.denied(&path).is_some() {
        return None;
    }
    let source = engine.tree.read(&path).ok()?;
    let all: Vec<&str> = source.text.lines().collect();
    let (first, last) = lines.unwrap_or((1, all.len().min(MOST_LINES)));
    let last = last.min(all.len());
    let text = all.get(first.checked_sub(1)?..last)?.join("\n");
    Some(ThreadCandidate {
        origin,
        place: format!("{path}:{first}-{last}"),
        label: path.to_string(),
        text,
        at: Some(place.at),
        uses: place.uses.saturating_sub(1),
    })
}

fn split(place: &str) -> (&str, Option<(usize, usize)>) {
    let lines = |text: &str| -> Option<(usize, usize)> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        (first >= 1 && first <= last).then_some((first, last))
    };
    match place
        .rsplit_once(':')
        .and_then(|(path, text)| Some((path, lines(text)?)))
    {
        Some((path, lines)) => (path, Some(lines)),
        None => (place, None),
    }
}

fn searched(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    message: &str,
    warnings: &mut Vec<String>,
) -> Result<Vec<ThreadCandidate>, EngineError> {
    let query = analyse(message);
    let found = gather(
        engine,
        snapshot,
        &query,
        &Filter::default(),
        warnings,
        Stop::never(),
    )?;
    let mut reader = Reader::new(engine, snapshot);
    let mut chunks = Vec::new();
    for hit in found.candidates.into_iter().take(CHUNKS) {
        let Some(current) = reader.current(&hit.chunk)? else {
            continue;
        };
        chunks.push(ThreadCandidate {
            origin: ThreadOrigin::Chunk,
            place: format!(
                "{}:{}-{}",
                hit.chunk.path,
                current.lines.start(),
                current.lines.end()
            ),
            label: current.label,
            text: current.text,
            at: None,
            uses: 0,
        });
    }
    Ok(chunks)
}
