//! What makes an index read every file again.

use kitbag_syntax::{LANGUAGES, Language};

use super::hash_languages;

#[test]
fn idx_30_a_new_language_makes_an_index_read_its_files_again() {
    let hash = |languages: &[Language]| {
        let mut hasher = blake3::Hasher::new();
        hash_languages(languages, &mut hasher);
        hasher.finalize()
    };
    let (_, older) = LANGUAGES.split_last().expect("there are languages");
    assert_ne!(hash(older), hash(LANGUAGES));
    assert_eq!(hash(LANGUAGES), hash(LANGUAGES));
}
