//! Classes, structs, interfaces and their kin: what they are called, inherit, carry and define.

use std::collections::BTreeSet;

use kitbag_types::{Fact, FactKind, SymbolKind, Value};

use super::functions::cases;
use super::names::{head, prefix, suffix};
use super::reading::{Reading, marked};
use super::tuning::MAX_FEATURES;
use super::units::{UnitKind, Units};
use crate::code::last_name;

/// Marks of types that a container makes, and whose fields it could fill.
const MADE_BY_CONTAINER: &[&str] = &[
    "Controller",
    "RestController",
    "Service",
    "Component",
    "Repository",
    "Configuration",
    "Injectable",
];

pub(super) fn add(units: &mut Units, file: &Reading<'_>) {
    if file.source.facts.is_empty() {
        from_definitions(units, file);
    }
    for (idx, fact) in file.facts(FactKind::Type) {
        let name = last_name(&fact.name);
        // An `impl` and a module are no types of their own.
        let Some(described) = file.described(fact.line, name) else {
            continue;
        };
        if file.is(&["rust"])
            && !["struct", "enum", "trait", "union"]
                .iter()
                .any(|word| fact.words.ends_with(word))
        {
            continue;
        }
        let kind = match described.kind {
            SymbolKind::Interface => "interface",
            SymbolKind::Enum => "enum",
            SymbolKind::Class | SymbolKind::Type => "class",
            _ => continue,
        };
        let mut features = vec![format!("kind={kind}")];
        cases(name, &mut features);
        if let Some(word) = suffix(name) {
            features.push(format!("suffix={word}"));
        }
        if let Some(word) = prefix(name) {
            features.push(format!("prefix={word}"));
        }
        let words: Vec<&str> = fact.words.split(' ').collect();
        let is_public = match file.source.language {
            "java" | "csharp" => words.contains(&"public"),
            "rust" => words.contains(&"pub"),
            _ => described.is_public,
        };
        features.push(if is_public { "public" } else { "private" }.to_owned());
        for word in [
            "abstract", "final", "sealed", "readonly", "static", "data", "record",
        ] {
            if words.contains(&word) {
                features.push(format!("word={word}"));
            }
        }
        if !described.doc.trim().is_empty() {
            features.push("doc".to_owned());
        }
        if name == file.source.path.stem() {
            features.push("named-as-file".to_owned());
        }
        members(file, idx, fact, &mut features);
        features.truncate(MAX_FEATURES);
        units.add(file.unit(UnitKind::Type, fact.line, name, features));
    }
}

/// Of languages without facts: what the index knows of their types.
fn from_definitions(units: &mut Units, file: &Reading<'_>) {
    for one in file.source.definitions {
        let kind = match one.kind {
            SymbolKind::Interface => "interface",
            SymbolKind::Enum => "enum",
            SymbolKind::Class | SymbolKind::Type => "class",
            _ => continue,
        };
        let is_name = one.name.chars().all(|c| c.is_alphanumeric() || c == '_');
        // An extension stands under the name of its type.
        if !is_name || one.signature.contains("extension ") {
            continue;
        }
        let mut features = vec![format!("kind={kind}")];
        cases(&one.name, &mut features);
        features.extend(suffix(&one.name).map(|word| format!("suffix={word}")));
        features.extend(prefix(&one.name).map(|word| format!("prefix={word}")));
        features.push(if one.is_public { "public" } else { "private" }.to_owned());
        if !one.doc.trim().is_empty() {
            features.push("doc".to_owned());
        }
        if one.name == file.source.path.stem() {
            features.push("named-as-file".to_owned());
        }
        units.add(file.unit(UnitKind::Type, one.line, &one.name, features));
    }
}

fn members(file: &Reading<'_>, idx: u32, fact: &Fact, features: &mut Vec<String>) {
    for base in &fact.arguments {
        if let Value::Name(base) = base {
            features.push(format!("base={}", head(base)));
        }
    }
    let mut is_made = false;
    for mark in file.marks(idx) {
        let name = marked(mark);
        if name == "derive" {
            for one in &mark.arguments {
                if let Value::Name(one) = one {
                    features.push(format!("derives={}", last_name(one)));
                }
            }
            continue;
        }
        is_made |= MADE_BY_CONTAINER.contains(&last_name(&name));
        features.push(format!("mark={name}"));
    }
    let mut methods: BTreeSet<&str> = BTreeSet::new();
    let mut has_injected_field = false;
    for (at, held) in file.held(idx) {
        match held.kind {
            FactKind::Function => {
                methods.insert(held.name.as_str());
            }
            FactKind::Bind => {
                let mut marks = file.marks(at);
                has_injected_field |=
                    marks.any(|mark| matches!(last_name(&mark.name), "Autowired" | "Inject"));
            }
            _ => {}
        }
    }
    features.extend(methods.iter().take(40).map(|name| format!("method={name}")));
    if is_made {
        features.push("made-by-container".to_owned());
        if !has_injected_field {
            features.push("no-injected-fields".to_owned());
        }
    }
}
