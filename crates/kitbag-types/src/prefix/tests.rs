//! Limits at, inside and beyond characters.

use super::prefix;

#[test]
fn a_character_is_never_split() {
    for (max_bytes, expected) in [(0, ""), (1, "a"), (2, "a"), (3, "aé"), (9, "aé")] {
        assert_eq!(prefix("aé", max_bytes), expected);
    }
}
