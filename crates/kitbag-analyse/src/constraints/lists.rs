//! Files of lines: `.editorconfig`, `CODEOWNERS`, versions of tools, line ends, the version of Go.

use super::settings::level_of;
use super::{Enforcement, Found, shortened};
use crate::formats::tree::Node;

const MAX_OWNERS: usize = 400;

/// Sections are patterns of files; severities of analysers are levels, everything else is what editors do.
pub(super) fn editor_config(root: &Node) -> Vec<Found> {
    let mut found = Vec::new();
    for section in root.entries() {
        let files = Some(section.key.clone()).filter(|pattern| pattern != "*");
        for entry in section.node.entries() {
            let value = match entry.node.text() {
                Some(text) => text.to_owned(),
                None if entry.node.is_true() => "true".to_owned(),
                None => "false".to_owned(),
            };
            // `dotnet_diagnostic.CA1000.severity = error`, `csharp_style = true:warning`
            let level = match (entry.key.ends_with(".severity"), value.rsplit_once(':')) {
                (true, _) => level_of(&value),
                (false, Some((_, level))) => level_of(level),
                _ => Some(Some(Enforcement::Info)),
            };
            let Some(Some(enforcement)) = level.or(Some(Some(Enforcement::Info))) else {
                continue;
            };
            found.push(Found {
                line: entry.line,
                guidance: format!("{} = {}", entry.key, shortened(&value, 120)),
                enforcement,
                files: files.clone(),
            });
        }
    }
    found
}

pub(super) fn owners(text: &str) -> Vec<Found> {
    let lines = text.lines().enumerate();
    let found = lines.filter_map(|(line_idx, line)| {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let pattern = words.next().filter(|pattern| !pattern.starts_with(['[', '^']))?;
        let owners: Vec<&str> = words.collect();
        let guidance = match owners.is_empty() {
            true => format!("{pattern} has no owner"),
            false => format!("{pattern} is owned by {}", owners.join(", ")),
        };
        Some(Found {
            line: line_idx as u32 + 1,
            guidance: shortened(&guidance, 200),
            enforcement: Enforcement::Info,
            files: Some(pattern.to_owned()).filter(|pattern| pattern != "*"),
        })
    });
    found.take(MAX_OWNERS).collect()
}

/// `.gitattributes`: which files have which line ends.
pub(super) fn line_ends(text: &str) -> Vec<Found> {
    let lines = text.lines().enumerate();
    let found = lines.filter_map(|(line_idx, line)| {
        let mut words = line.split_whitespace();
        let pattern = words.next().filter(|pattern| !pattern.starts_with('#'))?;
        let end = words.find(|word| word.starts_with("eol="))?;
        Some(Found {
            line: line_idx as u32 + 1,
            guidance: format!("{pattern}: {end}"),
            enforcement: Enforcement::Info,
            files: Some(pattern.to_owned()).filter(|pattern| pattern != "*"),
        })
    });
    found.collect()
}

/// `tool version` on each line.
pub(super) fn tool_versions(text: &str) -> Vec<Found> {
    let lines = text.lines().enumerate();
    let found = lines.filter_map(|(line_idx, line)| {
        let line = line.split('#').next().unwrap_or_default();
        let (tool, version) = line.trim().split_once(char::is_whitespace)?;
        Some(plain(line_idx, format!("{tool} = {}", version.trim())))
    });
    found.collect()
}

/// One version in a file.
pub(super) fn version(text: &str) -> Vec<Found> {
    let mut lines = text.lines().enumerate();
    let found = lines.find(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let found = found.filter(|(_, line)| !line.trim().starts_with('['));
    let found = found.map(|(line_idx, line)| plain(line_idx, format!("version = {}", shortened(line, 80))));
    found.into_iter().collect()
}

/// `go 1.22` and `toolchain go1.22.3`.
pub(super) fn go_mod(text: &str) -> Vec<Found> {
    let lines = text.lines().enumerate();
    let found = lines.filter_map(|(line_idx, line)| {
        let (word, version) = line.split_once(' ')?;
        matches!(word, "go" | "toolchain").then(|| plain(line_idx, format!("{word} = {}", version.trim())))
    });
    found.collect()
}

/// The tool that a file of one version is for.
pub(super) fn tool_of(file_name: &str) -> Option<&'static str> {
    const TOOLS: &[(&str, &str)] = &[
        (".bazelversion", "Bazel"),
        (".go-version", "Go"),
        (".java-version", "Java"),
        (".node-version", "Node.js"),
        (".nvmrc", "Node.js"),
        (".python-version", "Python"),
        (".ruby-version", "Ruby"),
        (".swift-version", "Swift"),
        (".terraform-version", "Terraform"),
        (".xcode-version", "Xcode"),
        ("rust-toolchain", "Rust"),
    ];
    let found = TOOLS.iter().find(|(name, _)| *name == file_name);
    found.map(|(_, tool)| *tool)
}

fn plain(line_idx: usize, guidance: String) -> Found {
    Found {
        line: line_idx as u32 + 1,
        guidance,
        enforcement: Enforcement::Error,
        files: None,
    }
}
