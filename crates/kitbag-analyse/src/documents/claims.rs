//! From the text of a document to what it claims.

use super::runners::Runner;
use crate::markdown::{self, Piece};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// From 1.
    pub line: u32,
    pub kind: ClaimKind,
    /// As the document writes it.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// The target of a link.
    Link,
    /// A path in inline code.
    Path,
    /// A script, target, recipe or task that a command runs.
    Script(Runner),
    /// A file that a command runs.
    Program,
    /// `-p NAME` of Cargo.
    Crate,
    /// `Type::member` in inline code.
    Member,
}

impl ClaimKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Path => "path",
            Self::Script(_) => "script",
            Self::Program => "program",
            Self::Crate => "package",
            Self::Member => "symbol",
        }
    }
}

/// A document that says more is generated.
const MAX_CLAIMS: usize = 5_000;
const MAX_BYTES: usize = 2 << 20;
/// Words of a line that speak of what is not there yet, any more, or of another project.
const HYPOTHETICAL: &[&str] = &[
    "create",
    "creates",
    "created",
    "creating",
    "generate",
    "generates",
    "generated",
    "new file",
    "add a",
    "adding",
    "e.g",
    "for example",
    "for instance",
    "example",
    "such as",
    "like this",
    "removed",
    "deleted",
    "renamed",
    "was ",
    "used to",
    "previously",
    "formerly",
    "output",
    "will be",
    "write to",
    "written to",
    "copy",
    "if you",
    "your ",
    "optional",
    "would",
    "legacy",
    "migrat",
    "instead of",
    "named ",
    "do not",
    "don't",
    "never",
    "no longer",
    "saved",
    "stored",
    "produces",
    "download",
    "placeholder",
    "hypothetical",
    "imagine",
    "mount",
    "container",
    "/etc",
];

/// Names that stand for others.
const PLACEHOLDERS: &[&str] = &[
    "crate-name",
    "crate_name",
    "package-name",
    "package_name",
    "test_name",
    "your",
    "my-",
    "my_",
    "foo",
    "xxx",
];

pub fn claims(text: &str) -> Vec<Claim> {
    let mut found = Vec::new();
    if text.len() > MAX_BYTES {
        return found;
    }
    // Commands went to a folder that is not known; a new section starts at the root again.
    let mut lost = false;
    for line in markdown::lines(text) {
        let mut add = |kind: ClaimKind, text: &str| {
            let is_placeholder = !matches!(kind, ClaimKind::Link | ClaimKind::Path)
                && PLACEHOLDERS.iter().any(|word| text.to_lowercase().contains(word));
            if found.len() < MAX_CLAIMS && !is_placeholder {
                found.push(Claim {
                    line: line.number,
                    kind,
                    text: text.to_owned(),
                });
            }
        };
        match line.piece {
            Piece::Heading(_) => lost = false,
            Piece::Prose { text, .. } | Piece::Row(text) => {
                for target in markdown::links(&markdown::without_code(text))
                    .into_iter()
                    .filter(|target| is_relative(target))
                {
                    add(ClaimKind::Link, target);
                }
                let lower = text.to_lowercase();
                // Another project is spoken of until the section ends.
                lost |= lower.contains("clone");
                let is_meant = !HYPOTHETICAL.iter().any(|word| lower.contains(word));
                for span in markdown::spans(text) {
                    let is_command = command(span, &mut add);
                    if !is_command && is_meant {
                        if is_path(span) {
                            add(ClaimKind::Path, span);
                        } else if let Some(name) = member(span) {
                            add(ClaimKind::Member, name);
                        }
                    }
                }
            }
            Piece::Code { text, language } => {
                let is_shell = matches!(
                    language,
                    "" | "sh"
                        | "bash"
                        | "shell"
                        | "console"
                        | "zsh"
                        | "shell-session"
                        | "shellsession"
                        | "terminal"
                );
                let text = text.trim().trim_start_matches("$ ").trim_start_matches("> ");
                if is_shell && !text.starts_with('#') && !lost {
                    let is_elsewhere = text.starts_with("git clone")
                        || text.starts_with("cd ")
                        || text.contains("&& cd ")
                        || text.starts_with("npx ")
                        || text.starts_with("npm create")
                        || text.starts_with("cargo new");
                    if is_elsewhere {
                        lost = true;
                    } else {
                        command(text, &mut add);
                    }
                }
            }
        }
    }
    found.dedup();
    found
}

fn is_relative(target: &str) -> bool {
    let has_scheme = target.split_once(':').is_some_and(|(scheme, _)| {
        scheme
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '+' | '-' | '.'))
    });
    !target.is_empty()
        && !has_scheme
        && !target.starts_with(['#', '?', '{', '<', '$', '@', '~', '\\'])
        && !target.starts_with("//")
        && !target.contains(['{', '}', '<', '>', '*', '$', '|', '"', '\'', '…'])
}

/// A plain path with a folder, of which the last part has an ending or which ends as a folder.
fn is_path(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
    let Some((folder, name)) = text.trim_end_matches('/').rsplit_once('/') else {
        return false;
    };
    let ending = name.rsplit_once('.');
    let has_ending = ending.is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.chars().any(|c| c.is_ascii_alphabetic())
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
    });
    text.chars().all(plain)
        && !folder.is_empty()
        && !text.starts_with(['/', '-'])
        && !text.contains("//")
        && !text.contains("..")
        && !text.contains("xxx")
        && !text.to_lowercase().contains("foo")
        && !text.to_lowercase().contains("example")
        && (has_ending || text.ends_with('/'))
}

/// `Type::member`, `Type.member()` or `Type#member`, of a type that is written as one.
fn member(text: &str) -> Option<&str> {
    let bare = text.split('(').next().unwrap_or(text);
    let is_call = text.len() == bare.len() || text.ends_with(')');
    let is_name = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !part.starts_with(|c: char| c.is_ascii_digit())
    };
    let mark = if bare.contains("::") { "::" } else { "." };
    let (owner, member) = bare.rsplit_once(mark)?;
    let owner_name = owner.rsplit([':', '.']).next().unwrap_or(owner);
    let is_type = owner_name.starts_with(|c: char| c.is_ascii_uppercase())
        && owner_name.len() >= 4
        && owner_name.chars().any(|c| c.is_ascii_lowercase());
    let is_member = is_name(member)
        && member.len() >= 4
        && (mark == "::" || text.ends_with(')'))
        && member.chars().any(|c| c.is_ascii_lowercase());
    (is_call
        && is_type
        && is_member
        && owner
            .split([':', '.'])
            .filter(|part| !part.is_empty())
            .all(is_name))
    .then_some(bare)
}

/// What a command claims; `true` if it is one that is known.
fn command(text: &str, add: &mut dyn FnMut(ClaimKind, &str)) -> bool {
    let mut known = false;
    for part in text.split("&&").flat_map(|part| part.split(['|', ';'])) {
        let words: Vec<&str> = part
            .split_whitespace()
            .skip_while(|word| word.contains('=') || matches!(*word, "sudo" | "time" | "$" | "env"))
            .collect();
        known |= one_command(&words, add);
    }
    known
}

fn one_command(words: &[&str], add: &mut dyn FnMut(ClaimKind, &str)) -> bool {
    let is_plain = |word: &str| {
        !word.is_empty()
            && !word.starts_with('-')
            && word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '/'))
    };
    let (Some(first), rest) = (words.first(), words.get(1..).unwrap_or_default()) else {
        return false;
    };
    // A flag before the name may take a folder or a value: then nothing is certain.
    let named = |rest: &[&str]| {
        rest.first()
            .copied()
            .filter(|word| is_plain(word) && !word.contains('/') && !word.contains('.'))
            .map(str::to_owned)
    };
    match (*first, rest) {
        ("npm" | "pnpm" | "yarn" | "bun", ["run" | "run-script", rest @ ..]) => {
            if let Some(name) = named(rest) {
                add(ClaimKind::Script(Runner::Node), &name);
            }
            true
        }
        ("make" | "gmake", rest) => {
            for name in rest
                .iter()
                .take_while(|word| !word.starts_with('-') && !word.starts_with('#'))
                .filter(|word| is_plain(word) && !word.contains(['/', '.']))
            {
                add(ClaimKind::Script(Runner::Make), name);
            }
            true
        }
        ("just", rest) => {
            if let Some(name) = named(rest) {
                add(ClaimKind::Script(Runner::Just), &name);
            }
            true
        }
        ("task", rest) => {
            if let Some(name) = named(rest) {
                add(ClaimKind::Script(Runner::Task), &name);
            }
            true
        }
        ("composer", ["run" | "run-script", rest @ ..]) => {
            if let Some(name) = named(rest) {
                add(ClaimKind::Script(Runner::Composer), &name);
            }
            true
        }
        ("deno", ["task", rest @ ..]) => {
            if let Some(name) = named(rest) {
                add(ClaimKind::Script(Runner::Deno), &name);
            }
            true
        }
        ("cargo", [verb, rest @ ..])
            if matches!(
                *verb,
                "run" | "test" | "build" | "check" | "bench" | "clippy" | "nextest"
            ) =>
        {
            let at = rest.iter().position(|word| matches!(*word, "-p" | "--package"));
            if let Some(name) = at
                .and_then(|at| rest.get(at + 1))
                .filter(|name| is_plain(name) && !name.contains(['/', ':', '.']))
            {
                add(ClaimKind::Crate, name);
            }
            true
        }
        (
            "python" | "python3" | "node" | "bash" | "sh" | "ruby" | "php" | "perl" | "tsx" | "source",
            rest,
        ) => {
            if let Some(file) = rest.first().filter(|file| is_script_file(file)) {
                add(ClaimKind::Program, file);
            }
            true
        }
        (file, _) if file.starts_with("./") && is_script_file(file) => {
            add(ClaimKind::Program, file);
            true
        }
        (
            "git" | "cd" | "npx" | "pip" | "go" | "docker" | "uv" | "poetry" | "npm" | "pnpm" | "yarn"
            | "cargo" | "kubectl" | "curl",
            rest,
        ) => !rest.is_empty(),
        _ => false,
    }
}

fn is_script_file(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    let plain = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/'));
    let is_script = [
        ".sh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".php", ".pl", ".bash",
    ]
    .iter()
    .any(|ending| name.len() > ending.len() && name.ends_with(ending));
    let lower = text.to_lowercase();
    plain
        && is_script
        && !text.starts_with('/')
        && !text.contains("..")
        && !lower.contains("your")
        && !lower.contains("example")
        && !lower.contains("foo")
        && (text.contains('/'))
}
