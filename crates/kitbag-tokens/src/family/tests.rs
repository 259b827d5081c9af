//! Model names that people type, and names that must stay unknown.

use super::{Family, family_of};

#[test]
fn decision_2_model_names_find_their_vocabulary() {
    let cases = [
        ("gpt-5", Some(Family::O200k)),
        ("gpt-5.1-codex-max", Some(Family::O200k)),
        ("GPT-5-mini", Some(Family::O200k)),
        ("gpt-4.1-nano", Some(Family::O200k)),
        ("gpt-4o-mini-2024-07-18", Some(Family::O200k)),
        ("gpt-oss-120b", Some(Family::O200k)),
        ("o1", Some(Family::O200k)),
        ("o3-mini", Some(Family::O200k)),
        ("o4-mini-high", Some(Family::O200k)),
        ("openai/gpt-5", Some(Family::O200k)),
        ("gpt-4", Some(Family::Cl100k)),
        ("gpt-4-turbo", Some(Family::Cl100k)),
        ("gpt-4:latest", Some(Family::Cl100k)),
        ("gpt-3.5-turbo", Some(Family::Cl100k)),
        ("text-embedding-3-large", Some(Family::Cl100k)),
        ("llama3.2:3b", Some(Family::Llama3)),
        ("meta-llama/Meta-Llama-3-8B", Some(Family::Llama3)),
        ("meta-llama/Llama-3.3-70B-Instruct", Some(Family::Llama3)),
        ("claude-sonnet-4-5", Some(Family::Claude)),
        ("anthropic/claude-3.5-haiku", Some(Family::Claude)),
        ("gemini-2.5-pro", Some(Family::Gemini)),
        ("gemma3:27b", Some(Family::Gemini)),
        ("o200k_base", Some(Family::O200k)),
        (" cl100k ", Some(Family::Cl100k)),
        // A number with the same beginning, another vocabulary, nonsense.
        ("gpt-4.9", None),
        ("gpt-40", None),
        ("o10", None),
        ("o3x", None),
        ("llama4-scout", None),
        ("llama2", None),
        ("mistral-large", None),
        ("", None),
        ("/", None),
    ];
    for (model, expected) in cases {
        assert_eq!(family_of(model), expected, "{model:?}");
    }
}

#[test]
fn every_family_is_found_by_its_own_name() {
    for family in Family::ALL {
        assert_eq!(family_of(family.as_str()), Some(family));
    }
}
