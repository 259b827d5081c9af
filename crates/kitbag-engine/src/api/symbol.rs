//! `symbol`: where a name is defined, what its members are, who calls it, what it calls, who implements it (RET-11, IDX-20,
//! IDX-21). Every list is cut at the limit of the request and comes with its total.

mod members;

use std::borrow::Cow;
use std::collections::BTreeMap;

use kitbag_rank::fuzzy;
use kitbag_rank::query::split_name;
use kitbag_store::{LinkRow, Snapshot, StoreError, SymbolRow};
use kitbag_types::terms::fold;
use kitbag_types::{Filter, LinkKind, RepoPath, Scope, Stop, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_index::{IndexQuestion, checked_limit};
use crate::conventions::is_test;
use crate::names::meant;
use crate::request::{check_packages, yes};
use crate::scope::PackageScope;
use crate::uses::{FEW, Meaning, Uses};
use crate::{Engine, EngineError, Progress};
use members::members;

pub use members::Member;

/// A name to look up. Every door reads and writes this struct.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SymbolRequest<'s> {
    /// `name`, or as the language qualifies it: `Container::name`, `pkg.Func`, `App\\Models\\User`.
    pub name: String,
    /// At most this many definitions, members, callers, callees, implementors and tests each; default 20.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    pub limit: Option<usize>,
    /// Only definitions in these packages, and in what scope adds to them; their users may be anywhere.
    #[serde(default)]
    pub packages: Vec<String>,
    #[serde(default, with = "crate::scope::word")]
    #[schemars(with = "Option<String>", extend("enum" = crate::scope::scopes()))]
    pub scope: Option<Scope>,
    /// The open file: its package is used if there is a scope and no package.
    #[serde(default)]
    pub active: Option<String>,
    /// False: use the index as it is.
    #[serde(default = "yes")]
    pub update: bool,
    /// Stops the lookup with [`EngineError::Cancelled`].
    #[serde(skip)]
    pub stop: Stop<'s>,
}

impl SymbolRequest<'_> {
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            update: true,
            ..Self::default()
        }
    }

    fn limit(&self) -> usize {
        self.limit.unwrap_or(DEFAULT_LIMIT)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SymbolReply {
    pub name: String,
    pub definitions: Vec<Definition>,
    pub callers: Vec<Use>,
    pub callees: Vec<Use>,
    pub implementors: Vec<Use>,
    /// Callers in test code; for a type, also code that refers to it there.
    pub tests: Vec<Use>,
    /// How many there are of each, shown or not.
    #[serde(default)]
    pub totals: SymbolTotals,
    /// If the name is defined, but not where its qualifiers say: where it is.
    #[serde(default)]
    pub elsewhere: Vec<Use>,
    /// If nothing has this name: similar names.
    pub similar: Vec<String>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SymbolTotals {
    pub definitions: usize,
    pub callers: usize,
    pub callees: usize,
    pub implementors: usize,
    pub tests: usize,
    pub elsewhere: usize,
}

impl SymbolReply {
    /// Where the name is, if its qualifiers are wrong: ``no `push` in `Foo`; it is defined in …``.
    pub fn said_elsewhere(&self) -> Option<String> {
        const MOST_SAID: usize = 5;
        if self.elsewhere.is_empty() {
            return None;
        }
        let asked = self.name.trim();
        let name = split_name(asked).name;
        let qualifier =
            asked[..asked.rfind(name).unwrap_or(0)].trim_end_matches([':', '.', '#', '\\', '/', '>', '-']);
        let places = self
            .elsewhere
            .iter()
            .take(MOST_SAID)
            .map(|place| match place.name.rsplit_once("::") {
                Some((container, _)) => format!("`{container}` ({}:{})", place.path, place.line),
                None => format!("{}:{}", place.path, place.line),
            });
        let mut said = format!(
            "no `{name}` in `{qualifier}`; it is defined in {}",
            places.collect::<Vec<_>>().join(", ")
        );
        let n_more = self.totals.elsewhere.saturating_sub(MOST_SAID);
        if n_more > 0 {
            said.push_str(&format!(", … {n_more} more: ask for `{name}`"));
        }
        Some(said)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Definition {
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
    pub kind: Cow<'static, str>,
    pub name: String,
    pub language: String,
    pub signature: String,
    pub doc: String,
    pub visibility: Cow<'static, str>,
    /// Methods, fields, variants of a type; in order, at most the limit of the request.
    #[serde(default)]
    pub members: Vec<Member>,
    #[serde(default)]
    pub members_total: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Use {
    pub path: String,
    pub line: u32,
    /// The definition that it is in (callers, implementors, tests) or that it means (callees).
    pub name: String,
    pub count: u32,
    /// Why it is this definition and not another of the same name. Certain: `scope` (a name of the same file),
    /// `import`, `package` (a name of the same package), `self` (a member of the object around it), `type` (a member of a type that is
    /// written or assigned nearby), `inherited`. Else `name`.
    pub by: Cow<'static, str>,
    /// The rules of the language say so.
    pub certain: bool,
    /// How many definitions it may mean; 1 if it is certain.
    pub targets: u32,
}

impl Use {
    /// The note at a use that is not certain.
    pub fn doubt(&self) -> Option<String> {
        match self.targets {
            _ if self.certain => None,
            0 | 1 => Some("by name".to_owned()),
            n => Some(format!("by name, 1 of {n}")),
        }
    }
}

/// The largest limit; nobody reads longer lists.
const MAX_LIMIT: usize = 10_000;
const DEFAULT_LIMIT: usize = 20;
/// The longest name; comparing longer ones with every name would take minutes (SEC-4).
const MAX_NAME_BYTES: usize = 256;
/// If a name has more definitions than this, only the first ones are followed to callers and callees.
const MOST_DEFINITIONS: usize = 50;

pub fn symbol(
    engine: &Engine,
    request: &SymbolRequest<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<SymbolReply, EngineError> {
    if request.name.len() > MAX_NAME_BYTES {
        let n_bytes = request.name.len();
        return Err(EngineError::Invalid {
            code: "INVALID_NAME",
            message: format!("the name has {n_bytes} bytes; at most {MAX_NAME_BYTES} are taken"),
        });
    }
    checked_limit(request.limit, DEFAULT_LIMIT, MAX_LIMIT)?;
    if request.name.trim().is_empty() {
        return Err(EngineError::Invalid {
            code: "INVALID_QUERY",
            message: "the name is empty".into(),
        });
    }
    let question = IndexQuestion {
        engine,
        update: request.update,
        stop: request.stop,
        progress,
        now,
    };
    let (mut reply, warnings) = question.answer(|snapshot| answer(snapshot, request))?;
    reply.warnings.splice(0..0, warnings);
    Ok(reply)
}

fn answer(snapshot: &Snapshot<'_>, request: &SymbolRequest<'_>) -> Result<SymbolReply, EngineError> {
    let mut warnings = Vec::new();
    let asked = request.name.trim();
    let name = split_name(asked).name;
    let mut meant = meant(snapshot, asked)?;
    let mut definitions = meant.fitting;
    if let Some(reach) = reach(snapshot, request, &mut warnings)? {
        let (inside, outside) = definitions
            .into_iter()
            .partition(|symbol| reach.weight(&symbol.path) > 0.0);
        definitions = inside;
        // A stable sort: the package itself before its dependencies.
        definitions.sort_by(|a, b| reach.weight(&b.path).total_cmp(&reach.weight(&a.path)));
        if definitions.is_empty() {
            meant.elsewhere.splice(0..0, outside);
        }
    }
    let n_definitions = definitions.len();
    let most = request.limit().max(MOST_DEFINITIONS);
    if n_definitions > most {
        warnings.push(format!("{n_definitions} definitions have this name; callers and callees are those of the first {most}: `Container::{name}` asks for one"));
        definitions.truncate(most);
    }
    if !snapshot.state().complete {
        warnings.push("the index is not complete yet: there may be more".into());
    }
    let mut reply = SymbolReply {
        name: request.name.clone(),
        definitions: definitions
            .iter()
            .take(request.limit())
            .map(|symbol| definition(snapshot, symbol, request))
            .collect::<Result<_, EngineError>>()?,
        callers: Vec::new(),
        callees: Vec::new(),
        implementors: Vec::new(),
        tests: Vec::new(),
        totals: SymbolTotals {
            definitions: n_definitions,
            elsewhere: meant.elsewhere.len(),
            ..SymbolTotals::default()
        },
        elsewhere: meant.elsewhere.iter().take(request.limit()).map(place).collect(),
        similar: if definitions.is_empty() && meant.elsewhere.is_empty() {
            similar(snapshot, name, request.stop)?
        } else {
            Vec::new()
        },
        warnings,
    };
    if !definitions.is_empty() {
        add_uses(snapshot, request, &definitions, &mut reply)?;
    }
    Ok(reply)
}

/// Who uses one definition, and what it uses.
pub(super) fn uses_of(
    snapshot: &Snapshot<'_>,
    request: &SymbolRequest<'_>,
    definition: &SymbolRow,
) -> Result<SymbolReply, EngineError> {
    let mut reply = SymbolReply {
        name: request.name.clone(),
        definitions: Vec::new(),
        callers: Vec::new(),
        callees: Vec::new(),
        implementors: Vec::new(),
        tests: Vec::new(),
        totals: SymbolTotals::default(),
        elsewhere: Vec::new(),
        similar: Vec::new(),
        warnings: Vec::new(),
    };
    add_uses(snapshot, request, std::slice::from_ref(definition), &mut reply)?;
    Ok(reply)
}

/// Who uses the definitions, and what they use.
fn add_uses(
    snapshot: &Snapshot<'_>,
    request: &SymbolRequest<'_>,
    definitions: &[SymbolRow],
    reply: &mut SymbolReply,
) -> Result<(), EngineError> {
    // Users write the name as its definition spells it.
    let name = definitions[0].name.as_str();
    let mut sources = Sources {
        snapshot,
        uses: Uses::new(snapshot, request.stop),
    };
    // A type is used by being named: its callers are those who call it (constructors) or refer to it.
    let is_type = definitions.iter().any(|symbol| symbol.kind.is_container());
    let kinds: &[LinkKind] = if is_type {
        &[LinkKind::Call, LinkKind::Reference]
    } else {
        &[LinkKind::Call]
    };
    for kind in kinds {
        for link in snapshot.links_to(name, *kind)? {
            request.stop.check()?;
            let Some(found) = sources.user(&link, definitions)? else {
                continue;
            };
            if is_test(&link.path) {
                &mut reply.tests
            } else {
                &mut reply.callers
            }
            .push(found);
        }
    }
    for link in snapshot.links_to(name, LinkKind::Inherit)? {
        request.stop.check()?;
        reply.implementors.extend(sources.user(&link, definitions)?);
    }
    for symbol in definitions {
        request.stop.check()?;
        reply.callees.extend(sources.callees(symbol)?);
    }
    request.stop.check()?;
    let totals = &mut reply.totals;
    for (list, total) in [
        (&mut reply.callers, &mut totals.callers),
        (&mut reply.callees, &mut totals.callees),
        (&mut reply.implementors, &mut totals.implementors),
        (&mut reply.tests, &mut totals.tests),
    ] {
        list.sort_by(|a, b| {
            (!a.certain, &a.path, a.line, &a.name).cmp(&(!b.certain, &b.path, b.line, &b.name))
        });
        list.dedup_by(|a, b| (&a.path, a.line, &a.name) == (&b.path, b.line, &b.name));
        *total = list.len();
        list.truncate(request.limit());
    }
    Ok(())
}

fn reach(
    snapshot: &Snapshot<'_>,
    request: &SymbolRequest<'_>,
    warnings: &mut Vec<String>,
) -> Result<Option<PackageScope>, EngineError> {
    let active = request.active.as_deref().map(RepoPath::new).transpose();
    let filter = Filter {
        packages: check_packages(&request.packages)?,
        scope: request.scope,
        at: active.map_err(|error| EngineError::Invalid {
            code: "PATH_DENIED",
            message: format!("the active file: {error}"),
        })?,
        ..Filter::default()
    };
    PackageScope::of(snapshot, &filter, &[], warnings)
}

fn definition(
    snapshot: &Snapshot<'_>,
    symbol: &SymbolRow,
    request: &SymbolRequest<'_>,
) -> Result<Definition, EngineError> {
    request.stop.check()?;
    let mut members = members(snapshot, symbol)?;
    let members_total = members.len();
    members.truncate(request.limit());
    Ok(Definition {
        path: symbol.path.to_string(),
        line_start: symbol.lines.start(),
        line_end: symbol.lines.end(),
        kind: symbol.kind.as_str().into(),
        name: symbol.qualified(),
        language: symbol.language.clone(),
        signature: symbol.signature.clone(),
        doc: symbol.doc.clone(),
        visibility: if symbol.exported { "public" } else { "private" }.into(),
        members,
        members_total,
    })
}

/// Where something is defined.
fn place(symbol: &SymbolRow) -> Use {
    Use {
        path: symbol.path.to_string(),
        line: symbol.name_line,
        name: symbol.qualified(),
        count: 1,
        by: "name".into(),
        certain: false,
        targets: 1,
    }
}

/// Similar names, which may be the ones that were meant.
fn similar(snapshot: &Snapshot<'_>, name: &str, stop: Stop<'_>) -> Result<Vec<String>, EngineError> {
    let Some(word) = fuzzy::Word::new(&fold(name)) else {
        return Ok(Vec::new());
    };
    let mut near: Vec<(f64, String)> = Vec::new();
    for (known, spelt) in snapshot.names_from("", usize::MAX >> 1)? {
        stop.check()?;
        let similarity = word.similarity(&fuzzy::Name::new(&known));
        if similarity >= kitbag_rank::tuning::FUZZY_SIMILARITY {
            near.push((similarity, spelt));
        }
    }
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut names: Vec<String> = near.into_iter().take(8).map(|(_, name)| name).collect();
    names.dedup();
    Ok(names)
}

/// Uses, as the reply shows them.
struct Sources<'a, 's> {
    snapshot: &'a Snapshot<'s>,
    uses: Uses<'a, 's>,
}

impl Sources<'_, '_> {
    /// A use of one of these definitions. `None` if it certainly means something else.
    fn user(&mut self, link: &LinkRow, definitions: &[SymbolRow]) -> Result<Option<Use>, StoreError> {
        let Some(tie) = self.uses.leads_to(link, definitions)? else {
            return Ok(None);
        };
        let around = match link.from_symbol {
            Some(idx) => self
                .uses
                .symbols(link.file, link.parse)?
                .iter()
                .find(|symbol| symbol.idx == idx)
                .map(SymbolRow::qualified),
            None => None,
        };
        let targets = match tie.is_certain() {
            true => 1,
            false => self.uses.n_targets(link)? as u32,
        };
        Ok(Some(Use {
            path: link.path.to_string(),
            line: link.line,
            name: around.unwrap_or_default(),
            count: link.count,
            by: tie.as_str().into(),
            certain: tie.is_certain(),
            targets,
        }))
    }

    /// What a definition and everything inside it calls, each with its most likely definition.
    fn callees(&mut self, symbol: &SymbolRow) -> Result<Vec<Use>, StoreError> {
        let inside: Vec<u32> = self
            .uses
            .symbols(symbol.file, symbol.parse)?
            .iter()
            .filter(|other| {
                symbol.lines.start() <= other.lines.start() && other.lines.end() <= symbol.lines.end()
            })
            .map(|other| other.idx)
            .collect();
        let mut found: BTreeMap<(bool, String, u32, String), Use> = BTreeMap::new();
        for link in self.snapshot.links_of(symbol.file, symbol.parse)? {
            if link.kind != LinkKind::Call || !link.from_symbol.is_some_and(|idx| inside.contains(&idx)) {
                continue;
            }
            let Some(Meaning {
                target,
                tie,
                n_targets,
            }) = self.uses.meaning(&link)?
            else {
                continue;
            };
            // One of seventy definitions of `new` does not say what is called.
            if !tie.is_certain() && n_targets > FEW {
                continue;
            }
            let used = Use {
                path: target.path.to_string(),
                line: target.name_line,
                name: target.qualified(),
                count: 0,
                by: tie.as_str().into(),
                certain: tie.is_certain(),
                targets: n_targets as u32,
            };
            let key = (!used.certain, used.path.clone(), used.line, used.name.clone());
            found.entry(key).or_insert(used).count += link.count;
        }
        Ok(found.into_values().collect())
    }
}
