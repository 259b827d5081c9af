//! What a person sees if Kitbag has a bug: one plain line that says where, and a request to report it.
//!
//! Not the panic's own message: it may quote a piece of a file (SEC-2). `RUST_BACKTRACE=1` brings the whole story, for
//! the person who asks for it.

use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::env::{self, Variables};
use crate::printer::{Page, Style, talk};

pub(crate) const APOLOGY: &str = "this is a bug in Kitbag; please report it";

pub(crate) fn install(variables: &Variables, colour: bool) {
    let usual = std::panic::take_hook();
    let whole_story = env::wants_backtrace(variables);
    let told_before = AtomicBool::new(false);
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        if whole_story {
            usual(info);
        }
        // A panic of a worker becomes one of the thread that waits for it: the first says it all.
        if told_before.swap(true, Ordering::Relaxed) {
            return;
        }
        let place = info
            .location()
            .map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        talk(&told(&place, colour));
    }));
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
