//! Literals by the kind of their node. Every file is full of strings and lists, and most are never asked for; a query would match each of
//! them. So the patterns of `facts.scm` that say no more than a kind (`[(string) (template_string)] @text`) or a kind with two fields
//! (`(pair key: (_) @key value: (_) @value) @pair`) are taken out of the query and looked up here when a value is read.

use tree_sitter::{Language, Node, Query};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    Text,
    Words,
    List,
    Joined,
    /// The fields of the key and of the value.
    Pair(u16, u16),
}

/// By the number of the kind.
#[derive(Debug, Default)]
pub(crate) struct Literals(Vec<Option<Literal>>);

impl Literals {
    /// Takes what it can out of a query, from a pattern on.
    pub(crate) fn taken_from(
        query: &mut Query,
        text: &str,
        first_pattern: usize,
        language: &Language,
    ) -> Self {
        let mut kinds = vec![None; language.node_kind_count()];
        for pattern in first_pattern..query.pattern_count() {
            let range = query.start_byte_for_pattern(pattern)..query.end_byte_for_pattern(pattern);
            let Some((names, literal)) = text.get(range).and_then(|text| read(text, language)) else {
                continue;
            };
            for name in names {
                let id = usize::from(language.id_for_node_kind(name, true));
                // The first pattern counts, as among facts.
                if let Some(kind @ None) = kinds.get_mut(id) {
                    *kind = Some(literal);
                }
            }
            query.disable_pattern(pattern);
        }
        Self(kinds)
    }

    pub(crate) fn of(&self, node: Node<'_>) -> Option<Literal> {
        self.0.get(usize::from(node.kind_id())).copied().flatten()
    }
}

/// The kinds and the literal of a pattern that says nothing else.
fn read<'t>(pattern: &'t str, language: &Language) -> Option<(Vec<&'t str>, Literal)> {
    // A comment belongs to the pattern that comes next.
    let pattern = pattern.split("\n;").next()?.trim();
    let (body, word) = pattern.rsplit_once('@')?;
    let body = body.trim();
    let literal = match word.trim() {
        "text" => Literal::Text,
        "words" => Literal::Words,
        "list" => Literal::List,
        "joined" => Literal::Joined,
        "pair" => {
            let inner = body.strip_prefix('(')?.strip_suffix(')')?;
            let words: Vec<&str> = inner.split_whitespace().collect();
            let [kind, key, "(_)", "@key", value, "(_)", "@value"] = words.as_slice() else {
                return None;
            };
            let field = |name: &str| Some(language.field_id_for_name(name.strip_suffix(':')?)?.get());
            return Some((vec![kind], Literal::Pair(field(key)?, field(value)?)));
        }
        _ => return None,
    };
    let list = match body.strip_prefix('[') {
        Some(list) => list.strip_suffix(']')?,
        None => body,
    };
    let name = |word: &'t str| {
        let name = word.strip_prefix('(')?.strip_suffix(')')?;
        name.chars()
            .all(|c| c.is_alphanumeric() || c == '_')
            .then_some(name)
    };
    let names: Option<Vec<&str>> = list.split_whitespace().map(name).collect();
    Some((names.filter(|names| !names.is_empty())?, literal))
}
