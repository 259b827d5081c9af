//! What a person sees if Kitbag has a bug: one plain line that says where, and a request to report it.
//!
//! Not the panic's own message: it may quote a piece of a file (SEC-2). `RUST_BACKTRACE=1` brings the whole story, for
//! the person who asks for it.

//!
//! The hook only remembers where the first panic was: one that is caught further down (a grammar that breaks on a file, a
//! damaged index) is handled there and is nobody's business. What reaches the top is told by [`tell`].

use std::panic::PanicHookInfo;
use std::sync::{Mutex, PoisonError};

use crate::env::{self, Variables};
use crate::printer::{Page, Style, talk};

pub(crate) const APOLOGY: &str = "this is a bug in Kitbag; please report it";

/// Where the latest panic was.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

pub(crate) fn install(variables: &Variables) {
    let usual = std::panic::take_hook();
    let whole_story = env::wants_backtrace(variables);
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        if whole_story {
            usual(info);
        }
        let place = info.location().map(ToString::to_string);
        *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
}

/// Tells the person, after a panic that nobody caught.
pub(crate) fn tell(colour: bool) {
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).take();
    talk(&told(place.as_deref().unwrap_or("an unknown place"), colour));
}

fn told(place: &str, colour: bool) -> String {
    let mut page = Page::new(colour);
    page.styled(Style::Error, "error:").put(" ");
    page.line(&format!(
        "{APOLOGY} with this line: kitbag {} at {place} (RUST_BACKTRACE=1 shows more)",
        env!("CARGO_PKG_VERSION")
    ));
    page.into_text()
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn sec_2_a_panic_says_where_and_not_what() {
        let text = told("src/a.rs:1:2", false);
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            text,
            format!(
                "error: this is a bug in Kitbag; please report it with this line: kitbag {version} at src/a.rs:1:2 (RUST_BACKTRACE=1 shows more)\n"
            )
        );
    }
}
