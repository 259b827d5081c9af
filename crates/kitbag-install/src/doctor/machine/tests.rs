//! Output of the system is read correctly.

use super::*;
use crate::doctor::Verdict;

#[test]
fn mcp_6_watches_against_the_limit() {
    let state = |n_folders, limit| watches_within(n_folders, limit).state;
    assert_eq!(state(10, 8_192), Verdict::Ok);
    assert_eq!(state(5_000, 8_192), Verdict::Warning);
    assert_eq!(state(9_000, 8_192), Verdict::Problem);
    let check = watches_within(400_000, 8_192);
    assert_eq!(
        check.advice.as_deref(),
        Some("raise the limit: `sudo sysctl fs.inotify.max_user_watches=1048576`")
    );
}

#[test]
fn mcp_6_the_table_of_df() {
    let table = "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 100 60 40 60% /\n";
    assert_eq!(free_bytes(table), Some(40 * 1024));
    assert_eq!(free_bytes("nonsense"), None);
}

#[test]
fn mcp_6_servers_are_told_by_their_words() {
    assert_eq!(server_verb(b"/usr/bin/kitbag\0mcp\0--tools\0all\0"), Some("mcp"));
    assert_eq!(server_verb(b"kitbag\0--root\0/x\0watch\0"), Some("watch"));
    assert_eq!(server_verb(b"kitbag\0search\0x\0"), None);
    assert_eq!(server_verb(b"vim\0kitbag\0mcp\0"), None);
    assert_eq!(server_verb(b""), None);
}
