//! Model families, and which model names belong to them.
//!
//! A family is a vocabulary, not a vendor: models that split text the same way share one. The table matches prefixes, because
//! vendors append dates, sizes and `-latest`. A name that no row matches is unknown, and the caller asks the user rather than
//! count with the wrong vocabulary.

#[cfg(test)]
mod tests;

/// Models that split text alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// OpenAI since GPT-4o. Exact.
    O200k,
    /// OpenAI before: GPT-4, GPT-3.5, the embedding models. Exact.
    Cl100k,
    /// Meta's Llama 3 to 3.3. Its vocabulary is not built in: an over-estimate, by at most a few percent.
    Llama3,
    /// Anthropic. Its vocabulary is closed: an over-estimate.
    Claude,
    /// Google's Gemini and the related open models. Counted as closed: an over-estimate.
    Gemini,
}

impl Family {
    pub const ALL: [Family; 5] = [
        Family::O200k,
        Family::Cl100k,
        Family::Llama3,
        Family::Claude,
        Family::Gemini,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Family::O200k => "o200k",
            Family::Cl100k => "cl100k",
            Family::Llama3 => "llama3",
            Family::Claude => "claude",
            Family::Gemini => "gemini",
        }
    }

    /// Whether its vocabulary is public and built in.
    pub fn is_exact(self) -> bool {
        matches!(self, Family::O200k | Family::Cl100k)
    }
}

/// Model name → family, first match wins. A row ending in `*` matches any continuation; any other row only the name
/// itself or a variant of it (`gpt-4-turbo`, `gpt-4:latest`), so that a later `gpt-4.x` with another vocabulary is not
/// mistaken for GPT-4.
const MODELS: &[(&str, Family)] = &[
    ("o200k*", Family::O200k),
    ("cl100k*", Family::Cl100k),
    ("gpt-5*", Family::O200k),
    ("gpt-4.1*", Family::O200k),
    ("gpt-4.5*", Family::O200k),
    ("gpt-4o*", Family::O200k),
    ("chatgpt-4o*", Family::O200k),
    ("gpt-oss*", Family::O200k),
    ("codex-mini", Family::O200k),
    ("o1", Family::O200k),
    ("o3", Family::O200k),
    ("o4", Family::O200k),
    ("gpt-4", Family::Cl100k),
    ("gpt-3.5*", Family::Cl100k),
    ("gpt-35*", Family::Cl100k),
    ("text-embedding-3*", Family::Cl100k),
    ("text-embedding-ada-002", Family::Cl100k),
    ("llama3*", Family::Llama3),
    ("llama-3*", Family::Llama3),
    ("meta-llama-3*", Family::Llama3),
    ("claude*", Family::Claude),
    ("sonnet*", Family::Claude),
    ("opus*", Family::Claude),
    ("haiku*", Family::Claude),
    ("gemini*", Family::Gemini),
    ("gemma*", Family::Gemini),
];

/// The family of a model name, or of a family's own name. Case and a leading `vendor/` do not matter.
pub fn family_of(model: &str) -> Option<Family> {
    let name = model.trim().to_ascii_lowercase();
    let name = name.rsplit('/').next().unwrap_or_default();
    MODELS
        .iter()
        .find(|(pattern, _)| matches(pattern, name))
        .map(|&(_, family)| family)
}

fn matches(pattern: &str, name: &str) -> bool {
    if let Some(prefix) = pattern.strip_suffix('*') {
        return name.starts_with(prefix);
    }
    name.strip_prefix(pattern)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', ':', '@']))
}
