//! Codes, exit codes, and the text and JSON forms of a failure.

use super::*;

fn said(failure: &Failure) -> String {
    let mut page = Page::new(false);
    failure.print(&mut page);
    page.into_text()
}

#[test]
fn err_1_a_failure_reads_as_text_and_as_json() {
    let failure = Failure::trouble("STORAGE_ERROR", "no room\nleft").with_hint("free some");
    assert_eq!(said(&failure), "error: no room\n       left\nhint: free some\n");
    assert_eq!(
        failure.to_json(false),
        "{\"error\":{\"code\":\"STORAGE_ERROR\",\"message\":\"no room\\nleft\",\"hint\":\"free some\"}}\n"
    );
}

#[test]
fn err_1_no_hint_is_null_not_missing() {
    let failure = Failure::wrong_use("INVALID_KIND", "unknown kind `x`");
    assert_eq!(
        failure.to_json(false),
        "{\"error\":{\"code\":\"INVALID_KIND\",\"message\":\"unknown kind `x`\",\"hint\":null}}\n"
    );
    assert_eq!(said(&failure), "error: unknown kind `x`\n");
}

#[test]
fn cli_3_a_wrong_request_exits_2_and_a_failed_file_3() {
    let wrong = EngineError::Invalid {
        code: "INVALID_TOP",
        message: "top".into(),
    };
    assert_eq!(Failure::from(wrong).exit, Exit::WrongUse);
    let unread = EngineError::File {
        path: "a.rs".into(),
        message: "gone".into(),
    };
    let unread = Failure::from(unread);
    assert_eq!((unread.exit, unread.code), (Exit::Trouble, "FILE_ERROR"));
}
