//! Laravel: chains on the `Route` facade, with groups around them, resources, and the prefix that a routes file is loaded with.

use kitbag_types::{FactKind, Value};

use super::handlers::{definition, handler_of, member};
use super::rails::singular;
use super::{EntryKind, EntryPoints, entry, join};
use crate::code::{At, Code, folder_of, keyword, last_name, positional, words};

/// Action, method, whether it is about one member, what comes after, whether it is a page.
const ACTIONS: &[(&str, &str, bool, &str, bool)] = &[
    ("index", "GET", false, "", false),
    ("create", "GET", false, "create", true),
    ("store", "POST", false, "", false),
    ("show", "GET", true, "", false),
    ("edit", "GET", true, "edit", true),
    ("update", "PUT", true, "", false),
    ("update", "PATCH", true, "", false),
    ("destroy", "DELETE", true, "", false),
];

pub(super) fn find(code: &Code<'_>, found: &mut EntryPoints) {
    for (name, method) in [
        ("get", "GET"),
        ("post", "POST"),
        ("put", "PUT"),
        ("patch", "PATCH"),
        ("delete", "DELETE"),
        ("options", "OPTIONS"),
        ("any", "ANY"),
        ("view", "GET"),
        ("redirect", "ANY"),
        ("permanentRedirect", "ANY"),
        ("match", ""),
        ("livewire", "GET"),
    ] {
        for at in code.calls_named(name) {
            if let Some(chain) = Chain::of(code, *at) {
                chain.route(method, found);
            }
        }
    }
    for (name, is_api, is_one) in [
        ("resource", false, false),
        ("apiResource", true, false),
        ("singleton", false, true),
        ("apiSingleton", true, true),
    ] {
        for at in code.calls_named(name) {
            if let Some(chain) = Chain::of(code, *at) {
                let arguments = &code.fact(*at).arguments;
                if let Some(path) = positional(arguments, 0).and_then(|value| code.text(*at, value)) {
                    chain.resource(&path, positional(arguments, 1), is_api, is_one, found);
                }
            }
        }
    }
    for (name, is_api) in [("resources", false), ("apiResources", true)] {
        for at in code.calls_named(name) {
            let Some(chain) = Chain::of(code, *at) else {
                continue;
            };
            if let Some(Value::List(items)) = code.fact(*at).arguments.first() {
                for item in items {
                    if let Value::Pair(path, controller) = item {
                        chain.resource(path, Some(controller), is_api, false, found);
                    }
                }
            }
        }
    }
}

/// A chain of calls on the facade: the call that says the route, and those before and after it.
struct Chain<'k, 'c> {
    code: &'k Code<'c>,
    at: At,
    before: Vec<At>,
    after: Vec<At>,
}

impl<'k, 'c> Chain<'k, 'c> {
    fn of(code: &'k Code<'c>, at: At) -> Option<Self> {
        let source = code.source(at);
        if source.language != "php" || source.is_test {
            return None;
        }
        let before = calls_before(code, at);
        let root = before.last().copied().unwrap_or(at);
        let is_facade = |name: &str| {
            matches!(
                name,
                "Route" | "\\Route" | "\\Illuminate\\Support\\Facades\\Route" | "Volt"
            )
        };
        let is_route = matches!(&code.fact(root).receiver, Some(Value::Name(name)) if is_facade(name));
        if !is_route {
            return None;
        }
        let mut after = Vec::new();
        let mut last = at;
        loop {
            let outer = source.facts[..last.fact].iter().rposition(|fact| {
                fact.kind == FactKind::Call && fact.receiver == Some(Value::Fact(last.fact as u32))
            });
            let Some(outer) = outer.filter(|_| after.len() < 30) else {
                break;
            };
            last = At {
                file: at.file,
                fact: outer,
            };
            after.push(last);
        }
        Some(Self {
            code,
            at,
            before,
            after,
        })
    }

    fn text(&self, at: At, value: Option<&Value>) -> Option<String> {
        self.code.text(at, value?)
    }

    /// Prefix, controller and middleware of the groups around.
    fn around(&self) -> (String, Option<String>, Vec<String>) {
        let mut prefixes = Vec::new();
        let mut controller = None;
        let mut guards = Vec::new();
        let mut add = |calls: &[At], group: Option<At>| {
            let mut own = Vec::new();
            for at in calls {
                let fact = self.code.fact(*at);
                let said = positional(&fact.arguments, 0);
                match fact.name.as_str() {
                    "prefix" => own.extend(self.text(*at, said)),
                    "controller" => {
                        controller = controller.take().or_else(|| {
                            said.and_then(|value| words(value).first().cloned())
                                .map(|_| class_of(said))
                        })
                    }
                    "middleware" => guards.extend(fact.arguments.iter().flat_map(words)),
                    _ => {}
                }
            }
            if let Some(group) = group
                && let Some(options) = positional(&self.code.fact(group).arguments, 0)
                && let Value::List(items) = options
            {
                own.extend(keyword(items, "prefix").and_then(|value| self.code.text(group, value)));
                guards.extend(keyword(items, "middleware").map(words).unwrap_or_default());
            }
            prefixes.extend(own);
        };
        add(&self.before, None);
        add(&self.after, None);
        for holder in self.code.ancestors(self.at) {
            let fact = self.code.fact(holder);
            if fact.kind == FactKind::Call && fact.name == "group" {
                add(&calls_before(self.code, holder), Some(holder));
            }
        }
        prefixes.push(file_prefix(self.code, self.at));
        prefixes.reverse();
        let whole = prefixes
            .iter()
            .fold(String::new(), |whole, prefix| join(&whole, prefix));
        guards.reverse();
        (whole, controller, guards)
    }

    fn route(&self, method: &str, found: &mut EntryPoints) {
        let fact = self.code.fact(self.at);
        let (methods, first) = match method {
            "" => (positional(&fact.arguments, 0).map(words).unwrap_or_default(), 1),
            method => (vec![method.to_owned()], 0),
        };
        let Some(path) = self.text(self.at, positional(&fact.arguments, first)) else {
            return;
        };
        let (prefix, controller, guards) = self.around();
        let action = positional(&fact.arguments, first + 1);
        let (handler, name) = self.handler(action, controller.as_deref());
        for method in methods {
            let mut one = entry(self.code, self.at, EntryKind::Api, "laravel");
            one.method = method.to_uppercase();
            one.route = join(&prefix, &path);
            one.handler = handler.and_then(|at| handler_of(self.code, at));
            one.name = name.clone();
            one.guards = guards.clone();
            found.list.push(one);
        }
    }

    fn handler(&self, action: Option<&Value>, controller: Option<&str>) -> (Option<At>, String) {
        match action {
            Some(Value::Text(text)) => {
                let (class, method) = match (text.split_once('@'), controller) {
                    (Some((class, method)), _) => (last_name(class), method),
                    (None, Some(class)) => (class, text.as_str()),
                    _ => (text.as_str(), "__invoke"),
                };
                (member(self.code, class, method), format!("{class}.{method}"))
            }
            Some(value @ Value::Name(_)) => {
                let class = class_of(Some(value));
                (member(self.code, &class, "__invoke"), class)
            }
            Some(value) => {
                let at = definition(self.code, self.at, value);
                let name = match value {
                    Value::List(items) => {
                        let method = items.get(1).map(words).unwrap_or_default();
                        format!(
                            "{}.{}",
                            class_of(items.first()),
                            method.first().map_or("", String::as_str)
                        )
                    }
                    _ => String::new(),
                };
                (at, name)
            }
            None => (None, String::new()),
        }
    }

    fn resource(
        &self,
        path: &str,
        controller: Option<&Value>,
        is_api: bool,
        is_one: bool,
        found: &mut EntryPoints,
    ) {
        let (prefix, _, guards) = self.around();
        let class = class_of(controller);
        let said = |name: &str| -> Option<Vec<String>> {
            let call = self.after.iter().find(|at| self.code.fact(**at).name == name)?;
            Some(self.code.fact(*call).arguments.iter().flat_map(words).collect())
        };
        let option = |name: &str| -> Option<Vec<String>> {
            let options = self
                .code
                .fact(self.at)
                .arguments
                .get(2)
                .map(std::slice::from_ref)?;
            keyword(options, name).map(words)
        };
        let only = said("only").or_else(|| option("only"));
        let except = said("except").or_else(|| option("except")).unwrap_or_default();
        // `photos.comments` is nested.
        let mut whole = String::new();
        let parts: Vec<&str> = path.trim_matches('/').split('.').collect();
        for (at, part) in parts.iter().enumerate() {
            whole = join(&whole, part);
            if at + 1 < parts.len() {
                whole = format!("{whole}/{{{}}}", parameter(part));
            }
        }
        let is_shallow = self.after.iter().any(|at| self.code.fact(*at).name == "shallow");
        let last = parts.last().copied().unwrap_or(path);
        for (action, method, of_member, rest, is_page) in ACTIONS {
            let by_default = match is_one {
                true => matches!(*action, "show" | "edit" | "update"),
                false => true,
            };
            let wanted = match &only {
                Some(only) => only.iter().any(|word| word == action),
                None => by_default && !except.iter().any(|word| word == action) && !(is_api && *is_page),
            };
            if !wanted {
                continue;
            }
            let mut own = match (*of_member && !is_one, is_shallow) {
                (true, true) => format!("/{last}/{{{}}}", parameter(last)),
                (true, false) => format!("{whole}/{{{}}}", parameter(last)),
                (false, _) => whole.clone(),
            };
            if !rest.is_empty() {
                own = format!("{own}/{rest}");
            }
            let mut one = entry(self.code, self.at, EntryKind::Api, "laravel");
            one.method = (*method).to_owned();
            one.route = join(&prefix, &own);
            one.handler = member(self.code, &class, action).and_then(|at| handler_of(self.code, at));
            one.name = format!("{class}.{action}");
            one.guards = guards.clone();
            found.list.push(one);
        }
    }
}

fn parameter(name: &str) -> String {
    singular(name.rsplit('/').next().unwrap_or(name)).replace('-', "_")
}

/// `UsersController::class`, `'UsersController'` → `UsersController`.
fn class_of(value: Option<&Value>) -> String {
    match value {
        Some(Value::Name(name)) => last_name(name.trim_end_matches("::class")).to_owned(),
        Some(Value::Text(name)) => last_name(name).to_owned(),
        _ => String::new(),
    }
}

/// The calls that a call is chained to, the nearest first.
fn calls_before(code: &Code<'_>, at: At) -> Vec<At> {
    let mut found = Vec::new();
    let mut last = at;
    while let Some(Value::Fact(inner)) = code.fact(last).receiver {
        last = At {
            file: at.file,
            fact: inner as usize,
        };
        found.push(last);
        if found.len() > 30 {
            break;
        }
    }
    found
}

/// The prefix with which a routes file is loaded: `group(base_path('routes/api.php'))`, `withRouting(api: …)`, or by its name.
fn file_prefix(code: &Code<'_>, at: At) -> String {
    let path = code.source(at).path.as_str();
    let name = path.rsplit('/').next().unwrap_or(path);
    let folder = folder_of(path);
    if folder.rsplit('/').next() != Some("routes") {
        return String::new();
    }
    let ending = format!("routes/{name}");
    for call in code.calls_named("group") {
        if code.source(*call).language != "php" {
            continue;
        }
        let fact = code.fact(*call);
        let loads = fact
            .arguments
            .iter()
            .any(|value| names_file(code, *call, value, &ending));
        if loads {
            let mut prefixes: Vec<String> = calls_before(code, *call)
                .iter()
                .filter(|at| code.fact(**at).name == "prefix")
                .filter_map(|at| code.text(*at, code.fact(*at).arguments.first()?))
                .collect();
            prefixes.reverse();
            return prefixes.join("/");
        }
    }
    for call in code.calls_named("withRouting") {
        let arguments = &code.fact(*call).arguments;
        let is_api = keyword(arguments, "api").is_some_and(|value| names_file(code, *call, value, &ending));
        if is_api {
            let said = keyword(arguments, "apiPrefix").and_then(|value| code.text(*call, value));
            return said.unwrap_or_else(|| "api".to_owned());
        }
    }
    match name {
        "api.php" => "api".to_owned(),
        _ => String::new(),
    }
}

fn names_file(code: &Code<'_>, at: At, value: &Value, ending: &str) -> bool {
    match value {
        Value::Text(text) => text.ends_with(ending),
        Value::Joined(parts) | Value::List(parts) => {
            parts.iter().any(|part| names_file(code, at, part, ending))
        }
        Value::Fact(call) => {
            let call = &code.files[at.file].facts[*call as usize];
            call.kind == FactKind::Call
                && call
                    .arguments
                    .iter()
                    .any(|part| names_file(code, at, part, ending))
        }
        _ => false,
    }
}
