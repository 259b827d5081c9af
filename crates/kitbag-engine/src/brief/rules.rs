//! Rules of the project as insights: what one tool demands is one line, a sentence of a document is one line.
//!
//! Settings come one by one, and a list of forty is not read. They are put together by tool, file and what they apply to; what a tool does
//! when they are broken stays apart. Sentences that only lead to a list, or that any project would say, are left out.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_analyse::constraints::{Constraint, Enforcement, Kind, tool_extensions};
use kitbag_pack::{BriefSection, Depth, Insight, InsightPlace};

use super::prove::Told;

/// Settings of one tool that are named; more are counted.
const MOST_NAMED: usize = 14;
/// Sentences of fewer words demand nothing that can be followed.
const FEWEST_WORDS: usize = 4;
const MOST_CHARS: usize = 240;
/// Of one document.
const MOST_SENTENCES: usize = 3;

/// Words of sentences about people, and about setting up.
const TALK: &[&str] = &[
    "contributor",
    "contributors",
    "i",
    "install",
    "installed",
    "issue",
    "issues",
    "maintainer",
    "maintainers",
    "our",
    "please",
    "pr",
    "prs",
    "pull",
    "submit",
    "us",
    "we",
    "we're",
    "you",
    "your",
];
/// Words that lean on the sentence before.
const POINTING: &[&str] = &["it", "same", "that", "these", "they", "this", "those"];

type Group<'c> = (
    (&'c str, &'c str, &'c str, Enforcement, Option<&'c str>),
    Vec<&'c Constraint>,
);

/// One insight per tool and file, one per sentence.
pub(super) fn insights<'c>(rules: impl Iterator<Item = &'c Constraint>) -> Vec<Told> {
    let mut groups: BTreeMap<_, Vec<&Constraint>> = BTreeMap::new();
    let mut told = Vec::new();
    let mut documents: BTreeMap<&str, Vec<&Constraint>> = BTreeMap::new();
    for rule in rules {
        if rule.kind == Kind::Document {
            documents.entry(rule.place.path.as_str()).or_default().push(rule);
            continue;
        }
        // Where a setting comes from is no rule.
        if rule.guidance.trim_start().starts_with("extends") {
            continue;
        }
        let key = (
            rule.place.path.as_str(),
            rule.tool.as_str(),
            rule.folder.as_str(),
            rule.enforcement,
            rule.files.as_deref(),
        );
        groups.entry(key).or_default().push(rule);
    }
    told.extend(groups.into_iter().map(of_tool));
    // Guidelines for several agents are copies of each other: a sentence is told once.
    let mut known = BTreeSet::new();
    for (_, mut sentences) in documents {
        sentences.retain(|rule| is_telling(rule) && known.insert(rule.guidance.trim()));
        told.extend(of_document(&sentences));
    }
    told
}

/// Whether a rule of a tool can concern a file at all: a linter of one language says nothing about another.
pub(super) fn concerns(rule: &Constraint, path: &str) -> bool {
    let extensions = tool_extensions(&rule.tool);
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    rule.applies_to(path) && (extensions.is_empty() || extensions.contains(&extension))
}

/// Whether code can break it. Which module system or version is used decides how code is read, not whether it is taken.
pub(super) fn is_refusal(rule: &Constraint) -> bool {
    let setting = rule.guidance.to_lowercase();
    match rule.category {
        "linter" | "imports" => true,
        // How tests are called is no rule for what is written.
        "tests" => setting.contains("fail") || setting.starts_with("warnings: error"),
        "types" | "compiler" => ["strict", "no", "disallow", "check", "warn"]
            .iter()
            .any(|start| setting.starts_with(start)),
        _ => false,
    }
}

fn from(enforcement: Enforcement) -> Depth {
    match enforcement {
        Enforcement::Error => Depth::Overview,
        Enforcement::Warning | Enforcement::Info => Depth::Standard,
    }
}

/// How sure it is that breaking it matters.
fn confidence(enforcement: Enforcement) -> f64 {
    match enforcement {
        Enforcement::Error => 1.0,
        Enforcement::Warning => 0.8,
        Enforcement::Info => 0.6,
    }
}

fn is_telling(rule: &Constraint) -> bool {
    let text = rule.guidance.trim();
    let n_words = text.split_whitespace().count();
    let is_vague = rule.enforcement != Enforcement::Error && !is_concrete(text);
    !text.ends_with(':') && n_words >= FEWEST_WORDS && !is_vague && !is_talk(text)
}

/// It is about the people and not about the code, or cannot be understood without the sentence before it.
fn is_talk(text: &str) -> bool {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let [Some(first), Some(last)] = [words.first(), words.last()] else {
        return true;
    };
    words.iter().any(|word| TALK.contains(&word.as_str()))
        || POINTING.contains(&first.as_str())
        || POINTING.contains(&last.as_str())
}

/// The sentences of one document; of many, those that leave no choice, and how many there are: whoever needs them all reads it.
fn of_document(sentences: &[&Constraint]) -> Vec<Told> {
    if sentences.len() <= MOST_SENTENCES {
        return sentences.iter().map(|rule| sentence(rule)).collect();
    }
    let strict = sentences
        .iter()
        .filter(|rule| rule.enforcement == Enforcement::Error);
    let mut told: Vec<Told> = strict.take(MOST_SENTENCES).map(|rule| sentence(rule)).collect();
    let path = &sentences[0].place.path;
    let more = sentences.len() - told.len();
    let mut insight = Insight::new(
        BriefSection::Constraints,
        "constraints",
        format!("rules of {path}"),
        format!("{more} more rules are in this document"),
    );
    insight.place = Some(InsightPlace {
        path: path.to_string(),
        line: 0,
    });
    insight.confidence = confidence(Enforcement::Info);
    told.push(Told::new(insight).proved_by(path, 0, Vec::new()));
    told
}

fn sentence(rule: &Constraint) -> Told {
    let text = rule.guidance.trim();
    let below = match rule.folder.as_str() {
        "" => String::new(),
        folder => format!(" (below {folder})"),
    };
    let id = format!("rule {text}");
    let mut insight = Insight::new(
        BriefSection::Constraints,
        "constraints",
        id,
        format!("{}{below}", shortened(text)),
    );
    insight.place = Some(place(rule));
    insight.from = from(rule.enforcement);
    insight.confidence = confidence(rule.enforcement) * 0.9;
    // The words of a sentence may be broken over lines: that its file says it is what can be checked.
    let first: Vec<String> = text.split_whitespace().take(1).map(str::to_owned).collect();
    Told::new(insight).proved_by(&rule.place.path, 0, first)
}

/// It names something: a command, a file, a number, a name of the code. "Write clear names" is true everywhere and helps nobody.
fn is_concrete(text: &str) -> bool {
    let is_name = |word: &str| {
        let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
        let has_sign = inner.contains(['_', '/', '.', ':', '(']) && inner.len() > 3;
        let is_mixed = inner.chars().skip(1).any(char::is_uppercase) && inner.chars().any(char::is_lowercase);
        has_sign || is_mixed || inner.contains(|c: char| c.is_ascii_digit())
    };
    text.contains('`') || text.split_whitespace().any(is_name)
}

fn of_tool((key, rules): Group<'_>) -> Told {
    let (_, tool, folder, enforcement, files) = key;
    let first = rules[0];
    let named = folded(rules.iter().take(MOST_NAMED).map(|rule| rule.guidance.trim()));
    let more = match rules.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let applies = match (files, folder) {
        (None, "") => String::new(),
        (Some(files), "") => format!(" ({files})"),
        (None, folder) => format!(" (below {folder})"),
        (Some(files), folder) => format!(" ({files} below {folder})"),
    };
    let text = format!("{tool}{applies}: {named}{more}");
    let mut insight = Insight::new(
        BriefSection::Constraints,
        "constraints",
        format!("rules {key:?}"),
        shortened(&text),
    );
    insight.place = Some(place(first));
    // An editor or a formatter does it, or it says whom to ask.
    let is_aside = ["editor", "formatter", "ownership"].contains(&first.category);
    insight.from = if is_aside { Depth::Deep } else { from(enforcement) };
    insight.confidence = confidence(enforcement);
    insight.occurrences = rules.len() as u64;
    // Of a setting, the last word is the value; where the file has changed, the value must still stand at its line.
    let last = first.guidance.split_whitespace().next_back().unwrap_or_default();
    let last = last.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    Told::new(insight).proved_by(&first.place.path, first.place.line, vec![last])
}

/// `lint rules: B, E; strict = true`: what begins alike is told once.
fn folded<'g>(rules: impl Iterator<Item = &'g str>) -> String {
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for rule in rules {
        let cut = rule.find(": ").map(|at| at + 2);
        let cut = cut.or_else(|| {
            rule.find(' ')
                .map(|at| at + 1)
                .filter(|at| KINDS.contains(&&rule[..*at]))
        });
        let (start, rest) = rule.split_at(cut.unwrap_or(0));
        match parts.last_mut() {
            Some((known, list)) if *known == start => list.push(rest),
            _ => parts.push((start, vec![rest])),
        }
    }
    let said = parts
        .iter()
        .map(|(start, list)| format!("{start}{}", list.join(", ")));
    said.collect::<Vec<_>>().join("; ")
}

/// Words that a list of names begins with.
const KINDS: &[&str] = &["linter ", "hook ", "rule "];

fn place(rule: &Constraint) -> InsightPlace {
    InsightPlace {
        path: rule.place.path.to_string(),
        line: rule.place.line,
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
