//! Routes that are annotations of methods, below a path on their class: Spring, JAX-RS, Micronaut, NestJS, ASP.NET controllers, Symfony,
//! Litestar. One row per framework; class-level paths alone are not routes, and clients that look like controllers are told apart.

use kitbag_types::{Fact, FactKind, Value};

use super::handlers::{handler_of, name_of};
use super::routes::method_word;
use super::{EntryKind, EntryPoints, entry, join};
use crate::code::{At, Code, keyword, last_name, positional, words};

struct Controllers {
    framework: &'static str,
    languages: &'static [&'static str],
    /// Annotations, or names that types inherit from, one of which makes a class a controller. Empty: any class.
    classes: &'static [&'static str],
    /// Annotations that take a class out: clients.
    never: &'static [&'static str],
    /// Annotations on the class that say a path.
    prefixes: &'static [&'static str],
    /// Annotations on methods with their HTTP method; `""`: it is an argument.
    methods: &'static [(&'static str, &'static str)],
    /// Annotations on methods that only say a path, beside one that says the method.
    paths: &'static [&'static str],
    /// Annotations that are told as guards.
    guards: &'static [&'static str],
}

const JVM: &[&str] = &["java", "kotlin"];
const SCRIPTS: &[&str] = &["typescript", "javascript", "tsx"];

const CONTROLLERS: &[Controllers] = &[
    Controllers {
        framework: "spring",
        languages: JVM,
        classes: &[
            "Controller",
            "RestController",
            "RequestMapping",
            "RepositoryRestController",
            "BasePathAwareController",
        ],
        never: &["FeignClient", "HttpExchange"],
        prefixes: &["RequestMapping"],
        methods: &[
            ("GetMapping", "GET"),
            ("PostMapping", "POST"),
            ("PutMapping", "PUT"),
            ("PatchMapping", "PATCH"),
            ("DeleteMapping", "DELETE"),
            ("RequestMapping", ""),
        ],
        paths: &[],
        guards: &["PreAuthorize", "Secured", "RolesAllowed"],
    },
    Controllers {
        framework: "jax-rs",
        languages: JVM,
        classes: &["Path"],
        never: &["RegisterRestClient"],
        prefixes: &["Path"],
        methods: &[
            ("GET", "GET"),
            ("POST", "POST"),
            ("PUT", "PUT"),
            ("PATCH", "PATCH"),
            ("DELETE", "DELETE"),
            ("HEAD", "HEAD"),
            ("OPTIONS", "OPTIONS"),
        ],
        paths: &["Path"],
        guards: &["RolesAllowed", "Authenticated", "PermitAll"],
    },
    Controllers {
        framework: "micronaut",
        languages: JVM,
        classes: &["Controller"],
        never: &["Client"],
        prefixes: &["Controller"],
        methods: &[
            ("Get", "GET"),
            ("Post", "POST"),
            ("Put", "PUT"),
            ("Patch", "PATCH"),
            ("Delete", "DELETE"),
            ("Head", "HEAD"),
            ("Options", "OPTIONS"),
        ],
        paths: &[],
        guards: &["Secured"],
    },
    Controllers {
        framework: "nestjs",
        languages: SCRIPTS,
        classes: &["Controller", "ApiController", "JsonController"],
        never: &[],
        prefixes: &["Controller", "ApiController", "JsonController"],
        methods: &[
            ("Get", "GET"),
            ("Post", "POST"),
            ("Put", "PUT"),
            ("Patch", "PATCH"),
            ("Delete", "DELETE"),
            ("Head", "HEAD"),
            ("Options", "OPTIONS"),
            ("All", "ANY"),
            ("Sse", "GET"),
        ],
        paths: &[],
        guards: &["UseGuards", "Roles", "Authorized"],
    },
    Controllers {
        framework: "aspnet",
        languages: &["csharp"],
        classes: &[
            "ApiController",
            "Controller",
            "ControllerBase",
            "Route",
            "ODataController",
        ],
        never: &[],
        prefixes: &["Route", "RoutePrefix"],
        methods: &[
            ("HttpGet", "GET"),
            ("HttpPost", "POST"),
            ("HttpPut", "PUT"),
            ("HttpPatch", "PATCH"),
            ("HttpDelete", "DELETE"),
            ("HttpHead", "HEAD"),
            ("HttpOptions", "OPTIONS"),
            ("AcceptVerbs", ""),
        ],
        paths: &["Route"],
        guards: &["Authorize"],
    },
    Controllers {
        framework: "symfony",
        languages: &["php"],
        classes: &[],
        never: &[],
        prefixes: &["Route"],
        methods: &[("Route", "")],
        paths: &[],
        guards: &["IsGranted", "Security"],
    },
    Controllers {
        framework: "litestar",
        languages: &["python"],
        classes: &["Controller"],
        never: &[],
        prefixes: &[],
        methods: &[
            ("get", "GET"),
            ("post", "POST"),
            ("put", "PUT"),
            ("patch", "PATCH"),
            ("delete", "DELETE"),
        ],
        paths: &[],
        guards: &[],
    },
];

pub(super) fn find(code: &Code<'_>, found: &mut EntryPoints) {
    for row in CONTROLLERS {
        let global = global_prefix(code, row);
        for class in code.all(FactKind::Type) {
            let source = code.source(class);
            if source.is_test || !row.languages.contains(&source.language.as_str()) {
                continue;
            }
            if is_controller(code, class, row) {
                read_class(code, class, row, &global, found);
            }
        }
    }
}

/// `app.setGlobalPrefix('api')`, `server.servlet.context-path` is configuration and not read.
fn global_prefix(code: &Code<'_>, row: &Controllers) -> String {
    if row.framework != "nestjs" {
        return String::new();
    }
    let calls = code.calls_named("setGlobalPrefix").iter();
    let mut said = calls
        .filter(|at| !code.source(**at).is_test)
        .filter_map(|at| code.text(*at, code.fact(*at).arguments.first()?));
    said.next().unwrap_or_default()
}

fn mark_name(fact: &Fact) -> &str {
    let name = last_name(&fact.name);
    name.strip_suffix("Attribute").unwrap_or(name)
}

fn is_controller(code: &Code<'_>, class: At, row: &Controllers) -> bool {
    let marks: Vec<&str> = code.marks(class).map(|at| mark_name(code.fact(at))).collect();
    if marks.iter().any(|mark| row.never.contains(mark)) {
        return false;
    }
    if row.classes.is_empty() || marks.iter().any(|mark| row.classes.contains(mark)) {
        // Spring and Micronaut share a name; the file says which it is.
        return match row.framework {
            "spring" => !imports(code, class, "io.micronaut"),
            "micronaut" => imports(code, class, "io.micronaut"),
            _ => true,
        };
    }
    let bases = &code.fact(class).arguments;
    let inherits = bases.iter().any(|base| match base {
        Value::Name(name) => {
            let name = last_name(name.split(['<', '(', '[']).next().unwrap_or(name));
            matches!(row.framework, "aspnet" | "litestar")
                && (row.classes.contains(&name)
                    || name.ends_with("Controller")
                    || name.ends_with("ControllerBase"))
        }
        _ => false,
    });
    inherits && (row.framework != "litestar" || imports(code, class, "litestar"))
}

fn imports(code: &Code<'_>, at: At, module: &str) -> bool {
    let facts = &code.source(at).facts;
    facts
        .iter()
        .any(|fact| fact.kind == FactKind::Import && fact.annotation.starts_with(module))
}

/// The paths that an annotation says; one empty path if it says none.
fn paths(code: &Code<'_>, at: At) -> Vec<String> {
    let arguments = &code.fact(at).arguments;
    let value = keyword(arguments, "value")
        .or_else(|| keyword(arguments, "path"))
        .or_else(|| keyword(arguments, "template"))
        .or_else(|| positional(arguments, 0));
    let texts = |value: &Value| match value {
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Pair(..))) => {
            keyword(items, "path")
                .and_then(|value| code.text(at, value))
                .into_iter()
                .collect()
        }
        Value::List(items) => items.iter().filter_map(|item| code.text(at, item)).collect(),
        value => code.text(at, value).into_iter().collect::<Vec<_>>(),
    };
    let mut found = value.map(texts).unwrap_or_default();
    if found.is_empty() {
        found.push(String::new());
    }
    found
}

fn read_class(code: &Code<'_>, class: At, row: &Controllers, global: &str, found: &mut EntryPoints) {
    let own: Vec<At> = code
        .marks(class)
        .filter(|at| row.prefixes.contains(&mark_name(code.fact(*at))))
        .collect();
    let mut prefixes: Vec<String> = own.iter().flat_map(|at| paths(code, *at)).collect();
    if row.framework == "litestar" {
        let field = code.children(class.file, Some(class.fact));
        let mut field =
            field.filter(|at| code.fact(*at).kind == FactKind::Bind && code.fact(*at).name == "path");
        prefixes.extend(
            field
                .next()
                .and_then(|at| code.text(at, code.fact(at).arguments.first()?)),
        );
    }
    if prefixes.is_empty() {
        prefixes.extend(inherited(code, class, row));
    }
    if prefixes.is_empty() {
        prefixes.push(String::new());
    }
    let class_guards = guards(code, class, row);
    let mut methods = code.methods_of(class);
    // A class that is called itself (Symfony).
    if row.framework == "symfony"
        && methods.iter().any(|at| code.fact(*at).name == "__invoke")
        && !own.is_empty()
    {
        for at in &own {
            tell(
                code,
                *at,
                class,
                row,
                &[String::new()],
                &class_guards,
                global,
                found,
            );
        }
        methods.clear();
    }
    for method in methods {
        for at in code.marks(method) {
            tell(code, at, method, row, &prefixes, &class_guards, global, found);
        }
    }
}

/// A class-level path of a base class.
fn inherited(code: &Code<'_>, class: At, row: &Controllers) -> Vec<String> {
    let mut at = class;
    for _ in 0..6 {
        let base = code.fact(at).arguments.iter().find_map(|base| match base {
            Value::Name(name) => {
                let name = last_name(name.split(['<', '(']).next().unwrap_or(name));
                match code.types_named(name) {
                    [only] => Some(*only),
                    _ => None,
                }
            }
            _ => None,
        });
        let Some(base) = base.filter(|base| *base != at) else {
            break;
        };
        let marks = code
            .marks(base)
            .filter(|mark| row.prefixes.contains(&mark_name(code.fact(*mark))));
        let found: Vec<String> = marks.flat_map(|mark| paths(code, mark)).collect();
        if !found.is_empty() {
            return found;
        }
        at = base;
    }
    Vec::new()
}

fn guards(code: &Code<'_>, at: At, row: &Controllers) -> Vec<String> {
    let marks = code
        .marks(at)
        .filter(|mark| row.guards.contains(&mark_name(code.fact(*mark))));
    marks
        .map(|mark| {
            let fact = code.fact(mark);
            let said: Vec<String> = fact.arguments.iter().flat_map(words).take(4).collect();
            match said.is_empty() {
                true => mark_name(fact).to_owned(),
                false => format!("{}({})", mark_name(fact), said.join(", ")),
            }
        })
        .collect()
}

#[expect(
    clippy::too_many_arguments,
    reason = "each is one thing that a route is made of"
)]
fn tell(
    code: &Code<'_>,
    at: At,
    target: At,
    row: &Controllers,
    prefixes: &[String],
    class_guards: &[String],
    global: &str,
    found: &mut EntryPoints,
) {
    let fact = code.fact(at);
    let name = mark_name(fact);
    let Some((_, method)) = row.methods.iter().find(|(known, _)| *known == name) else {
        return;
    };
    let methods: Vec<String> = match *method {
        "" => {
            let said = keyword(&fact.arguments, "method").or_else(|| keyword(&fact.arguments, "methods"));
            let said = said.or_else(|| (name == "AcceptVerbs").then(|| fact.arguments.first()).flatten());
            let said: Vec<String> = said.map(words).unwrap_or_default();
            match said.is_empty() {
                true => vec!["ANY".to_owned()],
                false => said.iter().map(|word| method_word(word)).collect(),
            }
        }
        method => vec![method.to_owned()],
    };
    let mut own = paths(code, at);
    if own.iter().all(String::is_empty) {
        let marks = code.marks(target).filter(|mark| *mark != at);
        let others = marks.filter(|mark| row.paths.contains(&mark_name(code.fact(*mark))));
        let said: Vec<String> = others.flat_map(|mark| paths(code, mark)).collect();
        if !said.is_empty() {
            own = said;
        }
    }
    let handler = handler_of(code, target);
    let class = code.type_of(target).unwrap_or_default();
    let mut all = class_guards.to_vec();
    all.extend(guards(code, target, row));
    for prefix in prefixes {
        for path in &own {
            let mut route = match row.framework {
                // A path that starts at the root leaves the class out.
                "aspnet" if path.starts_with(['/', '~']) => join("", path.trim_start_matches('~')),
                _ => join(&join(global, prefix), path),
            };
            if row.framework == "aspnet" {
                let controller = class.strip_suffix("Controller").unwrap_or(&class);
                let action = code.fact(target).name.trim_end_matches("Async");
                route = route
                    .replace("[controller]", controller)
                    .replace("[action]", action);
            }
            for method in &methods {
                let mut one = entry(code, at, EntryKind::Api, row.framework);
                one.method = method.clone();
                one.route = route.clone();
                one.name = name_of(code, target);
                one.handler = handler.clone();
                one.guards = all.clone();
                found.list.push(one);
            }
        }
    }
}
