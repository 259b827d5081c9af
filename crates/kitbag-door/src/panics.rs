//! What a person sees if Kitbag panics: one line that says where, and a request to report it.
//!
//! The panic's own message is not shown, because it may quote a part of a file (SEC-2). `RUST_BACKTRACE=1` shows the message
//! and the backtrace, but only of a panic that ends the program.
//!
//! The hook only remembers the latest panic. A panic that is caught further down (a grammar that fails on a file, a damaged
//! index) is handled there and not shown. [`tell`] reports one that ends the program, [`tell_of_request`] one that ended a
//! request to a server.

use std::backtrace::Backtrace;
use std::panic::PanicHookInfo;
use std::sync::{Mutex, PoisonError};

use crate::env::{self, Variables};
use crate::printer::{Page, Style, talk};

pub const APOLOGY: &str = "this is a bug in Kitbag; please report it";
/// The longest request id that is shown. Clients choose these ids.
const MOST_ID_CHARS: usize = 80;

#[derive(Default)]
struct Latest {
    place: Option<String>,
    /// Message and backtrace.
    story: Option<String>,
}

static LATEST: Mutex<Latest> = Mutex::new(Latest {
    place: None,
    story: None,
});

pub fn install(variables: &Variables) {
    let whole_story = env::wants_backtrace(variables);
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        let latest = Latest {
            place: info.location().map(ToString::to_string),
            story: whole_story.then(|| format!("{info}\n{}\n", Backtrace::force_capture())),
        };
        *LATEST.lock().unwrap_or_else(PoisonError::into_inner) = latest;
    }));
}

/// Reports a panic that nobody caught.
pub fn tell(colour: bool) {
    let latest = take();
    talk(&latest.story.unwrap_or_default());
    talk(&told(latest.place.as_deref(), None, colour));
}

/// Reports to standard error that a request ended in a panic. The client gets an error too.
pub fn tell_of_request(id: &str) {
    talk(&told(take().place.as_deref(), Some(id), false));
}

fn take() -> Latest {
    std::mem::take(&mut *LATEST.lock().unwrap_or_else(PoisonError::into_inner))
}

fn told(place: Option<&str>, request: Option<&str>, colour: bool) -> String {
    let mut page = Page::new(colour);
    page.styled(Style::Error, "error:").put(" ");
    let more = match request {
        Some(id) => format!("request {}", id.chars().take(MOST_ID_CHARS).collect::<String>()),
        None => "RUST_BACKTRACE=1 shows more".to_owned(),
    };
    page.line(&format!(
        "{APOLOGY} with this line: kitbag {} at {} ({more})",
        env!("CARGO_PKG_VERSION"),
        place.unwrap_or("an unknown place"),
    ));
    page.into_text()
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn sec_2_a_panic_says_where_and_not_what() {
        let version = env!("CARGO_PKG_VERSION");
        let check = |request: Option<&str>, expected: &str| {
            assert_eq!(
                told(Some("src/a.rs:1:2"), request, false),
                format!(
                    "error: this is a bug in Kitbag; please report it with this line: kitbag {version} at src/a.rs:1:2 ({expected})\n"
                )
            );
        };
        check(None, "RUST_BACKTRACE=1 shows more");
        check(Some("19ad-7"), "request 19ad-7");
        let odd = format!("a\nb\x1b[31m{}", "c".repeat(1_000));
        let text = told(None, Some(&odd), false);
        assert!(
            text.lines().count() == 1 && !text.contains('\x1b') && text.len() < 300,
            "{text:?}"
        );
    }
}
