//! Looks at what a memory cites: does it still mean the same, has it changed, is it gone (MEM-3)?
//!
//! What moved is found again by its name and meaning in other files, what was renamed by its meaning without its name in the same
//! file, and only if its name is gone from there: what has kept its name and says something else has changed. Copies that were there already when it was cited do not count: if the cited one of two equal functions goes, the other one
//! is not it.

use kitbag_store::CitationRow;
use kitbag_syntax::SenseDefinition;

use super::MemoryState;
use super::cite::{copies, last_name, with_nameless};
use super::code::{Code, CodeFile, digest};

/// The citation with what is so now.
pub(crate) fn checked(code: &dyn Code, citation: &CitationRow) -> CitationRow {
    // What was looked at lately is as it was if its file is. One that was gone may have come back.
    let was_seen = !citation.seen_hash.is_empty() && citation.state != MemoryState::Orphaned.as_str();
    if was_seen && code.hash(&citation.seen_path).as_deref() == Some(citation.seen_hash.as_str()) {
        return citation.clone();
    }
    let found = if !citation.symbol.is_empty() {
        symbol(code, citation)
    } else if citation.line_start > 0 {
        lines(code, citation)
    } else {
        file(code, citation)
    };
    let state = found.state.as_str().to_owned();
    // The commit was found for a change; another change has another one.
    let since = match state == citation.state && found.what == citation.what {
        true => citation.since.clone(),
        false => String::new(),
    };
    let mut checked = CitationRow {
        seen_path: found.path,
        seen_hash: found.hash,
        state,
        now_symbol: found.symbol,
        now_line: found.line,
        what: found.what,
        since,
        ..citation.clone()
    };
    if found.state == MemoryState::Fresh && !checked.symbol.is_empty() {
        count(code, &mut checked);
    }
    checked
}

/// How many are like it, where it is now.
fn count(code: &dyn Code, citation: &mut CitationRow) {
    let Some(file) = code.file(&citation.seen_path) else {
        return;
    };
    let name = match citation.now_symbol.as_str() {
        "" => citation.symbol.clone(),
        now => now.to_owned(),
    };
    let like: Vec<&SenseDefinition> = with_nameless(&file, &citation.nameless).collect();
    let same = like.iter().filter(|definition| definition.qualified() == name);
    citation.n_same = same.count() as u32;
    citation.n_twins = like.len().saturating_sub(1) as u32;
    citation.n_copies = copies(code, &name, &citation.nameless, &citation.seen_path).len() as u32;
}

/// Where it is, or was last.
pub(crate) fn place(citation: &CitationRow) -> &str {
    match citation.seen_path.as_str() {
        "" => &citation.path,
        path => path,
    }
}

/// What there is to say about it; `None` if it is what it was and where it was.
pub(crate) fn change(citation: &CitationRow) -> Option<String> {
    let since = match citation.since.as_str() {
        "" => String::new(),
        since => format!(" (since {since})"),
    };
    if citation.state == MemoryState::Fresh.as_str() {
        let has_moved = place(citation) != citation.path || !citation.now_symbol.is_empty();
        return has_moved
            .then(|| citation.what.clone())
            .filter(|what| !what.is_empty());
    }
    Some(format!("{}{since}", citation.what))
}

/// What a look found.
struct Found {
    state: MemoryState,
    path: String,
    hash: String,
    symbol: String,
    line: u32,
    what: String,
}

impl Found {
    fn at(state: MemoryState, file: &CodeFile) -> Self {
        Self {
            state,
            path: file.path.clone(),
            hash: file.hash.clone(),
            symbol: String::new(),
            line: 0,
            what: String::new(),
        }
    }

    fn gone(citation: &CitationRow, what: String) -> Self {
        Self {
            state: MemoryState::Orphaned,
            path: citation.path.clone(),
            hash: String::new(),
            symbol: String::new(),
            line: 0,
            what,
        }
    }

    fn saying(self, what: String) -> Self {
        Self { what, ..self }
    }
}

/// Where to look: where it was last, then where it was cited.
fn places(citation: &CitationRow) -> Vec<&str> {
    let mut places = vec![place(citation)];
    if citation.path != places[0] {
        places.push(&citation.path);
    }
    places
}

fn symbol(code: &dyn Code, citation: &CitationRow) -> Found {
    let home = places(citation).into_iter().find_map(|path| code.file(path));
    if let Some(file) = &home
        && let Some(found) = unchanged_in(file, citation)
    {
        return found;
    }
    let name = match citation.now_symbol.as_str() {
        "" => &citation.symbol,
        now => now,
    };
    let home_path = home.as_ref().map_or("", |file| file.path.as_str());
    let copies = copies(code, name, &citation.nameless, home_path);
    let is_named = |definition: &SenseDefinition| definition.qualified() == *name;
    let stayed = home
        .as_ref()
        .is_some_and(|file| file.sense.definitions.iter().any(is_named));
    if !stayed
        && copies.len() > citation.n_copies as usize
        && let Some((path, definition)) = copies.first()
        && let Some(file) = code.file(path)
    {
        let what = format!("`{}` moved to {path}", citation.symbol);
        return Found {
            symbol: moved_name(citation, definition),
            line: definition.lines.start(),
            ..Found::at(MemoryState::Fresh, &file).saying(what)
        };
    }
    home.and_then(|file| changed_in(&file, citation))
        .or_else(|| changed_elsewhere(code, citation, last_name(&citation.symbol)))
        .unwrap_or_else(|| {
            let what = format!("`{}` is no longer in {}", citation.symbol, place(citation));
            Found::gone(citation, what)
        })
}

/// The definition in the file, meaning the same, perhaps under another name or inside something else.
fn unchanged_in(file: &CodeFile, citation: &CitationRow) -> Option<Found> {
    let qualified = match citation.now_symbol.as_str() {
        "" => &citation.symbol,
        now => now,
    };
    let is_named = |definition: &SenseDefinition| {
        let name = definition.qualified();
        name == *qualified || name == citation.symbol
    };
    // Under its name of today it means the same without it.
    let same: Vec<&SenseDefinition> = file
        .meanings()
        .filter(|(definition, _, nameless)| *nameless == citation.nameless && is_named(definition))
        .map(|(definition, _, _)| definition)
        .collect();
    // The counts are of the file where it was last seen to mean the same.
    let at_home = file.path == place(citation);
    let needed = if at_home {
        citation.n_same.max(1) as usize
    } else {
        1
    };
    if same.len() >= needed {
        let definition = same[0];
        let what = match file.path == citation.path {
            true => String::new(),
            false => format!("`{}` moved to {}", citation.symbol, file.path),
        };
        return Some(Found {
            symbol: moved_name(citation, definition),
            line: definition.lines.start(),
            ..Found::at(MemoryState::Fresh, file).saying(what)
        });
    }
    // What still has its name was not renamed: it changed, whoever has its old body now.
    if file.sense.definitions.iter().any(is_named) {
        return None;
    }
    let like: Vec<&SenseDefinition> = with_nameless(file, &citation.nameless).collect();
    let n_twins = if at_home { citation.n_twins as usize } else { 0 };
    let name = last_name(&citation.symbol);
    let moved = like.iter().find(|definition| definition.name == name);
    let definition = moved.or(like.first()).filter(|_| like.len() > n_twins)?;
    let what = format!("`{}` is now `{}`", citation.symbol, definition.qualified());
    Some(Found {
        symbol: definition.qualified(),
        line: definition.lines.start(),
        ..Found::at(MemoryState::Fresh, file).saying(what)
    })
}

fn changed_in(file: &CodeFile, citation: &CitationRow) -> Option<Found> {
    let named = |definition: &&SenseDefinition| {
        let qualified = definition.qualified();
        qualified == citation.symbol || (!citation.now_symbol.is_empty() && qualified == citation.now_symbol)
    };
    let candidates: Vec<&SenseDefinition> = file.sense.definitions.iter().filter(named).collect();
    let same_kind = |definition: &&&SenseDefinition| definition.kind.as_str() == citation.symbol_kind;
    let same_head = |definition: &&&SenseDefinition| definition.signature == citation.signature;
    let found = candidates
        .iter()
        .find(same_head)
        .or_else(|| candidates.iter().find(same_kind))
        .or_else(|| candidates.first())?;
    Some(Found {
        symbol: moved_name(citation, found),
        line: found.lines.start(),
        ..Found::at(MemoryState::Drifted, file).saying(difference(citation, found))
    })
}

/// It moved and changed: the only definition elsewhere that has all of its name.
fn changed_elsewhere(code: &dyn Code, citation: &CitationRow, name: &str) -> Option<Found> {
    let mut found = Vec::new();
    for path in code.defining(name)? {
        let Some(file) = code.file(&path).filter(|_| path != citation.path) else {
            continue;
        };
        let named = |definition: &&SenseDefinition| definition.qualified() == citation.symbol;
        found.extend(
            file.sense
                .definitions
                .iter()
                .filter(named)
                .map(|definition| (file.clone(), definition.clone())),
        );
    }
    let [(file, definition)] = found.as_slice() else {
        return None;
    };
    let what = format!("moved to {}, and {}", file.path, difference(citation, definition));
    Some(Found {
        symbol: moved_name(citation, definition),
        line: definition.lines.start(),
        ..Found::at(MemoryState::Drifted, file).saying(what)
    })
}

fn difference(citation: &CitationRow, now: &SenseDefinition) -> String {
    if now.signature == citation.signature {
        format!("the body of `{}` changed", citation.symbol)
    } else {
        format!(
            "`{}` was `{}`, is `{}`",
            citation.symbol, citation.signature, now.signature
        )
    }
}

/// Its name now, if that is another one.
fn moved_name(citation: &CitationRow, definition: &SenseDefinition) -> String {
    let qualified = definition.qualified();
    if qualified == citation.symbol {
        String::new()
    } else {
        qualified
    }
}

/// Lines are found again anywhere in their file.
fn lines(code: &dyn Code, citation: &CitationRow) -> Found {
    let file = places(citation).into_iter().find_map(|path| code.file(path));
    let renamed = || {
        let paths = code.with_hash(&citation.seen_hash);
        paths.into_iter().find_map(|path| code.file(&path))
    };
    let Some(file) = file.or_else(renamed) else {
        return Found::gone(citation, format!("{} is gone", citation.path));
    };
    match lines_in(&file, citation) {
        Some(start) => Found {
            line: file.sense.line_of(&file.text, start),
            ..Found::at(MemoryState::Fresh, &file)
        },
        None => {
            let (first, last) = (citation.line_start, citation.line_end);
            let what = format!(
                "what stood on lines {first} to {last} of {} changed",
                citation.path
            );
            Found::at(MemoryState::Drifted, &file).saying(what)
        }
    }
}

/// The token that the cited lines begin with.
fn lines_in(file: &CodeFile, citation: &CitationRow) -> Option<usize> {
    let n = citation.n_tokens as usize;
    let mut starts = 0..(file.sense.n_tokens() + 1).saturating_sub(n.max(1));
    starts.find(|start| {
        let first = file.sense.token(*start);
        first.is_some_and(|first| digest(first) == citation.first_token)
            && digest(&file.sense.said(*start..*start + n, None)) == citation.hash
    })
}

/// Whether a file, as it is or was, says what was cited from it.
pub(crate) fn still_means(file: &CodeFile, citation: &CitationRow) -> bool {
    if !citation.symbol.is_empty() {
        unchanged_in(file, citation).is_some()
    } else if citation.line_start > 0 {
        lines_in(file, citation).is_some()
    } else {
        file.whole_meaning() == citation.hash
    }
}

fn file(code: &dyn Code, citation: &CitationRow) -> Found {
    for path in places(citation) {
        let Some(file) = code.file(path) else { continue };
        if file.whole_meaning() == citation.hash {
            return Found::at(MemoryState::Fresh, &file);
        }
        let what = format!("{path} changed");
        return Found::at(MemoryState::Drifted, &file).saying(what);
    }
    // Renamed: the same bytes under another name.
    let renamed = code
        .with_hash(&citation.seen_hash)
        .into_iter()
        .find_map(|path| code.file(&path));
    match renamed.filter(|file| file.whole_meaning() == citation.hash) {
        Some(file) => {
            let what = format!("{} is now {}", citation.path, file.path);
            Found::at(MemoryState::Fresh, &file).saying(what)
        }
        None => Found::gone(citation, format!("{} is gone", citation.path)),
    }
}
