//! What is usual in a language: a newcomer who knows the language does it without being told.

use super::units::{Rule, UnitKind};

/// Language, unit, and what is usual there.
const USUAL: &[(&str, UnitKind, &str)] = &[
    ("csharp", UnitKind::Function, "case=PascalCase"),
    ("csharp", UnitKind::File, "case=PascalCase"),
    ("elixir", UnitKind::Function, "case=snake_case"),
    ("elixir", UnitKind::File, "case=snake_case"),
    ("go", UnitKind::Function, "doc-names-it"),
    ("go", UnitKind::Function, "short-receiver"),
    ("go", UnitKind::File, "case=snake_case"),
    ("go", UnitKind::Line, "indent=tabs"),
    ("go", UnitKind::Test, "case=PascalCase"),
    ("go", UnitKind::Test, "takes-testing"),
    ("java", UnitKind::Function, "case=camelCase"),
    ("java", UnitKind::File, "case=PascalCase"),
    ("java", UnitKind::Test, "case=camelCase"),
    ("javascript", UnitKind::Function, "case=camelCase"),
    ("kotlin", UnitKind::Function, "case=camelCase"),
    ("kotlin", UnitKind::File, "case=PascalCase"),
    ("php", UnitKind::Function, "case=camelCase"),
    ("php", UnitKind::File, "case=PascalCase"),
    ("php", UnitKind::Type, "named-as-file"),
    ("python", UnitKind::Function, "case=snake_case"),
    ("python", UnitKind::File, "case=snake_case"),
    ("python", UnitKind::File, "begins=test_"),
    ("python", UnitKind::Test, "named=test_*"),
    ("python", UnitKind::Line, "indent=spaces"),
    ("python", UnitKind::Catch, "named-error"),
    ("ruby", UnitKind::Function, "case=snake_case"),
    ("ruby", UnitKind::File, "case=snake_case"),
    ("rust", UnitKind::Function, "case=snake_case"),
    ("rust", UnitKind::File, "case=snake_case"),
    ("rust", UnitKind::Test, "case=snake_case"),
    ("rust", UnitKind::File, "test-module"),
    ("rust", UnitKind::Line, "indent=spaces"),
    ("swift", UnitKind::Function, "case=camelCase"),
    ("swift", UnitKind::File, "case=PascalCase"),
    ("typescript", UnitKind::Function, "case=camelCase"),
];

pub(super) fn is_usual(rule: &Rule) -> bool {
    let language = rule
        .given
        .iter()
        .find_map(|one| one.strip_prefix("lang="))
        .unwrap_or_default();
    let then = rule.then.as_str();
    let everywhere = match rule.unit {
        UnitKind::Type => then == "case=PascalCase",
        UnitKind::Constant => then == "case=UPPER_CASE",
        UnitKind::Line => then == "indent=spaces",
        // `is_ready` returns a truth value.
        UnitKind::Function => {
            let asks = |one: &String| matches!(one.as_str(), "prefix=is" | "prefix=has" | "prefix=can");
            rule.given.iter().any(asks) && then.starts_with("returns=")
        }
        _ => false,
    };
    everywhere
        || USUAL
            .iter()
            .any(|(name, unit, usual)| *name == language && *unit == rule.unit && *usual == then)
}
