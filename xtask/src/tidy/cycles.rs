//! Modules of one crate that need each other in a circle: sources in, circles out.
//!
//! Between crates a circle is an error of the compiler; inside a crate it is not, and then neither of two modules can be read without
//! the other. Looked at are the top modules of each crate. One needs another if it, or a module below it, names `crate::other`, reaches
//! it with `super::`, or uses an item that the crate's root shows of it. What tests use does not count.
//!
//! Reads the names from the text without comments and strings. A parser would be sure of more, but every crate that reads Rust is a
//! dependency that changes how all others are built.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::File;

/// A name as it stands in the source, in its parts: `crate`, `store`, `Store`.
type Name = Vec<String>;

pub(super) fn check(files: &[File]) -> Vec<String> {
    let mut crates: BTreeMap<&str, Vec<(Name, &File)>> = BTreeMap::new();
    for file in files {
        if let Some((root, module)) = module_of(&file.path) {
            crates.entry(root).or_default().push((module, file));
        }
    }
    let mut problems = Vec::new();
    for (root, modules) in crates {
        let needs = needs(&modules);
        problems.extend(circles(&needs).iter().map(|circle| told(root, circle, &needs)));
    }
    problems
}

/// The crate's folder, and the module that a file holds. The root is the empty path.
fn module_of(path: &str) -> Option<(&str, Name)> {
    let (root, inside) = path.strip_suffix(".rs")?.split_once("/src/")?;
    let module: Name = inside.split('/').map(str::to_owned).collect();
    let is_test = module.iter().any(|part| part == "tests");
    match module.as_slice() {
        _ if is_test || root.contains("/fixtures/") => None,
        [only] if only == "lib" || only == "main" => Some((root, Vec::new())),
        _ => Some((root, module)),
    }
}

/// Who needs whom, with a place where it says so.
type Needs = BTreeMap<String, BTreeMap<String, String>>;

fn needs(modules: &[(Name, &File)]) -> Needs {
    let tops: BTreeSet<&String> = modules.iter().filter_map(|(module, _)| module.first()).collect();
    let named: Vec<(&Name, &File, Names)> = modules
        .iter()
        .map(|(module, file)| (module, *file, Names::of(&file.text)))
        .collect();
    // `pub use store::Store` in the root: whoever says `crate::Store` needs `store`.
    let mut shown: BTreeMap<&String, &String> = BTreeMap::new();
    for (_, _, names) in named.iter().filter(|(module, ..)| module.is_empty()) {
        for name in &names.shown {
            let name = name.strip_prefix(&["crate".to_owned()][..]).unwrap_or(name);
            if let [first, .., last] = name
                && tops.contains(first)
            {
                shown.insert(last, first);
            }
        }
    }
    let mut needs = Needs::new();
    for (module, file, names) in &named {
        let Some(own) = module.first() else { continue };
        for name in &names.used {
            let target = from_root(module, name).and_then(|mut path| path.next());
            let top = target.and_then(|first| {
                let top = tops.get(&first).or_else(|| shown.get(&first));
                top.map(|top| (*top).clone())
            });
            if let Some(top) = top.filter(|top| top != own) {
                let place = || format!("{} names {}", file.path, name.join("::"));
                needs
                    .entry(own.clone())
                    .or_default()
                    .entry(top)
                    .or_insert_with(place);
            }
        }
    }
    needs
}

/// A name that begins with `crate` or `super`, from the crate's root on.
fn from_root(module: &Name, name: &Name) -> Option<std::vec::IntoIter<String>> {
    let n_up = name.iter().take_while(|part| *part == "super").count();
    let path: Name = match name.first()?.as_str() {
        "crate" => name[1..].to_vec(),
        "super" => {
            let above = &module[..module.len().checked_sub(n_up)?];
            above.iter().chain(&name[n_up..]).cloned().collect()
        }
        _ => return None,
    };
    Some(path.into_iter())
}

/// The names of a file: what its `use` lines bring in, and every path that begins with `crate` or `super`.
#[derive(Default)]
struct Names {
    used: Vec<Name>,
    /// By `pub use`.
    shown: Vec<Name>,
}

impl Names {
    fn of(text: &str) -> Self {
        let words = words(text);
        let mut names = Self::default();
        let mut at = 0;
        while at < words.len() {
            match words[at].as_str() {
                "#" if words[at..].starts_with(&for_tests()) => at = end_of_item(&words, at),
                "use" => {
                    let end = end_of_item(&words, at);
                    let mut found = Vec::new();
                    leaves(&words[at + 1..end - 1], &[], &mut found);
                    // `pub use`, `pub(crate) use`.
                    if at > 0 && matches!(words[at - 1].as_str(), "pub" | ")") {
                        names.shown.extend(found.iter().cloned());
                    }
                    names.used.extend(found);
                    at = end;
                }
                "crate" | "super" => {
                    let path = path_from(&words[at..]);
                    at += path.len().max(1) * 2 - 1;
                    names.used.push(path);
                }
                _ => at += 1,
            }
        }
        names
    }
}

/// `#[cfg(test)]` in words.
fn for_tests() -> Vec<String> {
    ["#", "[", "cfg", "(", "test", ")", "]"]
        .map(str::to_owned)
        .to_vec()
}

/// Behind the `;` or the closing brace of the item that begins at `at`.
fn end_of_item(words: &[String], at: usize) -> usize {
    let mut depth = 0usize;
    for (idx, word) in words.iter().enumerate().skip(at) {
        match word.as_str() {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                let goes_on = words.get(idx + 1).is_some_and(|next| next == ";");
                if depth == 0 && !goes_on {
                    return idx + 1;
                }
            }
            ";" if depth == 0 => return idx + 1,
            _ => {}
        }
    }
    words.len()
}

/// `crate::a::b` at the front of these words.
fn path_from(words: &[String]) -> Name {
    let mut path = vec![words[0].clone()];
    for pair in words[1..].chunks(2) {
        match pair {
            [colons, name]
                if colons == "::" && name.starts_with(|c: char| c.is_alphanumeric() || c == '_') =>
            {
                path.push(name.clone());
            }
            _ => break,
        }
    }
    path
}

/// The names that the words of a `use` bring in: `a::{b, c::d}`.
fn leaves(words: &[String], before: &[String], found: &mut Vec<Name>) {
    let Some(open) = words.iter().position(|word| word == "{") else {
        let is_part = |word: &&String| !matches!(word.as_str(), "::" | "*" | "self");
        let own = words.iter().take_while(|word| *word != "as").filter(is_part);
        found.push(before.iter().chain(own).cloned().collect());
        return;
    };
    let prefix: Name = before
        .iter()
        .chain(words[..open].iter().filter(|word| *word != "::"))
        .cloned()
        .collect();
    let mut depth = 0;
    let mut start = open + 1;
    for (idx, word) in words.iter().enumerate().skip(open) {
        match word.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        let ends = (word == "," && depth == 1) || depth == 0;
        if ends {
            if start < idx {
                leaves(&words[start..idx], &prefix, found);
            }
            start = idx + 1;
        }
    }
}

/// The words of a source and its marks, `::` being one, without comments, strings and characters.
fn words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let next = |n: usize| chars.get(at + n).copied().unwrap_or(' ');
        match chars[at] {
            '/' if next(1) == '/' => at = skip_until(&chars, at, &['\n']),
            '/' if next(1) == '*' => at = skip_until(&chars, at + 2, &['*', '/']),
            'r' if next(1) == '"' || (next(1) == '#' && matches!(next(2), '"' | '#')) => {
                let n_marks = chars[at + 1..].iter().take_while(|c| **c == '#').count();
                let end: Vec<char> = std::iter::once('"')
                    .chain(std::iter::repeat_n('#', n_marks))
                    .collect();
                at = skip_until(&chars, at + n_marks + 2, &end);
            }
            '"' => at = string_end(&chars, at + 1, '"'),
            // `'a'` and `'\n'` are characters, `'a` is a lifetime.
            '\'' if next(1) == '\\' || next(2) == '\'' => at = string_end(&chars, at + 1, '\''),
            ':' if next(1) == ':' => {
                found.push("::".to_owned());
                at += 2;
            }
            c if c.is_alphanumeric() || c == '_' => {
                let is_part = |c: &&char| c.is_alphanumeric() || **c == '_';
                let word: String = chars[at..].iter().take_while(is_part).collect();
                at += word.chars().count();
                found.push(word);
            }
            c => {
                if !c.is_whitespace() {
                    found.push(c.to_string());
                }
                at += 1;
            }
        }
    }
    found
}

/// Behind the next place that has these characters.
fn skip_until(chars: &[char], from: usize, end: &[char]) -> usize {
    let found = (from..chars.len()).find(|at| chars[*at..].starts_with(end));
    found.map_or(chars.len(), |at| at + end.len())
}

/// Behind the closing quote.
fn string_end(chars: &[char], from: usize, quote: char) -> usize {
    let mut at = from;
    while at < chars.len() && chars[at] != quote {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// A shortest circle through each module that is in one and not in an earlier circle.
fn circles(needs: &Needs) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    for start in needs.keys() {
        if found.iter().any(|circle| circle.contains(start)) {
            continue;
        }
        let mut from: BTreeMap<&String, &String> = BTreeMap::new();
        let mut waiting = VecDeque::from([start]);
        while let Some(module) = waiting.pop_front() {
            for next in needs.get(module).into_iter().flat_map(BTreeMap::keys) {
                if !from.contains_key(next) {
                    from.insert(next, module);
                    waiting.push_back(next);
                }
            }
        }
        if from.contains_key(start) {
            let mut circle = vec![start.clone()];
            let mut at = from[start];
            while at != start {
                circle.push(at.clone());
                at = from[at];
            }
            circle.reverse();
            circle.rotate_right(1);
            found.push(circle);
        }
    }
    found
}

fn told(root: &str, circle: &[String], needs: &Needs) -> String {
    let next = |idx: usize| &circle[(idx + 1) % circle.len()];
    let places: Vec<&str> = (0..circle.len())
        .map(|idx| needs[&circle[idx]][next(idx)].as_str())
        .collect();
    format!(
        "{root}: the modules {} → {} need each other; move what both need below them ({})",
        circle.join(" → "),
        circle[0],
        places.join("; ")
    )
}
