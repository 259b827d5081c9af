//! What a diff touches (PACK-5).

use kitbag_types::LineRange;

use super::{GENERIC, LOCK_FILES, lines_touched, sections, tells, told};

const DIFF: &str = "\
diff --git a/src/a.rs b/src/a.rs
--- a/src/a.rs
+++ b/src/a.rs
@@ -10,4 +10,5 @@ fn next() {
 one
-two
+deux
+trois
 four
 five
@@ -30,3 +31,2 @@
 a
-b
 c
diff --git a/old.rs b/old.rs
deleted file mode 100644
--- a/old.rs
+++ /dev/null
@@ -1,1 +0,0 @@
-++ gone
";

#[test]
fn pack_5_new_lines_and_places_of_removed_ones_are_touched() {
    let sections = sections(DIFF);
    assert_eq!(sections.len(), 2);
    let range = LineRange::new;
    assert_eq!(
        lines_touched(sections[0]),
        (Some("src/a.rs"), vec![range(11, 12), range(32, 32)])
    );
    assert_eq!(lines_touched(sections[1]).0, None);
    assert_eq!(told(&[range(11, 12), range(32, 32)]), "11–12, 32");
}

#[test]
fn pack_5_a_line_of_the_file_is_not_a_header() {
    let diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,1 +1,2 @@\n-++ b/evil\n+++ b/evil\n+y\n";
    assert_eq!(lines_touched(diff), (Some("x"), vec![LineRange::new(1, 2)]));
}

#[test]
fn pack_5_generic_words_tell_nothing() {
    for task in [
        "review this change",
        "Please describe the diff",
        "write a commit message",
    ] {
        assert!(!tells(task), "{task}");
    }
    assert!(tells("review the session handling"));
}

#[test]
fn words_and_names_are_sorted() {
    assert!(GENERIC.is_sorted());
    assert!(LOCK_FILES.is_sorted());
}
