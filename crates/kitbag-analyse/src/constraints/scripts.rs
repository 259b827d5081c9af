//! Rules with a level in configurations that are programs: `eslint.config.js` and its like.
//!
//! Every `rules: { 'name': 'error' }` of the text counts, with the `files` beside it. What comes from elsewhere by a name or a
//! spread is not known here.

use super::settings::level_of;
use super::{Found, shortened};
use crate::formats::script::{JAVASCRIPT, Kind, Script};

const MAX_RULES: usize = 400;

pub(super) fn eslint(text: &str) -> Vec<Found> {
    let script = Script::new(text, &JAVASCRIPT);
    let mut found = Vec::new();
    // The brackets around the token that is looked at.
    let mut open: Vec<usize> = Vec::new();
    for at in 0..script.tokens.len() {
        match &script.tokens[at].kind {
            Kind::Mark('{' | '[' | '(') => open.push(at),
            Kind::Mark('}' | ']' | ')') => {
                open.pop();
            }
            Kind::Word(word) | Kind::Text(word)
                if word == "rules" && script.is_mark(at + 1, ':') && script.is_mark(at + 2, '{') =>
            {
                let files = open.last().and_then(|around| files(&script, *around));
                rules(&script, at + 2, files.as_deref(), &mut found);
            }
            _ => {}
        }
        if found.len() >= MAX_RULES {
            break;
        }
    }
    found
}

/// `files: ['a', 'b']` in the object that opens here.
fn files(script: &Script, open: usize) -> Option<String> {
    let value = script.labelled(script.inside(open), "files")?;
    let texts: Vec<&str> = match script.is_mark(value, '[') {
        true => script.inside(value).filter_map(|at| script.text(at)).collect(),
        false => script.text(value).into_iter().collect(),
    };
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn rules(script: &Script, open: usize, files: Option<&str>, found: &mut Vec<Found>) {
    for part in script.parts(script.inside(open)) {
        let key = part.start;
        let Some(name) = script.text(key).or_else(|| script.word(key)) else {
            continue;
        };
        if !script.is_mark(key + 1, ':') {
            continue;
        }
        let value = key + 2;
        let level = match script.is_mark(value, '[') {
            true => first_token(script, value + 1),
            false => value,
        };
        let level = script.text(level).or_else(|| script.word(level));
        let Some(Some(enforcement)) = level.and_then(level_of) else {
            continue;
        };
        found.push(Found {
            line: script.line(key),
            guidance: format!("{name}: {}{}", enforcement.name(), detail(script, value)),
            enforcement,
            files: files.map(str::to_owned),
        });
    }
}

fn first_token(script: &Script, mut at: usize) -> usize {
    while script
        .tokens
        .get(at)
        .is_some_and(|token| token.kind == Kind::LineEnd)
    {
        at += 1;
    }
    at
}

/// The literal texts of a rule's options, without its level.
fn detail(script: &Script, value: usize) -> String {
    if !script.is_mark(value, '[') {
        return String::new();
    }
    let texts: Vec<&str> = script
        .inside(value)
        .filter_map(|at| script.text(at))
        .skip(1)
        .take(8)
        .collect();
    match texts.is_empty() {
        true => String::new(),
        false => format!(" ({})", shortened(&texts.join(", "), 160)),
    }
}
