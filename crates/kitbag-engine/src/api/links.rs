//! `links`: every use of a name in an index with what it leads to (IDX-23), for measuring against other resolvers. Not a
//! request of the doors: it answers for a whole project at once.

use std::borrow::Cow;

use kitbag_store::{LinkRow, StoreError, SymbolRow};
use kitbag_types::{LinkKind, Stop};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::resolve::Resolution;
use crate::uses::Uses;
use crate::{Engine, EngineError};

/// One use at one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LinkReply {
    pub path: String,
    pub line: u32,
    pub name: String,
    pub kind: Cow<'static, str>,
    pub language: String,
    /// The definition around it.
    pub from: String,
    pub by: Cow<'static, str>,
    pub certain: bool,
    /// It certainly does not mean a definition of the project.
    pub outside: bool,
    /// The definitions that it means, or may mean by its name: at most [`MOST_TARGETS`] of those.
    pub targets: Vec<LinkTarget>,
    pub n_targets: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LinkTarget {
    pub path: String,
    pub line: u32,
    pub name: String,
}

/// Most definitions that are listed for one use.
const MOST_TARGETS: usize = 20;

/// Hands every link of the index to `each`, in order of path and line.
pub fn links(engine: &Engine, each: &mut dyn FnMut(&LinkReply)) -> Result<(), EngineError> {
    let store = engine.open_store()?;
    let snapshot = engine.snapshot(&store)?;
    let mut uses = Uses::new(&snapshot, Stop::never());
    let mut files = snapshot.files()?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    for file in files {
        let Some(parse) = file.parse else { continue };
        uses.begin_again();
        let symbols = snapshot.symbols_of(file.id, parse)?;
        let mut replies = Vec::new();
        for link in snapshot.links_of(file.id, parse)? {
            if link.kind == LinkKind::Import {
                continue;
            }
            let reply = reply(&mut uses, &link, &symbols)?;
            replies.extend(link.all_lines().map(|line| LinkReply {
                line,
                ..reply.clone()
            }));
        }
        replies.sort_by(|a, b| (a.line, &a.name, &a.kind).cmp(&(b.line, &b.name, &b.kind)));
        replies.iter().for_each(&mut *each);
    }
    Ok(())
}

fn reply(uses: &mut Uses<'_, '_>, link: &LinkRow, symbols: &[SymbolRow]) -> Result<LinkReply, StoreError> {
    let resolution = uses.resolve(link)?;
    let outside = matches!(resolution, Resolution::Outside);
    let (by, targets) = match resolution {
        Resolution::Certain(by, targets) => {
            let targets = targets.iter().map(|target| SymbolRow::clone(target)).collect();
            (by.as_str(), targets)
        }
        Resolution::Outside => ("outside", Vec::new()),
        Resolution::ByName => ("name", uses.by_name(link)?),
    };
    let from = link.from_symbol.and_then(|idx| symbols.get(idx as usize));
    Ok(LinkReply {
        path: link.path.to_string(),
        line: link.line,
        name: link.name.clone(),
        kind: link.kind.as_str().into(),
        language: link.language.clone(),
        from: from.map(SymbolRow::qualified).unwrap_or_default(),
        by: by.into(),
        certain: by != "name" && !outside,
        outside,
        n_targets: targets.len() as u32,
        targets: targets.iter().take(MOST_TARGETS).map(target).collect(),
    })
}

fn target(symbol: &SymbolRow) -> LinkTarget {
    LinkTarget {
        path: symbol.path.to_string(),
        line: symbol.name_line,
        name: symbol.qualified(),
    }
}
