//! Paths as `kitbag_syntax` writes them, taken apart (`scopes.rs` there tells the form).

use super::Form;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Root<'p> {
    Name(&'p str),
    Import(&'p str, Form),
    This,
    ThisType,
    Super,
    Outside,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step<'p> {
    Member(&'p str),
    Call,
    Object,
    Nth(usize),
}

/// `None`: it is not a path.
pub(super) fn parse(path: &str) -> Option<(Root<'_>, Vec<Step<'_>>)> {
    let (root, mut rest) = root(path)?;
    let mut steps = Vec::new();
    while let Some(first) = rest.chars().next() {
        let (step, length) = match first {
            '.' => {
                let name = &rest[1..];
                let name = &name[..name.find(['.', '(', '@', '[']).unwrap_or(name.len())];
                (Step::Member(name), 1 + name.len())
            }
            '(' if rest.starts_with("()") => (Step::Call, 2),
            '@' => (Step::Object, 1),
            '[' => {
                let end = rest.find(']')?;
                (Step::Nth(rest[1..end].parse().ok()?), end + 1)
            }
            _ => return None,
        };
        steps.push(step);
        rest = &rest[length..];
    }
    Some((root, steps))
}

fn root(path: &str) -> Option<(Root<'_>, &str)> {
    let simple = match path.chars().next()? {
        // Null: it has no members.
        '-' => return None,
        '&' => Some(Root::This),
        '~' => Some(Root::ThisType),
        '^' => Some(Root::Super),
        '!' => Some(Root::Outside),
        _ => None,
    };
    if let Some(root) = simple {
        return Some((root, &path[1..]));
    }
    if let Some(rest) = path.strip_prefix('<') {
        let (inside, rest) = rest.split_once('>')?;
        // The form stands at the end; a module may be called anything.
        let at = inside.rfind(['=', ':', '/'])?;
        return Some((Root::Import(&inside[..at], form(&inside[at..])?), rest));
    }
    let end = path.find(['.', '(', '@', '[']).unwrap_or(path.len());
    (end > 0).then(|| (Root::Name(&path[..end]), &path[end..]))
}

/// `=item`, `:` or `/`.
pub(super) fn form(text: &str) -> Option<Form> {
    match text.split_at_checked(1)? {
        ("=", item) => Some(Form::Item(item.to_owned())),
        (":", "") => Some(Form::Itself),
        ("/", "") => Some(Form::FirstPart),
        _ => None,
    }
}
