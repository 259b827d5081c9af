//! Phoenix: routers with their scopes, resources, and the loops over words that write routes several times.

use std::collections::BTreeMap;

use kitbag_types::{FactKind, Value};

use super::handlers::{handler_of, member};
use super::rails::{Action, is_offered, singular};
use super::{EntryKind, EntryPoints, entry, join};
use crate::code::{At, Code, keyword, last_name, positional, words};

const MAX_DEPTH: u32 = 20;
/// Rounds of loops in one router.
const MAX_ROUNDS: usize = 500;

const ACTIONS: &[Action] = &[
    ("index", "GET", false, ""),
    ("edit", "GET", true, "edit"),
    ("new", "GET", false, "new"),
    ("show", "GET", true, ""),
    ("create", "POST", false, ""),
    ("update", "PATCH", true, ""),
    ("update", "PUT", true, ""),
    ("delete", "DELETE", true, ""),
];

#[derive(Clone, Default)]
struct Scope {
    path: String,
    guards: Vec<String>,
    /// Variables of the loops around.
    words: BTreeMap<String, String>,
}

pub(super) fn find(code: &Code<'_>, found: &mut EntryPoints) {
    for module in code.all(FactKind::Type) {
        let source = code.source(module);
        if source.language != "elixir" || source.is_test {
            continue;
        }
        let is_router = |at: &At| {
            let fact = code.fact(*at);
            let said = |value: &Value| matches!(value, Value::Text(word) if word == "router");
            let named = |value: &Value| matches!(value, Value::Name(name) if name == "Phoenix.Router");
            fact.kind == FactKind::Call
                && fact.name == "use"
                && fact.arguments.iter().any(|value| said(value) || named(value))
        };
        let body = body_of(code, module);
        if body.iter().any(is_router) {
            let walker = Walker { code };
            walker.all(&body, &Scope::default(), 0, found);
        }
    }
}

/// What stands in the block of a call or module.
fn body_of(code: &Code<'_>, at: At) -> Vec<At> {
    let mut found = Vec::new();
    for child in code.children(at.file, Some(at.fact)) {
        if code.fact(child).kind == FactKind::Block {
            found.extend(code.children(at.file, Some(child.fact)));
        } else {
            found.push(child);
        }
    }
    found
}

struct Walker<'w, 'c> {
    code: &'w Code<'c>,
}

impl Walker<'_, '_> {
    fn all(&self, body: &[At], scope: &Scope, depth: u32, found: &mut EntryPoints) {
        if depth > MAX_DEPTH {
            return;
        }
        let mut scope = scope.clone();
        for at in body {
            let fact = self.code.fact(*at);
            if fact.kind != FactKind::Call || fact.receiver.is_some() {
                continue;
            }
            if fact.name == "pipe_through" {
                scope.guards.extend(fact.arguments.iter().flat_map(words));
                continue;
            }
            self.call(*at, &scope, depth, found);
        }
    }

    fn text(&self, at: At, value: &Value, scope: &Scope) -> Option<String> {
        match value {
            Value::Name(name) => scope
                .words
                .get(name)
                .cloned()
                .or_else(|| self.code.text(at, value)),
            Value::Joined(parts) => parts.iter().map(|part| self.text(at, part, scope)).collect(),
            value => self.code.text(at, value),
        }
    }

    fn call(&self, at: At, scope: &Scope, depth: u32, found: &mut EntryPoints) {
        let fact = self.code.fact(at);
        let first = positional(&fact.arguments, 0);
        let path = first.and_then(|value| self.text(at, value, scope));
        match fact.name.as_str() {
            "scope" => {
                let said = keyword(&fact.arguments, "path").and_then(|value| self.text(at, value, scope));
                let mut inner = scope.clone();
                let own = path
                    .filter(|_| !matches!(first, Some(Value::Name(_))))
                    .or(said)
                    .unwrap_or_default();
                inner.path = join(&scope.path, &own);
                self.all(&body_of(self.code, at), &inner, depth + 1, found);
            }
            "resources" => self.resources(at, scope, depth, found),
            "for" => self.rounds(at, scope, depth, found),
            "live" => self.route(at, "GET", path, scope, found),
            "get" | "post" | "put" | "patch" | "delete" | "options" | "head" | "connect" | "trace" => {
                self.route(at, &fact.name.to_uppercase(), path, scope, found);
            }
            "match" => {
                let method = path.map(|word| word.to_uppercase()).filter(|word| word != "*");
                let path = positional(&fact.arguments, 1).and_then(|value| self.text(at, value, scope));
                self.route(at, method.as_deref().unwrap_or("ANY"), path, scope, found);
            }
            "forward" => self.route(at, "ANY", path.map(|path| join(&path, "*")), scope, found),
            "pipeline" | "plug" | "def" | "defp" => {}
            // `live_session`, `if Mix.env() == :dev do`.
            _ => self.all(&body_of(self.code, at), scope, depth + 1, found),
        }
    }

    /// `for word <- ~w(a b) do`.
    fn rounds(&self, at: At, scope: &Scope, depth: u32, found: &mut EntryPoints) {
        let children: Vec<At> = self.code.children(at.file, Some(at.fact)).collect();
        let bind = children
            .iter()
            .find(|child| self.code.fact(**child).kind == FactKind::Bind);
        let Some(bind) = bind.map(|bind| self.code.fact(*bind)) else {
            return;
        };
        let Some(Value::List(items)) = bind.arguments.first() else {
            return;
        };
        let body: Vec<At> = body_of(self.code, at)
            .into_iter()
            .filter(|child| self.code.fact(*child).kind == FactKind::Call)
            .collect();
        for word in items.iter().flat_map(words).take(MAX_ROUNDS) {
            let mut inner = scope.clone();
            inner.words.insert(bind.name.clone(), word);
            self.all(&body, &inner, depth + 1, found);
        }
    }

    fn resources(&self, at: At, scope: &Scope, depth: u32, found: &mut EntryPoints) {
        let fact = self.code.fact(at);
        let Some(path) = positional(&fact.arguments, 0).and_then(|value| self.text(at, value, scope)) else {
            return;
        };
        let controller = positional(&fact.arguments, 1)
            .map(words)
            .and_then(|words| words.first().cloned());
        let controller = controller.unwrap_or_default();
        let option = |key: &str| keyword(&fact.arguments, key);
        let is_one = matches!(option("singleton"), Some(Value::Name(word)) if word == "true");
        let parameter = option("param")
            .and_then(|value| self.text(at, value, scope))
            .unwrap_or_else(|| "id".to_owned());
        let (only, except) = (
            option("only").map(words),
            option("except").map(words).unwrap_or_default(),
        );
        let whole = join(&scope.path, &path);
        let member_path = if is_one {
            whole.clone()
        } else {
            join(&whole, &format!(":{parameter}"))
        };
        for (action, method, of_member, rest) in ACTIONS {
            let is_wanted = is_offered(action, only.as_deref(), &except);
            if !is_wanted || is_one && *action == "index" {
                continue;
            }
            let base = if *of_member { &member_path } else { &whole };
            self.tell(at, method, join(base, rest), &controller, action, scope, found);
        }
        let mut inner = scope.clone();
        let name = controller
            .strip_suffix("Controller")
            .unwrap_or(&controller)
            .to_lowercase();
        inner.path = match is_one {
            true => whole,
            false => join(&whole, &format!(":{}_{parameter}", singular(&name))),
        };
        let body: Vec<At> = body_of(self.code, at);
        self.all(&body, &inner, depth + 1, found);
    }

    fn route(&self, at: At, method: &str, path: Option<String>, scope: &Scope, found: &mut EntryPoints) {
        let Some(path) = path else { return };
        let arguments = &self.code.fact(at).arguments;
        let first = usize::from(self.code.fact(at).name == "match");
        let controller = positional(arguments, first + 1)
            .map(words)
            .and_then(|words| words.first().cloned());
        let action = positional(arguments, first + 2)
            .map(words)
            .and_then(|words| words.first().cloned());
        let route = join(&scope.path, &path);
        let controller = controller.unwrap_or_default();
        self.tell(
            at,
            method,
            route,
            &controller,
            &action.unwrap_or_default(),
            scope,
            found,
        );
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "each is one thing that a route is made of"
    )]
    fn tell(
        &self,
        at: At,
        method: &str,
        route: String,
        controller: &str,
        action: &str,
        scope: &Scope,
        found: &mut EntryPoints,
    ) {
        let mut one = entry(self.code, at, EntryKind::Api, "phoenix");
        one.method = method.to_owned();
        one.route = route;
        let class = last_name(controller);
        one.handler = member(self.code, class, action).and_then(|at| handler_of(self.code, at));
        one.name = if action.is_empty() {
            class.to_owned()
        } else {
            format!("{class}.{action}")
        };
        one.guards = scope.guards.clone();
        found.list.push(one);
    }
}
