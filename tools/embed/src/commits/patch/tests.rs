use super::{Hunk, patches};

const PATCH: &str = "\
0123456789012345678901234567890123456789
diff --git a/src/a.rs b/src/a.rs
index 1..2 100644
--- a/src/a.rs
+++ b/src/a.rs
@@ -3 +3,2 @@ fn a() {
-    one();
+    two();
+--- a/not/a/file
@@ -9,0 +11 @@ fn b() {
+    three();
diff --git a/src/b.rs b/src/b.rs
--- a/src/b.rs
+++ b/src/b.rs
@@ -1,2 +1 @@
-fn  c()
-{}
+fn c() {}
";

#[test]
fn hunks_and_blanks_are_told() {
    let list = patches(PATCH);
    assert_eq!(list.len(), 1);
    let a = &list[0].files["src/a.rs"];
    assert_eq!(
        a.hunks,
        [
            Hunk {
                start: 3,
                n: 1,
                size: 3
            },
            Hunk {
                start: 9,
                n: 0,
                size: 1
            }
        ]
    );
    assert!(a.is_more_than_blanks);
    assert_eq!(a.n_lines, 4);
    assert!(!list[0].files["src/b.rs"].is_more_than_blanks);
}

#[test]
fn an_insertion_touches_what_it_stands_inside_of() {
    let inside = Hunk {
        start: 9,
        n: 0,
        size: 1,
    };
    assert!(inside.touches(5, 12));
    assert!(!inside.touches(1, 9), "it stands behind the last line");
    assert!(!inside.touches(10, 12), "it stands before the first line");
    let lines = Hunk {
        start: 9,
        n: 2,
        size: 2,
    };
    assert!(lines.touches(10, 12) && lines.touches(1, 9) && !lines.touches(11, 12));
}
