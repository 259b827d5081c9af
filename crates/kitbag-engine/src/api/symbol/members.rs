//! The members of a type: methods, fields, variants, wherever the language lets them stand.
//!
//! Most stand inside the type. Some stand behind it (`impl` blocks, methods of Go) or in another file of the same folder; those
//! count only where it is clear whose they are: nothing else of the same name is there.

use std::borrow::Cow;

use kitbag_store::{Snapshot, StoreError, SymbolRow};
use kitbag_types::SymbolKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    pub name: String,
    pub kind: Cow<'static, str>,
    pub path: String,
    pub line: u32,
}

/// The members of a definition: its own file first, then by path and line. None for what has no members.
pub(super) fn members(snapshot: &Snapshot<'_>, symbol: &SymbolRow) -> Result<Vec<Member>, StoreError> {
    if !symbol.kind.is_container() || symbol.kind == SymbolKind::Section {
        return Ok(Vec::new());
    }
    let path = symbol.qualified();
    let namesakes = same_named(snapshot, symbol)?;
    let mut found = snapshot.members_in(&path, symbol.path.folder(), &symbol.language)?;
    found.retain(|member| {
        let holder = namesakes
            .iter()
            .filter(|other| other.file == member.file && holds(other, member))
            .max_by_key(|other| other.lines.start());
        match holder {
            Some(holder) => is_same(holder, symbol),
            // Outside of every definition of the name: behind the only one of its file, or of its folder.
            None => {
                let mut there = namesakes.iter().filter(|other| other.file == member.file);
                match (there.next(), there.next()) {
                    (Some(only), None) => is_same(only, symbol),
                    (None, _) => namesakes.len() == 1,
                    _ => false,
                }
            }
        }
    });
    found.sort_by_cached_key(|member| {
        (
            member.file != symbol.file,
            member.path.clone(),
            member.name_line,
            member.idx,
        )
    });
    let member = |row: SymbolRow| Member {
        name: row.name,
        kind: row.kind.as_str().into(),
        path: row.path.to_string(),
        line: row.name_line,
    };
    Ok(found.into_iter().map(member).collect())
}

/// Containers of the same folder and language that have the same path, this one among them.
fn same_named(snapshot: &Snapshot<'_>, symbol: &SymbolRow) -> Result<Vec<SymbolRow>, StoreError> {
    let mut found = snapshot.symbols_named(&kitbag_types::terms::fold(&symbol.name))?;
    found.retain(|other| {
        other.kind.is_container()
            && other.language == symbol.language
            && other.path.folder() == symbol.path.folder()
            && other.name == symbol.name
            && other.container == symbol.container
    });
    Ok(found)
}

fn holds(outer: &SymbolRow, inner: &SymbolRow) -> bool {
    outer.lines.start() <= inner.lines.start() && inner.lines.end() <= outer.lines.end()
}

fn is_same(a: &SymbolRow, b: &SymbolRow) -> bool {
    (a.file, a.parse, a.idx) == (b.file, b.parse, b.idx)
}
