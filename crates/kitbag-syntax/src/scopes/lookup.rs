//! From the facts of the scope query to paths: scopes in each other, names looked up from the inside out, local variables
//! replaced by what they are. A variable that is assigned different things is unknown; so is everything made of it.
//!
//! What stands at the top of the file, in a type or in another file stays a bare name: that is looked up when somebody asks,
//! because only then all files are known.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{Form, NOT_THIS, Place, RawScopes, SUPER, ScopeKind, Source, THIS, THIS_TYPE};
use crate::captures::Captures;
use crate::outline::{Item, is_type};

/// Longer paths are not kept: nobody's line reads like that.
const MAX_PATH_BYTES: usize = 200;
/// What a name is that is null wherever it is assigned.
const NULL: &str = "-";
/// Variables that are assigned from variables are followed this far.
const MAX_DEPTH: usize = 12;

/// What a used name is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Path(String),
    /// A variable, parameter or function of the function around: no definition of the file.
    Local,
    /// Null: it says nothing about a type.
    Nothing,
    Unknown,
}

impl Found {
    fn text(self) -> String {
        match self {
            Self::Path(path) => path,
            _ => String::new(),
        }
    }

    fn then(self, steps: &str) -> Self {
        match self {
            Self::Path(mut path) if path.len() + steps.len() <= MAX_PATH_BYTES => {
                path.push_str(steps);
                Self::Path(path)
            }
            Self::Local | Self::Path(_) => Self::Unknown,
            other => other,
        }
    }
}

struct Scope {
    bytes: Range<usize>,
    kind: ScopeKind,
    parent: Option<usize>,
}

/// What binds a name in a scope.
#[derive(Clone, Copy)]
enum Binding {
    /// An index into the raw binds.
    Bind(usize),
    /// An index into the raw modules.
    Module(usize),
    /// A definition: whether the file has a symbol for it.
    Definition(bool),
}

pub(crate) struct Scopes<'t> {
    text: &'t str,
    raw: &'t RawScopes,
    bare_members: bool,
    /// The file first, holders before what they hold.
    scopes: Vec<Scope>,
    names: BTreeMap<(usize, &'t str), Vec<Binding>>,
    outer: BTreeSet<(usize, &'t str)>,
    /// Forms by node, and by the range of the node; indexes into `raw.forms`.
    forms: BTreeMap<usize, usize>,
    ranges: BTreeMap<(usize, usize), usize>,
    /// What a member is a member of, by where its name starts.
    members: BTreeMap<usize, usize>,
    /// Where the names of definitions start that the file has a symbol for, and where the nodes of its types do.
    symbols: BTreeSet<usize>,
    types: BTreeSet<usize>,
}

impl<'t> Scopes<'t> {
    pub(crate) fn new(
        text: &'t str,
        raw: &'t RawScopes,
        captures: &Captures,
        items: &[Item],
        bare_members: bool,
    ) -> Self {
        let mut found = Self {
            text,
            raw,
            bare_members,
            scopes: nested(text.len(), &raw.scopes),
            names: BTreeMap::new(),
            outer: BTreeSet::new(),
            forms: BTreeMap::new(),
            ranges: BTreeMap::new(),
            members: BTreeMap::new(),
            types: BTreeSet::new(),
            symbols: items
                .iter()
                .filter(|item| item.symbol_idx.is_some())
                .map(|item| item.name_bytes.start)
                .collect(),
        };
        let is_named_type = |item: &&Item| item.symbol_idx.is_some() && is_type(item.kind);
        found.types = items
            .iter()
            .filter(is_named_type)
            .map(|item| item.node.start)
            .collect();
        for (idx, (place, pattern_idx, form)) in raw.forms.iter().enumerate() {
            let known = found.forms.entry(place.id).or_insert(idx);
            if raw.forms[*known].1 <= *pattern_idx {
                *known = idx;
            }
            let best = *known;
            found.ranges.insert((place.bytes.start, place.bytes.end), best);
            if let Form::Member(_, name) | Form::Method(_, name) = form {
                found.members.insert(name.start, idx);
            }
        }
        for bytes in &raw.outer {
            let scope = found.around(bytes.start);
            found.outer.insert((scope, &text[bytes.clone()]));
        }
        for (idx, bind) in raw.binds.iter().enumerate() {
            found.bind(
                found.around(bind.name.start),
                bind.name.clone(),
                Binding::Bind(idx),
            );
        }
        for (idx, module) in raw.modules.iter().enumerate() {
            let Some(name) = &module.name else { continue };
            found.bind(found.around(name.start), name.clone(), Binding::Module(idx));
        }
        for raw in &captures.definitions {
            if raw.kind.is_none() || raw.container.is_some() {
                continue;
            }
            let scope = found.around_node(&raw.node);
            let is_symbol = found.symbols.contains(&raw.name.start);
            found.bind(scope, raw.name.clone(), Binding::Definition(is_symbol));
        }
        found
    }

    fn bind(&mut self, scope: usize, name: Range<usize>, binding: Binding) {
        if let Some(name) = self.text.get(name) {
            self.names.entry((scope, name)).or_default().push(binding);
        }
    }

    /// How the name at `bytes` is reached.
    pub(crate) fn used(&self, bytes: &Range<usize>) -> Found {
        if let Some(idx) = self.members.get(&bytes.start) {
            match &self.raw.forms[*idx].2 {
                Form::Member(of, name) | Form::Method(Some(of), name) => return self.member(of, name, 0),
                Form::Method(None, name) => return self.method(name),
                _ => {}
            }
        }
        match self.ranges.get(&(bytes.start, bytes.end)) {
            Some(idx) => self.formed(&self.raw.forms[*idx].2, 0),
            // A variable that is called is not a definition of its name, whatever it holds.
            None => match self.name(bytes, None, 0) {
                Found::Path(path) if path.starts_with('<') || self.text.get(bytes.clone()) == Some(&path) => {
                    Found::Path(path)
                }
                Found::Path(_) => Found::Local,
                other => other,
            },
        }
    }

    /// What the definition whose name starts at `name_at` is or gives; `node` is its own node.
    pub(crate) fn declared(&self, name: &Range<usize>, node: &Range<usize>, is_callable: bool) -> String {
        let mut function = self.function_of(node);
        let scope = self.around_node(node);
        let bound = self
            .text
            .get(name.clone())
            .and_then(|text| self.names.get(&(scope, text)));
        let is_bound = |binding: &&Binding| matches!(binding, Binding::Bind(_));
        let binds: Vec<Binding> = bound.into_iter().flatten().filter(is_bound).copied().collect();
        if function.is_none()
            && let [Binding::Bind(idx)] = binds.as_slice()
            && let Source::Value(place, _) = &self.raw.binds[*idx].source
        {
            function = self.function_of(&place.bytes);
        }
        let found = match function {
            Some(function) if is_callable => self.result(function, name.start),
            _ if is_callable => Found::Unknown,
            _ => self.merged(binds.iter().copied(), None, 0),
        };
        let is_property = self.raw.properties.binary_search(&name.start).is_ok();
        let mark = if is_property { "=" } else { "" };
        match found {
            Found::Path(path) => format!("{mark}{path}"),
            Found::Nothing if !is_callable => NULL.to_owned(),
            _ => mark.to_owned(),
        }
    }

    /// What the methods inside `node` assign to the object they run on: `name path` lines.
    pub(crate) fn attributes(&self, node: &Range<usize>) -> String {
        let mut found: BTreeMap<&str, Vec<(bool, Found)>> = BTreeMap::new();
        for attribute in &self.raw.attributes {
            let inside = node.start <= attribute.name.start && attribute.name.end <= node.end;
            if !inside || self.type_around(attribute.name.start) != Some(node) {
                continue;
            }
            let owner = attribute.of.as_ref().map(|of| self.reduce(of, 0));
            if owner.is_some_and(|owner| owner != Found::Path(THIS.to_string())) {
                continue;
            }
            let is_typed = matches!(attribute.source, Source::Type(..));
            let value = self.source(&attribute.source, None, 0);
            found
                .entry(&self.text[attribute.name.clone()])
                .or_default()
                .push((is_typed, value));
        }
        let mut lines = Vec::new();
        for (name, values) in found {
            match merge(values) {
                Found::Path(path) => lines.push(format!("{name} {path}")),
                Found::Nothing => lines.push(format!("{name} {NULL}")),
                _ => lines.push(name.to_owned()),
            }
        }
        lines.join("\n")
    }

    /// What an import binds, as text: `local=item`, `local:`, `local/`, `*`.
    pub(crate) fn import_binding(&self, module: &super::RawModule) -> Option<String> {
        if module.is_wildcard {
            return Some("*".to_owned());
        }
        let name = module.name.clone()?;
        let local = &self.text[name.clone()];
        if let Some(item) = &module.unwritten {
            return Some(format!("{local}={item}"));
        }
        Some(match &module.item {
            Some(item) => format!("{local}={}", &self.text[item.clone()]),
            None if name.start == module.module.start && name.end < module.module.end => format!("{local}/"),
            None => format!("{local}:"),
        })
    }

    fn result(&self, function: usize, name_at: usize) -> Found {
        let own = |place: &&Place| self.function_around(place.bytes.start) == Some(function);
        let bytes = &self.scopes[function].bytes;
        if self.raw.opaque.binary_search(&name_at).is_ok() {
            return Found::Unknown;
        }
        let written: Vec<&Place> = inside(&self.raw.results, bytes).filter(own).collect();
        if let [one] = written.as_slice() {
            return self.reduce(one, 0).then("@");
        }
        if !written.is_empty() {
            let parts: Vec<String> = written
                .iter()
                .map(|part| self.reduce(part, 0).then("@").text())
                .collect();
            return Found::Path(parts.join("|"));
        }
        if inside(&self.raw.yields, bytes).any(|place| own(&place)) {
            return Found::Unknown;
        }
        let returns = inside(&self.raw.returns, bytes).filter(own);
        merge(returns.map(|place| (false, self.reduce(place, 0))).collect())
    }

    fn reduce(&self, place: &Place, depth: usize) -> Found {
        self.reduce_but(place, None, depth)
    }

    /// `but`: a bind whose own source this is.
    fn reduce_but(&self, place: &Place, but: Option<usize>, depth: usize) -> Found {
        match self.forms.get(&place.id) {
            _ if depth > MAX_DEPTH => Found::Unknown,
            Some(idx) => match &self.raw.forms[*idx].2 {
                Form::Same(of) => self.reduce_but(of, but, depth + 1),
                Form::Root(Some(THIS | THIS_TYPE | SUPER)) if self.has_own_object(place.bytes.start) => {
                    Found::Unknown
                }
                form => self.formed(form, depth),
            },
            None => self.name(&place.bytes, but, depth),
        }
    }

    fn formed(&self, form: &Form, depth: usize) -> Found {
        match form {
            Form::Member(of, name) => self.member(of, name, depth),
            Form::Call(of) => self.reduce(of, depth + 1).then("()"),
            Form::Method(Some(of), name) => self.member(of, name, depth).then("()"),
            Form::Method(None, name) => self.method(name).then("()"),
            Form::Instance(of) => self.reduce(of, depth + 1).then("@"),
            Form::Same(of) => self.reduce(of, depth + 1),
            Form::Root(Some(root)) => Found::Path(root.to_string()),
            Form::Root(None) => Found::Nothing,
        }
    }

    fn member(&self, of: &Place, name: &Range<usize>, depth: usize) -> Found {
        match self.text.get(name.clone()) {
            Some(name) if is_name(name) => self.reduce(of, depth + 1).then(&format!(".{name}")),
            _ => Found::Unknown,
        }
    }

    /// A method that is called by its bare name. A type inside a function may define it, which no symbol tells of.
    fn method(&self, bytes: &Range<usize>) -> Found {
        let Some(name) = self.text.get(bytes.clone()).filter(|name| is_name(name)) else {
            return Found::Unknown;
        };
        let mut at = Some(self.around(bytes.start));
        let mut is_nameless = false;
        while let Some(idx) = at {
            let scope = &self.scopes[idx];
            at = scope.parent;
            is_nameless |= scope.kind == ScopeKind::Type && !self.types.contains(&scope.bytes.start);
            let bindings = self.names.get(&(idx, name)).map_or(&[][..], Vec::as_slice);
            let is = |symbol: bool| {
                bindings
                    .iter()
                    .any(|binding| matches!(binding, Binding::Definition(is) if *is == symbol))
            };
            if is(false) {
                return Found::Local;
            }
            if is(true) {
                return Found::Path(name.to_owned());
            }
        }
        // A type without a name may inherit it, from a type that no symbol tells of.
        match is_nameless {
            true => Found::Unknown,
            false => Found::Path(name.to_owned()),
        }
    }

    fn name(&self, bytes: &Range<usize>, but: Option<usize>, depth: usize) -> Found {
        let Some(name) = self.text.get(bytes.clone()).filter(|name| is_name(name)) else {
            return Found::Unknown;
        };
        let mut at = Some(self.around(bytes.start));
        while let Some(idx) = at {
            let scope = &self.scopes[idx];
            at = scope.parent;
            if self.outer.contains(&(idx, name)) {
                continue;
            }
            let Some(bindings) = self.names.get(&(idx, name)) else {
                continue;
            };
            let is_symbol = bindings
                .iter()
                .any(|binding| matches!(binding, Binding::Definition(true)));
            if scope.kind == ScopeKind::Type && is_symbol {
                if self.bare_members {
                    return Found::Path(name.to_owned());
                }
                continue;
            }
            let is_module = |binding: &Binding| matches!(binding, Binding::Module(_));
            if is_symbol || (scope.parent.is_none() && bindings.iter().any(is_module)) {
                return Found::Path(name.to_owned());
            }
            if let Some(but) = but
                && let [Binding::Bind(only)] = bindings.as_slice()
                && *only == but
                && matches!(self.raw.binds[but].source, Source::Type(..))
            {
                // `def f(user: user)`: the type is looked up where the function stands.
                continue;
            }
            return match self.merged(bindings.iter().copied(), but, depth + 1) {
                Found::Path(path) => Found::Path(path),
                _ => Found::Local,
            };
        }
        Found::Path(name.to_owned())
    }

    fn merged(&self, bindings: impl Iterator<Item = Binding>, but: Option<usize>, depth: usize) -> Found {
        let mut values = Vec::new();
        for binding in bindings {
            values.push(match binding {
                // Its own value stands on it: `x = x.next`.
                Binding::Bind(idx) if but == Some(idx) || depth > MAX_DEPTH => (false, Found::Unknown),
                Binding::Bind(idx) => {
                    let source = &self.raw.binds[idx].source;
                    // A parameter that is called like the object and is not.
                    if matches!(source, Source::Root(NOT_THIS)) {
                        return Found::Unknown;
                    }
                    if matches!(source, Source::Root(THIS_TYPE)) {
                        return Found::Path(THIS_TYPE.to_string());
                    }
                    let is_written = matches!(source, Source::Type(..) | Source::Root(_));
                    (is_written, self.source(source, Some(idx), depth))
                }
                Binding::Module(idx) => (false, self.module(idx)),
                Binding::Definition(_) => (false, Found::Unknown),
            });
        }
        merge(values)
    }

    fn source(&self, source: &Source, own: Option<usize>, depth: usize) -> Found {
        match source {
            Source::Unknown => Found::Unknown,
            Source::Type(place, steps) => self.reduce_but(place, own, depth + 1).then("@").then(steps),
            Source::Value(place, steps) => self.reduce_but(place, own, depth + 1).then(steps),
            Source::Root(root) => Found::Path(root.to_string()),
        }
    }

    fn module(&self, idx: usize) -> Found {
        let module = &self.raw.modules[idx];
        let path = crate::names::import_paths(&self.text[module.module.clone()]);
        let ([path], Some(binding)) = (path.as_slice(), self.import_binding(module)) else {
            return Found::Unknown;
        };
        let form = binding.find(['=', ':', '/']).map_or("", |at| &binding[at..]);
        match path.path.contains(['<', '>', '\n']) {
            true => Found::Unknown,
            false => Found::Path(format!("<{}{form}>", path.path)),
        }
    }

    /// The innermost scope around a place.
    fn around(&self, at: usize) -> usize {
        let mut idx = self.scopes.partition_point(|scope| scope.bytes.start <= at) - 1;
        while self.scopes[idx].bytes.end <= at {
            let Some(parent) = self.scopes[idx].parent else {
                break;
            };
            idx = parent;
        }
        idx
    }

    /// The innermost scope that holds a node and is not the node.
    fn around_node(&self, node: &Range<usize>) -> usize {
        let mut idx = self.around(node.start);
        while node.start <= self.scopes[idx].bytes.start {
            let Some(parent) = self.scopes[idx].parent else {
                break;
            };
            idx = parent;
        }
        idx
    }

    fn function_of(&self, node: &Range<usize>) -> Option<usize> {
        let at = self
            .scopes
            .partition_point(|scope| scope.bytes.start < node.start);
        let same = self.scopes[at..]
            .iter()
            .take_while(|scope| scope.bytes.start == node.start);
        same.enumerate()
            .find(|(_, scope)| scope.bytes == *node && scope.kind == ScopeKind::Function)
            .map(|(nth, _)| at + nth)
    }

    /// Whether a function between a place and the type around it runs on an object of its own.
    fn has_own_object(&self, at: usize) -> bool {
        let start = self.type_around(at).map_or(0, |bytes| bytes.start);
        let is_between = |bytes: &Range<usize>| start < bytes.start && bytes.start <= at && at < bytes.end;
        self.raw.objects.iter().any(is_between)
    }

    fn function_around(&self, at: usize) -> Option<usize> {
        let mut idx = Some(self.around(at));
        while let Some(known) = idx.filter(|idx| self.scopes[*idx].kind != ScopeKind::Function) {
            idx = self.scopes[known].parent;
        }
        idx
    }

    fn type_around(&self, at: usize) -> Option<&Range<usize>> {
        let mut idx = Some(self.around(at));
        while let Some(known) = idx.filter(|idx| self.scopes[*idx].kind != ScopeKind::Type) {
            idx = self.scopes[known].parent;
        }
        idx.map(|idx| &self.scopes[idx].bytes)
    }
}

/// What several sources of one name come to: what is written wins, null says nothing, and the rest must agree.
fn merge(values: Vec<(bool, Found)>) -> Found {
    let mut merged: Option<Found> = None;
    if let Some((_, written)) = values.iter().find(|(is_written, _)| *is_written) {
        return written.clone();
    }
    for (_, value) in values {
        match (&merged, value) {
            (_, Found::Nothing) => {}
            (_, Found::Local | Found::Unknown) => return Found::Unknown,
            (None, value) => merged = Some(value),
            (Some(known), value) if *known == value => {}
            _ => return Found::Unknown,
        }
    }
    merged.unwrap_or(Found::Nothing)
}

/// Those of the places (in order) that start inside `bytes`.
fn inside<'p>(places: &'p [Place], bytes: &Range<usize>) -> impl Iterator<Item = &'p Place> {
    let first = places.partition_point(|place| place.bytes.start < bytes.start);
    let end = bytes.end;
    places[first..]
        .iter()
        .take_while(move |place| place.bytes.start < end)
}

/// The scopes in each other, the whole file first.
fn nested(text_end: usize, raw: &[(Range<usize>, ScopeKind)]) -> Vec<Scope> {
    let mut sorted: Vec<&(Range<usize>, ScopeKind)> = raw.iter().collect();
    sorted.sort_by_key(|(bytes, _)| (bytes.start, usize::MAX - bytes.end));
    let mut scopes = vec![Scope {
        bytes: 0..text_end.max(1),
        kind: ScopeKind::Block,
        parent: None,
    }];
    let mut open = vec![0];
    for (bytes, kind) in sorted {
        while open.len() > 1 && open.last().is_some_and(|idx| scopes[*idx].bytes.end < bytes.end) {
            open.pop();
        }
        let parent = open.last().copied();
        open.push(scopes.len());
        scopes.push(Scope {
            bytes: bytes.clone(),
            kind: *kind,
            parent,
        });
    }
    scopes
}

pub(crate) fn is_name(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    // `#x` is a private member of JavaScript.
    let text = text.strip_prefix('#').unwrap_or(text);
    text.chars().all(is_word) && text.chars().next().is_some_and(|c| !c.is_ascii_digit())
}
