//! Rails: `routes.draw do … end`, with the routes that `resources` and `resource` stand for, in the order in which blocks nest.

use kitbag_types::{FactKind, Value};

use super::handlers::{handler_of, member};
use super::{EntryKind, EntryPoints, Hidden, entry, join};
use crate::code::{At, Code, keyword, words};

const MAX_DEPTH: u32 = 24;

/// What the blocks around a route say.
#[derive(Clone, Default)]
struct Scope {
    path: String,
    /// `Admin::`, from namespaces and modules.
    module: String,
    controller: Option<String>,
    /// The resource around, if the place is directly in it.
    resource: Option<Resource>,
    /// Routes are for one member, or for the collection.
    on: Option<On>,
}

#[derive(Clone)]
struct Resource {
    /// Its own path, and that of one member.
    collection: String,
    member: String,
    nested: String,
    controller: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    Member,
    Collection,
}

/// An action of a resource: its name, method, whether it is about one member, what comes after the path.
pub(super) type Action = (&'static str, &'static str, bool, &'static str);

const MANY: &[Action] = &[
    ("index", "GET", false, ""),
    ("create", "POST", false, ""),
    ("new", "GET", false, "new"),
    ("edit", "GET", true, "edit"),
    ("show", "GET", true, ""),
    ("update", "PATCH", true, ""),
    ("update", "PUT", true, ""),
    ("destroy", "DELETE", true, ""),
];
const ONE: &[Action] = &[
    ("new", "GET", true, "new"),
    ("edit", "GET", true, "edit"),
    ("show", "GET", true, ""),
    ("update", "PATCH", true, ""),
    ("update", "PUT", true, ""),
    ("destroy", "DELETE", true, ""),
    ("create", "POST", true, ""),
];

pub(super) fn find(code: &Code<'_>, found: &mut EntryPoints) {
    let api_only = code.types_named("ApplicationController").iter().any(|at| {
        let bases = &code.fact(*at).arguments;
        bases
            .iter()
            .any(|base| matches!(base, Value::Name(name) if name.ends_with("ActionController::API")))
    });
    let drawn =
        |at: &&At| matches!(&code.fact(**at).receiver, Some(Value::Name(name)) if name.ends_with("routes"));
    for at in code.calls_named("draw").iter().filter(drawn) {
        let source = code.source(*at);
        if source.language != "ruby" || source.is_test {
            continue;
        }
        let walker = Walker { code, api_only };
        walker.block(*at, &Scope::default(), 0, found);
    }
}

/// Whether a resource has an action, by its options `only` and `except`.
pub(super) fn is_offered(action: &str, only: Option<&[String]>, except: &[String]) -> bool {
    let has = |list: &[String]| list.iter().any(|word| word == action);
    only.map_or_else(|| !has(except), has)
}

struct Walker<'w, 'c> {
    code: &'w Code<'c>,
    api_only: bool,
}

impl Walker<'_, '_> {
    /// Everything in the block of a call.
    fn block(&self, call: At, scope: &Scope, depth: u32, found: &mut EntryPoints) {
        if depth > MAX_DEPTH {
            return;
        }
        let blocks = self.code.children(call.file, Some(call.fact));
        for block in blocks.filter(|at| self.code.fact(*at).kind == FactKind::Block) {
            for at in self.code.children(call.file, Some(block.fact)) {
                if self.code.fact(at).kind == FactKind::Call {
                    self.call(at, scope, depth, found);
                }
            }
        }
    }

    fn call(&self, at: At, scope: &Scope, depth: u32, found: &mut EntryPoints) {
        let fact = self.code.fact(at);
        let option = |key: &str| keyword(&fact.arguments, key);
        match fact.name.as_str() {
            "namespace" => {
                for name in self.names(at) {
                    let mut inner = self.inside(scope);
                    let path = option("path").and_then(|value| self.code.text(at, value));
                    inner.path = join_path(&inner.path, path.as_deref().unwrap_or(&name));
                    let module = option("module")
                        .and_then(|value| self.code.text(at, value))
                        .unwrap_or(name);
                    inner.module = format!("{}{}::", inner.module, camel(&module));
                    self.block(at, &inner, depth + 1, found);
                }
            }
            "scope" => {
                let mut inner = self.inside(scope);
                let own = fact.arguments.iter().find_map(|value| match value {
                    Value::Text(text) => Some(text.clone()),
                    _ => None,
                });
                let path = own.or_else(|| option("path").and_then(|value| self.code.text(at, value)));
                inner.path = join_path(&inner.path, path.as_deref().unwrap_or_default());
                if let Some(module) = option("module").and_then(|value| self.code.text(at, value)) {
                    inner.module = format!("{}{}::", inner.module, camel(&module));
                }
                inner.controller = option("controller")
                    .and_then(|value| self.code.text(at, value))
                    .or(inner.controller);
                self.block(at, &inner, depth + 1, found);
            }
            "controller" => {
                let mut inner = self.inside(scope);
                inner.controller = self.names(at).first().cloned();
                self.block(at, &inner, depth + 1, found);
            }
            "resources" => self.resources(at, scope, true, depth, found),
            "resource" => self.resources(at, scope, false, depth, found),
            "member" | "collection" => {
                let mut inner = scope.clone();
                inner.on = Some(if fact.name == "member" {
                    On::Member
                } else {
                    On::Collection
                });
                self.block(at, &inner, depth + 1, found);
            }
            "get" | "post" | "put" | "patch" | "delete" | "match" | "root" => self.route(at, scope, found),
            "concern" => {}
            "mount" => self.mount(at, scope, found),
            "draw" => found.hidden.push(Hidden {
                path: self.code.source(at).path.clone(),
                line: fact.line,
                what: "rails routes drawn from another file".to_owned(),
                count: None,
            }),
            "devise_for" => found.hidden.push(Hidden {
                path: self.code.source(at).path.clone(),
                line: fact.line,
                what: "rails routes made by devise_for".to_owned(),
                count: None,
            }),
            // `constraints`, `authenticate`, `defaults`, `with_options`.
            _ => self.block(at, scope, depth + 1, found),
        }
    }

    /// The scope of a block inside of a resource: below one of its members.
    fn inside(&self, scope: &Scope) -> Scope {
        let mut inner = scope.clone();
        if let Some(resource) = inner.resource.take() {
            inner.path = match inner.on {
                Some(On::Collection) => resource.collection,
                Some(On::Member) => resource.member,
                None => resource.nested,
            };
        }
        inner.on = None;
        inner
    }

    fn names(&self, at: At) -> Vec<String> {
        let arguments = &self.code.fact(at).arguments;
        let plain = arguments.iter().filter(|value| matches!(value, Value::Text(_)));
        plain.flat_map(words).collect()
    }

    fn resources(&self, at: At, scope: &Scope, many: bool, depth: u32, found: &mut EntryPoints) {
        let fact = self.code.fact(at);
        let option = |key: &str| keyword(&fact.arguments, key).map(words);
        let text = |key: &str| option(key).and_then(|words| words.first().cloned());
        let outer = self.inside(scope);
        for name in self.names(at) {
            let collection = join_path(&outer.path, &text("path").unwrap_or_else(|| name.clone()));
            let parameter = text("param").unwrap_or_else(|| "id".to_owned());
            let member = if many {
                format!("{collection}/:{parameter}")
            } else {
                collection.clone()
            };
            let nested = match many {
                true => format!("{collection}/:{}_{parameter}", singular(&name)),
                false => collection.clone(),
            };
            let controller =
                text("controller").unwrap_or_else(|| if many { name.clone() } else { plural(&name) });
            let module = text("module")
                .map(|module| format!("{}::", camel(&module)))
                .unwrap_or_default();
            let mut inner = outer.clone();
            inner.module.push_str(&module);
            let (only, except) = (option("only"), option("except").unwrap_or_default());
            for (action, method, of_member, rest) in if many { MANY } else { ONE } {
                let is_page = matches!(*action, "new" | "edit");
                let is_hidden = only.is_none() && is_page && self.api_only;
                if is_hidden || !is_offered(action, only.as_deref(), &except) {
                    continue;
                }
                let path = join_path(if *of_member { &member } else { &collection }, rest);
                self.tell(at, method, &path, &inner.module, &controller, action, found);
            }
            inner.resource = Some(Resource {
                collection,
                member,
                nested,
                controller: controller.clone(),
            });
            inner.controller = Some(controller);
            self.block(at, &inner, depth + 1, found);
            for concern in option("concerns").unwrap_or_default() {
                self.concern(at, &concern, &inner, depth, found);
            }
        }
    }

    fn concern(&self, at: At, name: &str, scope: &Scope, depth: u32, found: &mut EntryPoints) {
        let calls = self.code.calls_named("concern").iter();
        let mut own =
            calls.filter(|call| call.file == at.file && self.names(**call).iter().any(|known| known == name));
        if let Some(call) = own.next() {
            self.block(*call, scope, depth + 1, found);
        }
    }

    fn route(&self, at: At, scope: &Scope, found: &mut EntryPoints) {
        let fact = self.code.fact(at);
        let option = |key: &str| keyword(&fact.arguments, key);
        // `get 'a' => 'b#c'` says path and action in one pair.
        let pair = fact.arguments.iter().find_map(|value| match value {
            Value::Pair(path, action)
                if matches!(**action, Value::Text(ref to) if to.contains('#')) && path.as_str() != "to" =>
            {
                Some((path.clone(), words(action)))
            }
            _ => None,
        });
        let mut paths = self.names(at);
        let mut to = option("to").map(words).and_then(|words| words.first().cloned());
        if let Some((path, action)) = pair {
            paths.push(path);
            to = action.first().cloned().or(to);
        }
        if fact.name == "root" {
            to = to.or_else(|| paths.first().cloned());
            paths = vec![String::new()];
        }
        let on = option("on")
            .map(words)
            .and_then(|words| match words.first().map(String::as_str) {
                Some("member") => Some(On::Member),
                Some("collection") => Some(On::Collection),
                _ => None,
            });
        let base = match (&scope.resource, on.or(scope.on)) {
            (Some(resource), Some(On::Member)) => resource.member.clone(),
            (Some(resource), Some(On::Collection)) => resource.collection.clone(),
            (Some(resource), None) => resource.nested.clone(),
            (None, _) => scope.path.clone(),
        };
        let methods: Vec<String> = match fact.name.as_str() {
            "root" => vec!["GET".to_owned()],
            "match" => {
                let via = option("via").map(words).unwrap_or_default();
                let via = via.iter().map(|word| word.to_uppercase());
                via.map(|word| if word == "ALL" { "ANY".to_owned() } else { word })
                    .collect()
            }
            verb => vec![verb.to_uppercase()],
        };
        // `to: redirect("/x")` has no controller.
        let leads_away = matches!(option("to"), Some(Value::Fact(_)));
        for path in &paths {
            let (controller, action) = match to.as_deref().and_then(|to| to.split_once('#')) {
                Some((controller, action)) => (controller.to_owned(), action.to_owned()),
                None => {
                    let action = option("action")
                        .map(words)
                        .and_then(|words| words.first().cloned());
                    let own = option("controller")
                        .map(words)
                        .and_then(|words| words.first().cloned());
                    let around = scope
                        .resource
                        .as_ref()
                        .map(|resource| resource.controller.clone());
                    let split = path.trim_matches('/').split_once('/');
                    let by_path = split.map(|(controller, _)| controller.to_owned());
                    let controller = own.or(around).or_else(|| scope.controller.clone()).or(by_path);
                    let last = path.rsplit('/').next().unwrap_or(path);
                    (
                        controller.unwrap_or_default(),
                        action.unwrap_or_else(|| last.to_owned()),
                    )
                }
            };
            let (controller, action) = match leads_away {
                true => (String::new(), "redirect".to_owned()),
                false => (controller, action),
            };
            for method in &methods {
                self.tell(
                    at,
                    method,
                    &join_path(&base, path),
                    &scope.module,
                    &controller,
                    &action,
                    found,
                );
            }
        }
    }

    /// An engine or a Rack application below a path.
    fn mount(&self, at: At, scope: &Scope, found: &mut EntryPoints) {
        let fact = self.code.fact(at);
        let path = fact.arguments.iter().find_map(|value| match value {
            Value::Pair(key, value) if key == "at" => words(value).first().cloned(),
            Value::Pair(_, value) => words(value).first().cloned().filter(|path| path.starts_with('/')),
            _ => None,
        });
        if let Some(path) = path {
            found.hidden.push(Hidden {
                path: self.code.source(at).path.clone(),
                line: fact.line,
                what: format!("rails application mounted at {}", join(&scope.path, &path)),
                count: None,
            });
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "each is one thing that a route is made of"
    )]
    fn tell(
        &self,
        at: At,
        method: &str,
        path: &str,
        module: &str,
        controller: &str,
        action: &str,
        found: &mut EntryPoints,
    ) {
        let mut one = entry(self.code, at, EntryKind::Api, "rails");
        one.method = method.to_owned();
        one.route = join("", path);
        let class = format!(
            "{}Controller",
            camel(controller.rsplit('/').next().unwrap_or(controller))
        );
        one.name = match controller.is_empty() {
            true => action.to_owned(),
            false => format!("{controller}#{action}"),
        };
        let handler = member(self.code, &class, action).or_else(|| {
            let whole = format!("{module}{class}");
            member(self.code, &whole, action)
        });
        one.handler = handler.and_then(|at| handler_of(self.code, at));
        found.list.push(one);
    }
}

fn join_path(before: &str, after: &str) -> String {
    match (before.is_empty(), after.trim_matches('/').is_empty()) {
        (_, true) => before.to_owned(),
        (true, _) => after.trim_matches('/').to_owned(),
        _ => format!("{}/{}", before.trim_end_matches('/'), after.trim_matches('/')),
    }
}

/// `admin_users` → `AdminUsers`.
fn camel(name: &str) -> String {
    let part = |part: &str| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().collect::<String>() + letters.as_str()
        })
    };
    let words = name
        .split('/')
        .map(|path| path.split('_').map(part).collect::<String>());
    words.collect::<Vec<_>>().join("::")
}

pub(super) fn singular(name: &str) -> String {
    if let Some(stem) = name.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let es = ["sses", "shes", "ches", "xes"]
        .iter()
        .any(|ending| name.ends_with(ending));
    match (es, name.strip_suffix('s')) {
        (true, _) => name[..name.len() - 2].to_owned(),
        (false, Some(stem)) if !name.ends_with("ss") => stem.to_owned(),
        _ => name.to_owned(),
    }
}

fn plural(name: &str) -> String {
    match name.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if name.ends_with('s') => name.to_owned(),
        _ => format!("{name}s"),
    }
}
