//! Naming conventions for the tests of this room.

use std::sync::LazyLock;

use kitbag_types::{Conventions, Naming};

static CONVENTIONS: LazyLock<Conventions> = LazyLock::new(|| {
    let naming = |language, extensions| Naming {
        language,
        extensions,
        filenames: &[],
        test_paths: &[],
    };
    let namings = vec![
        naming("c", &["c"]),
        naming("go", &["go"]),
        naming("javascript", &["js"]),
        naming("python", &["py"]),
        naming("rust", &["rs"]),
    ];
    Conventions::new(namings, &["txt"], &["spec", "tests"])
});

pub(crate) fn conventions() -> &'static Conventions {
    &CONVENTIONS
}
