//! Commands of programs that are run from a shell. Decorators, builders, base classes, files of a folder, and what manifests name.

use kitbag_types::{Fact, FactKind, RepoPath, Value};

use super::handlers::{definition, handler_of};
use super::prefixes::is_module;
use super::{EntryKind, EntryPoint, EntryPoints, entry};
use crate::code::{At, Code, first_name, keyword, last_name, positional, words};

pub(super) fn is_manifest(path: &RepoPath) -> bool {
    matches!(path.file_name(), "pyproject.toml" | "setup.cfg")
}

pub(super) fn find(code: &Code<'_>, texts: &[(RepoPath, String)], found: &mut EntryPoints) {
    decorated(code, found);
    built(code, found);
    derived(code, found);
    classes(code, found);
    by_path(code, found);
    for (path, text) in texts.iter().filter(|(path, _)| is_manifest(path)) {
        scripts(code, path, text, found);
    }
}

fn imports(code: &Code<'_>, file: usize, modules: &[&str]) -> bool {
    code.files[file].facts.iter().any(|fact| match fact.kind {
        FactKind::Import => is_module(&fact.annotation, modules),
        FactKind::Call if fact.name == "require" => {
            matches!(fact.arguments.first(), Some(Value::Text(module)) if is_module(module, modules))
        }
        _ => false,
    })
}

fn text_of(code: &Code<'_>, at: At, value: Option<&Value>) -> Option<String> {
    value.and_then(|value| match value {
        Value::Text(_) | Value::Joined(_) => code.text(at, value),
        Value::Name(_) => code.text(at, value),
        _ => None,
    })
}

/// click, typer, and what Flask makes of click.
fn decorated(code: &Code<'_>, found: &mut EntryPoints) {
    for at in code.all(FactKind::Mark) {
        let fact = code.fact(at);
        let source = code.source(at);
        if source.is_test
            || source.language != "python"
            || !matches!(fact.name.as_str(), "command" | "group" | "callback")
        {
            continue;
        }
        let framework = match () {
            () if fact.name == "callback" => continue,
            () if imports(code, at.file, &["typer"]) => "typer",
            () if imports(code, at.file, &["click", "rich_click", "asyncclick"]) => "click",
            () if matches!(&fact.receiver, Some(Value::Name(name)) if name.ends_with(".cli") || name == "cli") => {
                "flask"
            }
            () if is_group(code, at) => "click",
            () => continue,
        };
        let Some(target) = code
            .parent(at)
            .filter(|target| code.fact(*target).kind == FactKind::Function)
        else {
            continue;
        };
        let said = text_of(code, at, positional(&fact.arguments, 0))
            .or_else(|| text_of(code, at, keyword(&fact.arguments, "name")));
        let own = code.fact(target).name.as_str();
        let own = own
            .strip_suffix("_command")
            .or_else(|| own.strip_suffix("_cmd"))
            .or_else(|| own.strip_suffix("_group"))
            .filter(|_| framework == "click")
            .unwrap_or(own);
        let mut one = entry(code, target, EntryKind::Cli, framework);
        one.name = said.unwrap_or_else(|| own.replace('_', "-"));
        one.line = fact.line;
        one.handler = handler_of(code, target);
        found.list.push(one);
    }
}

/// The receiver of a mark is a function that is a group itself, perhaps of another file.
fn is_group(code: &Code<'_>, at: At) -> bool {
    let Some(Value::Name(receiver)) = &code.fact(at).receiver else {
        return false;
    };
    let Some(group) = code.meaning(at, receiver) else {
        return false;
    };
    let is_group = |mark: At| matches!(code.fact(mark).name.as_str(), "group" | "command");
    code.marks(group).any(is_group)
}

/// Calls that make a command: name, language, where its name is, modules.
struct Built {
    framework: &'static str,
    languages: &'static [&'static str],
    names: &'static [&'static str],
    /// The receiver's last name; empty: any or none.
    receivers: &'static [&'static str],
    /// Named argument with the name of the command; empty: the first argument.
    key: &'static str,
    modules: &'static [&'static str],
}

#[rustfmt::skip]
const BUILT: &[Built] = &[
    Built { framework: "argparse", languages: &["python"], names: &["add_parser"], receivers: &[], key: "", modules: &["argparse"] },
    Built { framework: "clap", languages: &["rust"], names: &["new", "with_name"], receivers: &["Command", "SubCommand", "App"], key: "", modules: &["clap"] },
    Built { framework: "cobra", languages: &["go"], names: &["cobra.Command"], receivers: &[], key: "Use", modules: &["github.com/spf13/cobra"] },
    Built { framework: "urfave/cli", languages: &["go"], names: &["cli.Command"], receivers: &[], key: "Name", modules: &["github.com/urfave/cli"] },
    Built { framework: "commander", languages: &["javascript", "typescript", "tsx"], names: &["command"], receivers: &[], key: "", modules: &["commander", "@commander-js", "cac"] },
    Built { framework: "commander", languages: &["javascript", "typescript", "tsx"], names: &["Command", "createCommand"], receivers: &[], key: "", modules: &["commander", "@commander-js"] },
    Built { framework: "yargs", languages: &["javascript", "typescript", "tsx"], names: &["command"], receivers: &[], key: "", modules: &["yargs"] },
    Built { framework: "system.commandline", languages: &["csharp"], names: &["Command"], receivers: &[], key: "", modules: &["System.CommandLine"] },
];

fn built(code: &Code<'_>, found: &mut EntryPoints) {
    for row in BUILT {
        for name in row.names {
            for at in code.calls_named(name) {
                let source = code.source(*at);
                let fact = code.fact(*at);
                if source.is_test || !row.languages.contains(&source.language.as_str()) {
                    continue;
                }
                let before = match &fact.receiver {
                    Some(Value::Name(name)) => last_name(name),
                    _ => "",
                };
                let fits = row.receivers.is_empty() || row.receivers.contains(&before);
                if !fits || !imports(code, at.file, row.modules) && !uses_path(code, at.file, row.modules) {
                    continue;
                }
                built_one(code, *at, row, found);
            }
        }
    }
}

/// `clap::Command::new` without an import.
fn uses_path(code: &Code<'_>, file: usize, modules: &[&str]) -> bool {
    code.files[file]
        .facts
        .iter()
        .any(|fact| matches!(&fact.receiver, Some(Value::Name(name)) if is_module(name, modules)))
}

fn built_one(code: &Code<'_>, at: At, row: &Built, found: &mut EntryPoints) {
    let fact = code.fact(at);
    let value = match row.key {
        "" => positional(&fact.arguments, 0),
        key => keyword(&fact.arguments, key),
    };
    let value = match value {
        // yargs: `['serve', '$0']`, or a module with the key `command`.
        Some(Value::List(items)) => items
            .iter()
            .find(|item| matches!(item, Value::Text(_)))
            .or_else(|| keyword(items, "command")),
        value => value,
    };
    let Some(text) = text_of(code, at, value) else {
        return;
    };
    let word = text
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .trim_matches(['<', '>', '[', ']']);
    if word.is_empty() || word.starts_with('-') || !word.chars().any(char::is_alphanumeric) {
        return;
    }
    // The program itself is not one of its commands.
    let is_root = row.framework == "clap"
        && !is_argument_of(code, at, "subcommand")
        && !is_argument_of(code, at, "subcommands");
    if is_root && has_subcommands(code, at) {
        return;
    }
    let mut one = entry(code, at, EntryKind::Cli, row.framework);
    one.name = word.to_owned();
    let handled = ["RunE", "Run", "Action", "handler"]
        .iter()
        .find_map(|key| keyword(&fact.arguments, key));
    let handled = handled.or_else(|| action(code, at));
    one.handler = handled
        .and_then(|value| definition(code, at, value))
        .and_then(|at| handler_of(code, at));
    found.list.push(one);
}

fn is_argument_of(code: &Code<'_>, at: At, name: &str) -> bool {
    code.ancestors(at)
        .any(|above| code.fact(above).name == name && code.fact(above).kind == FactKind::Call)
}

/// The chain of a builder goes on with commands of its own.
fn has_subcommands(code: &Code<'_>, at: At) -> bool {
    let facts = &code.source(at).facts;
    let mut last = at.fact;
    for _ in 0..400 {
        let outer = facts[..last]
            .iter()
            .rposition(|fact| fact.kind == FactKind::Call && fact.receiver == Some(Value::Fact(last as u32)));
        let Some(outer) = outer else { break };
        if matches!(facts[outer].name.as_str(), "subcommand" | "subcommands") {
            return true;
        }
        last = outer;
    }
    false
}

/// `.command('x').action(run)`.
fn action<'c>(code: &Code<'c>, at: At) -> Option<&'c Value> {
    let facts = &code.source(at).facts;
    let mut last = at.fact;
    for _ in 0..60 {
        let outer = facts[..last].iter().rposition(|fact| {
            fact.kind == FactKind::Call && fact.receiver == Some(Value::Fact(last as u32))
        })?;
        if matches!(facts[outer].name.as_str(), "action" | "handler") {
            return facts[outer].arguments.first();
        }
        last = outer;
    }
    None
}

/// Rust: variants of an enum that derives `Subcommand`; a struct that derives `Parser` has a name of its own.
fn derived(code: &Code<'_>, found: &mut EntryPoints) {
    for at in code.all(FactKind::Mark) {
        let fact = code.fact(at);
        let source = code.source(at);
        let derives = |name: &str| {
            fact.arguments
                .iter()
                .any(|value| matches!(value, Value::Name(derived) if last_name(derived) == name))
        };
        if source.language != "rust"
            || source.is_test
            || fact.name != "derive"
            || !derives("Subcommand") && !derives("StructOpt")
        {
            continue;
        }
        let Some(target) = code
            .parent(at)
            .filter(|target| code.fact(*target).kind == FactKind::Type)
        else {
            continue;
        };
        if !code.fact(target).words.contains("enum") {
            continue;
        }
        for variant in code.children(target.file, Some(target.fact)) {
            let fact = code.fact(variant);
            let is_variant =
                fact.kind == FactKind::Bind && fact.name.starts_with(|c: char| c.is_ascii_uppercase());
            let is_open = code.marks(variant).any(|mark| {
                let words: Vec<String> = code.fact(mark).arguments.iter().flat_map(words).collect();
                words
                    .iter()
                    .any(|word| matches!(word.as_str(), "external_subcommand" | "flatten"))
            });
            if !is_variant || is_open {
                continue;
            }
            let said = code.marks(variant).find_map(|mark| {
                let arguments = &code.fact(mark).arguments;
                let at = arguments
                    .iter()
                    .position(|value| matches!(value, Value::Name(word) if word == "name"))?;
                words(arguments.get(at + 1)?).first().cloned()
            });
            let mut one = entry(code, variant, EntryKind::Cli, "clap");
            one.name = said.unwrap_or_else(|| kebab(&fact.name));
            found.list.push(one);
        }
    }
}

fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Commands that are classes: Symfony, Laravel, picocli, Thor, oclif, Spring Shell, Django.
fn classes(code: &Code<'_>, found: &mut EntryPoints) {
    for class in code.all(FactKind::Type) {
        let source = code.source(class);
        if source.is_test {
            continue;
        }
        match source.language.as_str() {
            "php" => php_command(code, class, found),
            "java" | "kotlin" => picocli(code, class, found),
            "ruby" => thor(code, class, found),
            "python" => django_command(code, class, found),
            _ => {}
        }
    }
}

fn inherits(fact: &Fact, names: &[&str]) -> bool {
    fact.arguments
        .iter()
        .any(|base| matches!(base, Value::Name(name) if names.contains(&last_name(name.split(['<', '(']).next().unwrap_or(name)))))
}

fn command(code: &Code<'_>, at: At, framework: &'static str, text: &str) -> Option<EntryPoint> {
    let mut one = entry(code, at, EntryKind::Cli, framework);
    one.name = text
        .split(|c: char| c.is_whitespace() || c == '|')
        .next()?
        .to_owned();
    (!one.name.is_empty()).then_some(one)
}

fn php_command(code: &Code<'_>, class: At, found: &mut EntryPoints) {
    let mut mark = code
        .marks(class)
        .filter(|at| last_name(&code.fact(*at).name) == "AsCommand");
    let said = mark.next().and_then(|at| {
        let arguments = &code.fact(at).arguments;
        text_of(
            code,
            at,
            keyword(arguments, "name").or_else(|| positional(arguments, 0)),
        )
    });
    let is_command = inherits(
        code.fact(class),
        &["Command", "SymfonyCommand", "GeneratorCommand"],
    );
    let field = |name: &str| {
        let mut fields = code.children(class.file, Some(class.fact));
        let at = fields.find(|at| code.fact(*at).kind == FactKind::Bind && code.fact(*at).name == name)?;
        text_of(code, at, code.fact(at).arguments.first())
    };
    let set = || {
        let mut calls = code
            .calls_named("setName")
            .iter()
            .filter(|at| at.file == class.file && code.ancestors(**at).any(|above| above == class));
        calls
            .next()
            .and_then(|at| text_of(code, *at, code.fact(*at).arguments.first()))
    };
    let framework = if field("signature").is_some() {
        "laravel"
    } else {
        "symfony-console"
    };
    let name = said.or_else(|| {
        is_command
            .then(|| {
                field("signature")
                    .or_else(|| field("defaultName"))
                    .or_else(|| field("name"))
                    .or_else(set)
            })
            .flatten()
    });
    if let Some(mut one) = name.and_then(|name| command(code, class, framework, &name)) {
        let run = code
            .methods_of(class)
            .into_iter()
            .find(|at| matches!(code.fact(*at).name.as_str(), "handle" | "execute" | "__invoke"));
        one.handler = handler_of(code, run.unwrap_or(class));
        found.list.push(one);
    }
}

fn picocli(code: &Code<'_>, class: At, found: &mut EntryPoints) {
    for mark in code
        .marks(class)
        .filter(|at| last_name(&code.fact(*at).name) == "Command")
    {
        let arguments = &code.fact(mark).arguments;
        let name = text_of(code, mark, keyword(arguments, "name"));
        if let Some(mut one) = name.and_then(|name| command(code, class, "picocli", &name)) {
            let run = code
                .methods_of(class)
                .into_iter()
                .find(|at| matches!(code.fact(*at).name.as_str(), "run" | "call"));
            one.handler = handler_of(code, run.unwrap_or(class));
            found.list.push(one);
        }
    }
    for method in code.methods_of(class) {
        for mark in code.marks(method) {
            let fact = code.fact(mark);
            let framework = match last_name(&fact.name) {
                "ShellMethod" => "spring-shell",
                "Command" => "picocli",
                _ => continue,
            };
            let key = keyword(&fact.arguments, "key").or_else(|| keyword(&fact.arguments, "name"));
            let said = key.map(words).and_then(|words| words.first().cloned());
            let name = said.unwrap_or_else(|| kebab(&code.fact(method).name));
            if let Some(mut one) = command(code, method, framework, &name) {
                one.handler = handler_of(code, method);
                found.list.push(one);
            }
        }
    }
}

fn thor(code: &Code<'_>, class: At, found: &mut EntryPoints) {
    if !inherits(code.fact(class), &["Thor"]) {
        return;
    }
    let mut is_described = None;
    for at in code.children(class.file, Some(class.fact)) {
        let fact = code.fact(at);
        match fact.kind {
            FactKind::Call if fact.name == "desc" => is_described = text_of(code, at, fact.arguments.first()),
            FactKind::Function => {
                if is_described.take().is_some()
                    && let Some(mut one) = command(code, at, "thor", &fact.name)
                {
                    one.handler = handler_of(code, at);
                    found.list.push(one);
                }
            }
            _ => {}
        }
    }
}

fn django_command(code: &Code<'_>, class: At, found: &mut EntryPoints) {
    let path = code.source(class).path.as_str();
    let name = path
        .rsplit('/')
        .next()
        .and_then(|name| name.strip_suffix(".py"))
        .unwrap_or_default();
    let is_command = path.contains("/management/commands/")
        && code.fact(class).name == "Command"
        && !name.starts_with('_');
    if let Some(mut one) = command(code, class, "django", name).filter(|_| is_command) {
        let run = code
            .methods_of(class)
            .into_iter()
            .find(|at| code.fact(*at).name == "handle");
        one.handler = handler_of(code, run.unwrap_or(class));
        found.list.push(one);
    }
}

/// oclif: `src/commands/org/create.ts` is `org create`.
fn by_path(code: &Code<'_>, found: &mut EntryPoints) {
    for (file, source) in code.files.iter().enumerate() {
        let is_script = matches!(source.language.as_str(), "javascript" | "typescript");
        if source.is_test || !is_script || !imports(code, file, &["@oclif/core", "@oclif/command"]) {
            continue;
        }
        let path = source.path.as_str();
        let Some(at) = path.find("commands/") else {
            continue;
        };
        let stem = path[at + "commands/".len()..]
            .rsplit_once('.')
            .map_or("", |(stem, _)| stem);
        let name = stem.trim_end_matches("/index").replace('/', " ");
        let class = code
            .children(file, None)
            .find(|at| code.fact(*at).kind == FactKind::Type);
        if let Some(class) = class.filter(|_| !name.is_empty()) {
            let mut one = entry(code, class, EntryKind::Cli, "oclif");
            one.name = name;
            let run = code
                .methods_of(class)
                .into_iter()
                .find(|at| code.fact(*at).name == "run");
            one.handler = handler_of(code, run.unwrap_or(class));
            found.list.push(one);
        }
    }
}

/// `name = "package.module:function"` of a Python manifest: scripts, and commands that plug into a program.
fn scripts(code: &Code<'_>, path: &RepoPath, text: &str, found: &mut EntryPoints) {
    let mut is_scripts = false;
    for line in text.lines().take(5_000) {
        let line = line.trim();
        if line.starts_with('[') {
            let section = line.trim_matches(['[', ']']).replace('"', "");
            let last = section.rsplit('.').next().unwrap_or_default().to_lowercase();
            is_scripts = matches!(
                section.as_str(),
                "project.scripts" | "tool.poetry.scripts" | "options.entry_points"
            ) || section.contains("entry-points") && last.contains("command");
            continue;
        }
        let Some((name, target)) = line.split_once('=').filter(|_| is_scripts) else {
            if line.contains("console_scripts") || line.contains("commands") {
                is_scripts = true;
            }
            continue;
        };
        let target = target
            .split('#')
            .next()
            .unwrap_or_default()
            .trim()
            .trim_matches(['"', '\'']);
        let Some((module, function)) = target.split_once(':') else {
            continue;
        };
        let file = format!("{}.py", module.trim().replace('.', "/"));
        let folder = crate::code::folder_of(path.as_str());
        let roots = [folder.to_owned(), crate::code::modules::joined(folder, "src")];
        let places = roots.iter().flat_map(|root| {
            let package = file.trim_end_matches(".py").to_owned() + "/__init__.py";
            [
                crate::code::modules::joined(root, &file),
                crate::code::modules::joined(root, &package),
            ]
        });
        let Some(file) = places.into_iter().find_map(|place| code.file_at(&place)) else {
            continue;
        };
        let Some(at) = code
            .top_of(file, first_name(function))
            .and_then(|at| code.settled(at))
        else {
            continue;
        };
        let mut one = entry(code, at, EntryKind::Cli, "python");
        one.name = name.trim().trim_matches(['"', '\'']).to_owned();
        one.handler = handler_of(code, at);
        found.list.push(one);
    }
}
