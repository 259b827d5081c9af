//! From the captures of the scope query to paths: nests scopes, looks names up from the inside out, and replaces local variables by
//! their values. A variable with different values is unknown; so is everything made from it.
//!
//! Names from the top of the file, from a type or from another file stay bare names: they are looked up when a question is
//! answered, because only then all files are known.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::captures::Captures;
use crate::item::{Item, is_type};
use crate::scopes::{Form, NOT_THIS, Place, RawModule, RawScopes, SUPER, ScopeKind, Source, THIS, THIS_TYPE};

/// Longer paths are not kept: no person writes them.
const MAX_PATH_BYTES: usize = 200;
/// The value of a name that is always assigned null.
const NULL: &str = "-";
/// How far variables that are assigned from variables are followed.
const MAX_DEPTH: usize = 12;
/// A name with more bindings is unknown.
const MAX_BINDS: usize = 32;
/// The most bound values that are evaluated per file; names that come later are unknown.
const MAX_STEPS: usize = 200_000;

/// What a used name refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResolvedName {
    Path(String),
    /// A variable, parameter or function of the enclosing function: not a definition of the file.
    Local,
    /// Null: says nothing about a type.
    Nothing,
    Unknown,
}

impl ResolvedName {
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
    /// A definition; true if the file has a symbol for it.
    Definition(bool),
    /// An assignment from an inner scope: the name belongs to this scope, the value is unknown here.
    Foreign,
}

/// The bindings of a name in a scope.
#[derive(Default)]
struct NameBindings {
    bindings: Vec<Binding>,
    /// Whether there is a definition with a symbol in the file, and one without.
    has_symbol: bool,
    has_local_definition: bool,
    has_module: bool,
    /// It is bound too often to be followed; then `bindings` is empty.
    is_too_often: bool,
}

/// The state of the evaluation of a name.
enum Memo {
    InProgress,
    /// The value, and the depth of its evaluation relative to the name.
    Known(ResolvedName, usize),
}

pub(crate) struct Scopes<'t> {
    text: &'t str,
    raw: &'t RawScopes,
    bare_members: bool,
    /// The file first, holders before what they hold.
    scopes: Vec<Scope>,
    names: BTreeMap<(usize, &'t str), NameBindings>,
    /// Names of a scope that are bound further out; true if at the top of the file.
    outer: BTreeMap<(usize, &'t str), bool>,
    /// Forms by node, and by the range of the node; indices into `raw.forms`.
    forms: BTreeMap<usize, usize>,
    ranges: BTreeMap<(usize, usize), usize>,
    /// The object of a member, by the start of its name.
    members: BTreeMap<usize, usize>,
    /// The starts of definition names that have a symbol in the file, and the starts of its types' nodes.
    symbols: BTreeSet<usize>,
    types: BTreeSet<usize>,
    /// Values of names that were evaluated. Neither these nor the order of evaluation change a result: a value that depends on
    /// itself is unknown wherever its cycle is entered, and values cut off by `MAX_DEPTH` are not kept.
    memo: RefCell<BTreeMap<(usize, &'t str), Memo>>,
    steps: Cell<usize>,
    /// The greatest depth since the evaluation of the current name began.
    deepest: Cell<usize>,
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
            outer: BTreeMap::new(),
            forms: BTreeMap::new(),
            ranges: BTreeMap::new(),
            members: BTreeMap::new(),
            types: BTreeSet::new(),
            memo: RefCell::default(),
            steps: Cell::new(0),
            deepest: Cell::new(0),
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
        found.bind_all(captures);
        found.settle();
        found
    }

    fn bind_all(&mut self, captures: &Captures) {
        let (text, raw) = (self.text, self.raw);
        for (bytes, is_file) in &raw.outer {
            let scope = self.around(bytes.start);
            self.outer.insert((scope, &text[bytes.clone()]), *is_file);
        }
        // Another pattern may bind the same place (`[a] = b`).
        let places: BTreeSet<usize> = raw
            .binds
            .iter()
            .filter(|bind| bind.is_assigned)
            .map(|bind| bind.name.start)
            .collect();
        let mut assigned = Vec::new();
        for (idx, bind) in raw.binds.iter().enumerate() {
            let scope = self.around(bind.name.start);
            let name = text.get(bind.name.clone()).unwrap_or_default();
            if places.contains(&bind.name.start) || self.outer.contains_key(&(scope, name)) {
                assigned.push((scope, idx));
            } else {
                self.bind(scope, bind.name.clone(), Binding::Bind(idx));
            }
        }
        for (idx, module) in raw.modules.iter().enumerate() {
            let Some(name) = &module.name else { continue };
            self.bind(self.around(name.start), name.clone(), Binding::Module(idx));
        }
        for raw in &captures.definitions {
            if raw.kind.is_none() || raw.container.is_some() {
                continue;
            }
            let scope = self.around_node(&raw.node);
            let is_symbol = self.symbols.contains(&raw.name.start);
            self.bind(scope, raw.name.clone(), Binding::Definition(is_symbol));
        }
        // The scope that declares a name is only known after all declarations.
        let owners: Vec<usize> = assigned
            .iter()
            .map(|(scope, idx)| self.owner(*scope, &raw.binds[*idx].name))
            .collect();
        for ((scope, idx), owner) in assigned.into_iter().zip(owners) {
            let name = raw.binds[idx].name.clone();
            self.bind(scope, name.clone(), Binding::Bind(idx));
            if owner != scope {
                self.bind(owner, name, Binding::Foreign);
            }
        }
    }

    /// The scope whose name an assignment in `scope` changes: the next outer one that declares it, or the file.
    fn owner(&self, scope: usize, name: &Range<usize>) -> usize {
        let Some(name) = self.text.get(name.clone()) else {
            return scope;
        };
        let mut at = scope;
        loop {
            match self.outer.get(&(at, name)) {
                Some(true) => return 0,
                Some(false) => {}
                // The names in a type are its members: inner scopes do not assign to them by the bare name.
                None if self.scopes[at].kind == ScopeKind::Type && at != scope => {}
                None if self.names.contains_key(&(at, name)) => return at,
                None => {}
            }
            match self.scopes[at].parent {
                Some(parent) => at = parent,
                None => return at,
            }
        }
    }

    fn bind(&mut self, scope: usize, name: Range<usize>, binding: Binding) {
        let Some(name) = self.text.get(name) else { return };
        let bound = self.names.entry((scope, name)).or_default();
        match binding {
            Binding::Definition(true) => bound.has_symbol = true,
            Binding::Definition(false) => bound.has_local_definition = true,
            Binding::Module(_) => bound.has_module = true,
            Binding::Bind(_) | Binding::Foreign => {}
        }
        bound.bindings.push(binding);
    }

    /// Several patterns may bind one place (`x: T = y`): the most specific one is kept. Where types are reliable, a written type
    /// counts for all places.
    fn settle(&mut self) {
        let raw = self.raw;
        let rank = |binding: &Binding| match binding {
            Binding::Bind(idx) => match &raw.binds[*idx].source {
                Source::Root(NOT_THIS) => 3,
                Source::Root(THIS_TYPE) => 2,
                Source::Type(..) | Source::Root(_) => 1,
                _ => 0,
            },
            _ => 0,
        };
        for bound in self.names.values_mut() {
            if bound.bindings.len() < 2 {
                continue;
            }
            let mut best: BTreeMap<usize, usize> = BTreeMap::new();
            for binding in &bound.bindings {
                if let Binding::Bind(idx) = binding {
                    let known = best.entry(raw.binds[*idx].name.start).or_default();
                    *known = rank(binding).max(*known);
                }
            }
            bound.bindings.retain(|binding| match binding {
                Binding::Bind(idx) => best.get(&raw.binds[*idx].name.start) == Some(&rank(binding)),
                _ => true,
            });
            if !raw.is_dynamic
                && let Some(written) = bound.bindings.iter().find(|binding| rank(binding) > 0).copied()
            {
                bound.bindings = vec![written];
            }
            let is_bind = |binding: &&Binding| matches!(binding, Binding::Bind(_) | Binding::Foreign);
            if bound.bindings.iter().filter(is_bind).count() > MAX_BINDS {
                bound.is_too_often = true;
                bound.bindings.clear();
            }
        }
    }

    /// How the name at `bytes` is reached.
    pub(crate) fn used(&self, bytes: &Range<usize>) -> ResolvedName {
        if let Some(idx) = self.members.get(&bytes.start) {
            match &self.raw.forms[*idx].2 {
                Form::Member(of, name) | Form::Method(Some(of), name) => return self.member(of, name, 0),
                Form::Method(None, name) => return self.method(name),
                _ => {}
            }
        }
        match self.ranges.get(&(bytes.start, bytes.end)) {
            Some(idx) => self.formed(&self.raw.forms[*idx].2, 0),
            // A variable that is called is not a definition of its name, whatever its value.
            None => match self.name(bytes, None, 0) {
                ResolvedName::Path(path)
                    if path.starts_with('<') || self.text.get(bytes.clone()) == Some(&path) =>
                {
                    ResolvedName::Path(path)
                }
                ResolvedName::Path(_) => ResolvedName::Local,
                other => other,
            },
        }
    }

    /// The type of the definition with this name, or of its result; `node` is its own node.
    pub(crate) fn declared(&self, name: &Range<usize>, node: &Range<usize>, is_callable: bool) -> String {
        let mut function = self.function_of(node);
        let scope = self.around_node(node);
        let bound = self
            .text
            .get(name.clone())
            .and_then(|text| self.names.get(&(scope, text)));
        let is_bound = |binding: &&Binding| matches!(binding, Binding::Bind(_) | Binding::Foreign);
        let is_too_often = bound.is_some_and(|bound| bound.is_too_often);
        let bound = bound.map_or(&[][..], |bound| bound.bindings.as_slice());
        let binds: Vec<Binding> = bound.iter().filter(is_bound).copied().collect();
        if function.is_none()
            && let [Binding::Bind(idx)] = binds.as_slice()
            && let Source::Value(place, _) = &self.raw.binds[*idx].source
        {
            function = self.function_of(&place.bytes);
        }
        let found = match function {
            Some(function) if is_callable => self.result(function, name.start),
            _ if is_callable || is_too_often => ResolvedName::Unknown,
            _ => self.merged(&binds, 0),
        };
        let is_property = self.raw.properties.binary_search(&name.start).is_ok();
        let mark = if is_property { "=" } else { "" };
        match found {
            ResolvedName::Path(path) => format!("{mark}{path}"),
            ResolvedName::Nothing if !is_callable => NULL.to_owned(),
            _ => mark.to_owned(),
        }
    }

    /// What the methods inside `node` assign to their object, as `name path` lines.
    pub(crate) fn attributes(&self, node: &Range<usize>) -> String {
        let mut found: BTreeMap<&str, Vec<(usize, bool, ResolvedName)>> = BTreeMap::new();
        for attribute in &self.raw.attributes {
            let inside = node.start <= attribute.name.start && attribute.name.end <= node.end;
            if !inside || self.type_around(attribute.name.start) != Some(node) {
                continue;
            }
            let owner = attribute.of.as_ref().map(|of| self.reduce(of, 0));
            if owner.is_some_and(|owner| owner != ResolvedName::Path(THIS.to_string())) {
                continue;
            }
            let is_typed = matches!(attribute.source, Source::Type(..));
            let value = self.source(&attribute.source, None, 0);
            found
                .entry(&self.text[attribute.name.clone()])
                .or_default()
                .push((attribute.name.start, is_typed, value));
        }
        let mut lines = Vec::new();
        for (name, mut values) in found {
            // A written type counts for its place, whatever is assigned there.
            let typed: BTreeSet<usize> = values
                .iter()
                .filter(|(_, is_typed, _)| *is_typed)
                .map(|(start, ..)| *start)
                .collect();
            values.retain(|(start, is_typed, _)| *is_typed || !typed.contains(start));
            let written = values.iter().find(|(_, is_typed, _)| *is_typed);
            let merged = match written {
                Some((_, _, written)) if !self.raw.is_dynamic => written.clone(),
                _ => merge(values.into_iter().map(|(_, _, value)| value)),
            };
            match merged {
                ResolvedName::Path(path) => lines.push(format!("{name} {path}")),
                ResolvedName::Nothing => lines.push(format!("{name} {NULL}")),
                _ => lines.push(name.to_owned()),
            }
        }
        lines.join("\n")
    }

    /// What an import binds, as text: `local=item`, `local:`, `local/`, `*`.
    pub(crate) fn import_binding(&self, module: &RawModule) -> Option<String> {
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

    fn result(&self, function: usize, name_at: usize) -> ResolvedName {
        let own = |place: &&Place| self.function_around(place.bytes.start) == Some(function);
        let bytes = &self.scopes[function].bytes;
        if self.raw.opaque.binary_search(&name_at).is_ok() {
            return ResolvedName::Unknown;
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
            return ResolvedName::Path(parts.join("|"));
        }
        if inside(&self.raw.yields, bytes).any(|place| own(&place)) {
            return ResolvedName::Unknown;
        }
        let returns = inside(&self.raw.returns, bytes).filter(own);
        merge(returns.map(|place| self.reduce(place, 0)))
    }

    fn reduce(&self, place: &Place, depth: usize) -> ResolvedName {
        self.reduce_but(place, None, depth)
    }

    /// `but`: the bind whose own source this is.
    fn reduce_but(&self, place: &Place, but: Option<usize>, depth: usize) -> ResolvedName {
        self.deepest.set(self.deepest.get().max(depth));
        match self.forms.get(&place.id) {
            _ if depth > MAX_DEPTH => ResolvedName::Unknown,
            Some(idx) => match &self.raw.forms[*idx].2 {
                Form::Same(of) => self.reduce_but(of, but, depth + 1),
                Form::Root(Some(THIS | THIS_TYPE | SUPER)) if self.has_own_object(place.bytes.start) => {
                    ResolvedName::Unknown
                }
                form => self.formed(form, depth),
            },
            None => self.name(&place.bytes, but, depth),
        }
    }

    fn formed(&self, form: &Form, depth: usize) -> ResolvedName {
        match form {
            Form::Member(of, name) => self.member(of, name, depth),
            Form::Call(of) => self.reduce(of, depth + 1).then("()"),
            Form::Method(Some(of), name) => self.member(of, name, depth).then("()"),
            Form::Method(None, name) => self.method(name).then("()"),
            Form::Instance(of) => self.reduce(of, depth + 1).then("@"),
            Form::Same(of) => self.reduce(of, depth + 1),
            Form::Root(Some(root)) => ResolvedName::Path(root.to_string()),
            Form::Root(None) => ResolvedName::Nothing,
        }
    }

    fn member(&self, of: &Place, name: &Range<usize>, depth: usize) -> ResolvedName {
        match self.text.get(name.clone()) {
            Some(name) if is_name(name) => self.reduce(of, depth + 1).then(&format!(".{name}")),
            _ => ResolvedName::Unknown,
        }
    }

    /// A method that is called by its bare name. A type inside a function may define it, which no symbol shows.
    fn method(&self, bytes: &Range<usize>) -> ResolvedName {
        let Some(name) = self.text.get(bytes.clone()).filter(|name| is_name(name)) else {
            return ResolvedName::Unknown;
        };
        let mut at = Some(self.around(bytes.start));
        let mut is_nameless = false;
        while let Some(idx) = at {
            let scope = &self.scopes[idx];
            at = scope.parent;
            let bound = self.names.get(&(idx, name));
            if bound.is_some_and(|bound| bound.has_local_definition) {
                return ResolvedName::Local;
            }
            if bound.is_some_and(|bound| bound.has_symbol) {
                // An anonymous type in between may inherit another one.
                return match is_nameless {
                    true => ResolvedName::Unknown,
                    false => ResolvedName::Path(name.to_owned()),
                };
            }
            is_nameless |= scope.kind == ScopeKind::Type && !self.types.contains(&scope.bytes.start);
        }
        // An anonymous type may inherit it from a type that no symbol shows.
        match is_nameless {
            true => ResolvedName::Unknown,
            false => ResolvedName::Path(name.to_owned()),
        }
    }

    fn name(&self, bytes: &Range<usize>, but: Option<usize>, depth: usize) -> ResolvedName {
        let Some(name) = self.text.get(bytes.clone()).filter(|name| is_name(name)) else {
            return ResolvedName::Unknown;
        };
        let mut at = Some(self.around(bytes.start));
        while let Some(idx) = at {
            let scope = &self.scopes[idx];
            at = scope.parent;
            if let Some(is_file) = self.outer.get(&(idx, name)) {
                if *is_file {
                    at = Some(0);
                }
                continue;
            }
            let Some(bound) = self.names.get(&(idx, name)) else {
                continue;
            };
            if scope.kind == ScopeKind::Type && bound.has_symbol {
                if self.bare_members {
                    return ResolvedName::Path(name.to_owned());
                }
                continue;
            }
            if bound.has_symbol || (scope.parent.is_none() && bound.has_module) {
                return ResolvedName::Path(name.to_owned());
            }
            if let Some(but) = but
                && let [Binding::Bind(only)] = bound.bindings.as_slice()
                && *only == but
                && matches!(self.raw.binds[but].source, Source::Type(..))
            {
                // `def f(user: user)`: the type is looked up in the scope around the function.
                continue;
            }
            return match self.value(idx, name, bound, depth + 1) {
                ResolvedName::Path(path) => ResolvedName::Path(path),
                _ => ResolvedName::Local,
            };
        }
        ResolvedName::Path(name.to_owned())
    }

    /// The value of a name in a scope, evaluated once. A value that depends on itself (`x = x.next`) is unknown.
    fn value(&self, scope: usize, name: &'t str, bound: &NameBindings, depth: usize) -> ResolvedName {
        let key = (scope, name);
        match self.memo.borrow().get(&key) {
            Some(Memo::InProgress) => return ResolvedName::Unknown,
            Some(Memo::Known(found, height)) => {
                // The same depth as if it were evaluated here.
                self.deepest.set(self.deepest.get().max(depth + height));
                return match depth + height > MAX_DEPTH {
                    true => ResolvedName::Unknown,
                    false => found.clone(),
                };
            }
            None => {}
        }
        if bound.is_too_often {
            return ResolvedName::Unknown;
        }
        self.memo.borrow_mut().insert(key, Memo::InProgress);
        let deepest_before = self.deepest.replace(depth);
        let found = self.merged(&bound.bindings, depth);
        let deepest = self.deepest.get();
        self.deepest.set(deepest_before.max(deepest));
        let mut memo = self.memo.borrow_mut();
        match deepest > MAX_DEPTH {
            true => memo.remove(&key),
            false => memo.insert(key, Memo::Known(found.clone(), deepest - depth)),
        };
        found
    }

    /// Merges the sources of one name. All have the same weight: `settle` removed the others.
    fn merged(&self, bindings: &[Binding], depth: usize) -> ResolvedName {
        self.deepest.set(self.deepest.get().max(depth));
        let is_unknown = |binding: &Binding| match binding {
            Binding::Bind(idx) => matches!(
                self.raw.binds[*idx].source,
                Source::Unknown | Source::Root(NOT_THIS)
            ),
            Binding::Module(_) => false,
            Binding::Definition(_) | Binding::Foreign => true,
        };
        if depth > MAX_DEPTH || bindings.iter().any(is_unknown) {
            return ResolvedName::Unknown;
        }
        merge(bindings.iter().map(|binding| match binding {
            Binding::Bind(_) if !self.step() => ResolvedName::Unknown,
            Binding::Bind(idx) => self.source(&self.raw.binds[*idx].source, Some(*idx), depth),
            Binding::Module(idx) => self.module(*idx),
            Binding::Definition(_) | Binding::Foreign => ResolvedName::Unknown,
        }))
    }

    /// Counts an evaluated value; false if there were too many.
    fn step(&self) -> bool {
        let steps = self.steps.get();
        self.steps.set(steps.saturating_add(1));
        steps < MAX_STEPS
    }

    fn source(&self, source: &Source, own: Option<usize>, depth: usize) -> ResolvedName {
        match source {
            Source::Unknown => ResolvedName::Unknown,
            Source::Type(place, steps) => self.reduce_but(place, own, depth + 1).then("@").then(steps),
            Source::Value(place, steps) => self.reduce_but(place, own, depth + 1).then(steps),
            Source::Root(root) => ResolvedName::Path(root.to_string()),
        }
    }

    fn module(&self, idx: usize) -> ResolvedName {
        let module = &self.raw.modules[idx];
        let path = crate::names::import_paths(&self.text[module.module.clone()]);
        let ([path], Some(binding)) = (path.as_slice(), self.import_binding(module)) else {
            return ResolvedName::Unknown;
        };
        let form = binding.find(['=', ':', '/']).map_or("", |at| &binding[at..]);
        match path.path.contains(['<', '>', '\n']) {
            true => ResolvedName::Unknown,
            false => ResolvedName::Path(format!("<{}{form}>", path.path)),
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

    /// The innermost scope that contains a node and is not the node.
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

    /// Whether a function between a place and the type around it has an object of its own.
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

/// Merges several values of one name: null is ignored, and the rest must agree. Stops at the first that does not.
fn merge(values: impl Iterator<Item = ResolvedName>) -> ResolvedName {
    let mut merged: Option<ResolvedName> = None;
    for value in values {
        match (&merged, value) {
            (_, ResolvedName::Nothing) => {}
            (_, ResolvedName::Local | ResolvedName::Unknown) => return ResolvedName::Unknown,
            (None, value) => merged = Some(value),
            (Some(known), value) if *known == value => {}
            _ => return ResolvedName::Unknown,
        }
    }
    merged.unwrap_or(ResolvedName::Nothing)
}

/// The places that start inside `bytes`; the places are in order.
fn inside<'p>(places: &'p [Place], bytes: &Range<usize>) -> impl Iterator<Item = &'p Place> {
    let first = places.partition_point(|place| place.bytes.start < bytes.start);
    let end = bytes.end;
    places[first..]
        .iter()
        .take_while(move |place| place.bytes.start < end)
}

/// The nested scopes, the whole file first.
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
