//! Where a program starts: the `main` of its language, and what a manifest names as a script.

use kitbag_types::{FactKind, Value};

use super::handlers::handler_of;
use super::{EntryKind, EntryPoints, entry};
use crate::code::{At, Code};

pub(super) fn find(code: &Code<'_>, found: &mut EntryPoints) {
    for at in code.functions_named_all("main") {
        let source = code.source(at);
        let path = source.path.as_str();
        let fact = code.fact(at);
        let is_top = fact.parent.is_none() && fact.receiver.is_none();
        let is_main = match source.language.as_str() {
            // A package that is not `main` may have such a function too, but nobody writes one.
            "go" => is_top,
            "rust" => is_top && path.rsplit('/').next() != Some("build.rs"),
            "kotlin" => is_top,
            "java" => fact.words.contains("static"),
            "c" | "cpp" | "zig" => is_top,
            _ => false,
        };
        if is_main && !source.is_test {
            tell(code, at, "main", found);
        }
    }
    for at in code.functions_named_all("Main") {
        let source = code.source(at);
        if source.language == "csharp" && !source.is_test && code.fact(at).words.contains("static") {
            tell(code, at, "Main", found);
        }
    }
    for at in code.binds_named_all("__name__") {
        let is_main =
            matches!(code.fact(at).arguments.first(), Some(Value::Text(text)) if text == "__main__");
        let source = code.source(at);
        if is_main && !source.is_test && source.language == "python" {
            tell(code, at, source.path.file_name(), found);
        }
    }
    top_level_programs(code, found);
}

fn tell(code: &Code<'_>, at: At, name: &str, found: &mut EntryPoints) {
    let mut one = entry(code, at, EntryKind::Main, language_of(code, at));
    one.name = name.to_owned();
    one.handler = (code.fact(at).kind == FactKind::Function)
        .then(|| handler_of(code, at))
        .flatten();
    found.list.push(one);
}

/// C#: `Program.cs` whose statements stand at the top.
fn top_level_programs(code: &Code<'_>, found: &mut EntryPoints) {
    for (file, source) in code.files.iter().enumerate() {
        if source.language != "csharp" || source.is_test || source.path.file_name() != "Program.cs" {
            continue;
        }
        let top = code.children(file, None).find(|at| {
            matches!(code.fact(*at).kind, FactKind::Bind | FactKind::Call)
                && code.fact(*at).kind != FactKind::Import
        });
        let has_main = source
            .facts
            .iter()
            .any(|fact| fact.kind == FactKind::Function && fact.name == "Main");
        if let Some(at) = top.filter(|_| !has_main) {
            tell(code, at, "Program", found);
        }
    }
}

fn language_of(code: &Code<'_>, at: At) -> &'static str {
    match code.source(at).language.as_str() {
        "go" => "go",
        "rust" => "rust",
        "kotlin" => "kotlin",
        "java" => "java",
        "csharp" => "dotnet",
        "python" => "python",
        "c" => "c",
        "cpp" => "c++",
        _ => "",
    }
}
