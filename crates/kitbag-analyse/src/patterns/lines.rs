//! Lines: how they are indented, how they end, how long they are. Lines of a file with the same features are one unit with a weight.

use std::collections::BTreeMap;

use super::reading::Reading;
use super::units::{UnitKind, Units};

/// Widths that people choose.
pub(super) const WIDTHS: &[usize] = &[79, 80, 88, 99, 100, 110, 119, 120, 140];

pub(super) fn add(units: &mut Units, file: &Reading<'_>, is_wanted: &dyn Fn(u32) -> bool) {
    if !file.is(LANGUAGES) {
        return;
    }
    let mut seen: BTreeMap<Vec<String>, (u32, u64)> = BTreeMap::new();
    let mut note = |features: Vec<String>, line: u32| {
        let (_, weight) = seen.entry(features).or_insert((line, 0));
        *weight += 1;
    };
    let is_script = file.is_script();
    // Behind the first line of an import over several.
    let mut in_import = false;
    for (idx, line) in file.lines.iter().enumerate() {
        let number = idx as u32 + 1;
        if !is_wanted(number) {
            continue;
        }
        let width = line.chars().count();
        let mut features: Vec<String> = vec!["line".to_owned()];
        features.extend(
            WIDTHS
                .iter()
                .filter(|most| width <= **most)
                .map(|most| format!("width={most}")),
        );
        let code = line.trim();
        if !code.is_empty() {
            let is_comment = ["//", "/*", "*"].iter().any(|mark| code.starts_with(mark));
            if !is_comment {
                features.push("code".to_owned());
            }
            if is_script && !code.ends_with(';') {
                features.push("no-semicolon".to_owned());
            }
            // Lines of a block comment are indented by one space more than the code.
            if line.starts_with([' ', '\t']) && !code.starts_with('*') {
                features.push("indented".to_owned());
                features.push(indent(line).to_owned());
            }
            if is_script && (code.starts_with("import ") || in_import) {
                in_import = !quotes(code, &mut features) && !code.starts_with("import(");
            }
        }
        note(features, number);
    }
    for (features, (line, weight)) in seen {
        let mut unit = file.unit(UnitKind::Line, line, "", features);
        unit.weight = weight;
        units.add(unit);
    }
}

const LANGUAGES: &[&str] = &[
    "c",
    "cpp",
    "csharp",
    "elixir",
    "go",
    "java",
    "javascript",
    "kotlin",
    "lua",
    "php",
    "python",
    "ruby",
    "rust",
    "scala",
    "swift",
    "tsx",
    "typescript",
    "zig",
];

fn indent(line: &str) -> &'static str {
    if line.starts_with('\t') {
        return "indent=tabs";
    }
    "indent=spaces"
}

/// Gives whether the import ends here.
fn quotes(code: &str, features: &mut Vec<String>) -> bool {
    let code = code.trim_end_matches(';').trim_end();
    match code.chars().last() {
        Some('\'') => features.push("quotes=single".to_owned()),
        Some('"') => features.push("quotes=double".to_owned()),
        _ => return false,
    }
    features.push("quoted-import".to_owned());
    true
}
