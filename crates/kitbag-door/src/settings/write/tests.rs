//! The beginning of the file. `settings/tests.rs` checks that the file is valid.

use super::commented_file;

#[test]
fn cfg_1_the_file_explains_itself() {
    let text = commented_file();
    let expected = "\
# Where the index is kept.
[storage]
# Folder of the index; relative to the project root. Unless set: inside .git, or the user's cache folder.
#path = \".kitbag\"

# What belongs to the project, and how it is read.
[indexing]
# Files and folders to index; \"auto\" is the whole project.
#watch_paths = [\"auto\"]
";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("\n#[chunking.rust]\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
}
