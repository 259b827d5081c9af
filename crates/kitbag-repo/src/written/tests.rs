use super::*;

#[test]
fn ins_11_added_lines_have_their_numbers() {
    let raw = "diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -2 +2,2 @@ def x\n-old\n+++ new\n+two\n\
               diff --git a/b.py b/b.py\nnew file mode 100644\n--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+only\n\\ No newline at end of file\n\
               diff --git a/c.py b/c.py\ndeleted file mode 100644\n--- a/c.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";
    let found = parse(raw.as_bytes());
    let told: Vec<_> = found
        .iter()
        .map(|one| (one.path.as_str(), one.is_new, one.lines.clone()))
        .collect();
    assert_eq!(
        told,
        [
            (
                "a.py",
                false,
                vec![(2, "++ new".to_owned()), (3, "two".to_owned())]
            ),
            ("b.py", true, vec![(1, "only".to_owned())]),
        ]
    );
    assert_eq!(found[1].text(), "only\n");
}
