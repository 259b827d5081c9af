//! Links that hold, links that do not.

use super::check;
use crate::tidy::File;

fn problems(document: (&str, &str)) -> Vec<String> {
    let rest = [("LICENSE", ""), ("docs/a.md", ""), ("crates/x/src/lib.rs", "")];
    let files: Vec<File> = std::iter::once(document)
        .chain(rest)
        .map(|(path, text)| File {
            path: path.to_owned(),
            text: text.to_owned(),
        })
        .collect();
    check(&files)
}

#[test]
fn good_links_pass() {
    let text =
        "[l](LICENSE) [d](docs/a.md#top) [f](crates/x) [w](https://x.y/z) [h](#here)\n```\n[no](gone)\n```\n";
    assert_eq!(problems(("README.md", text)), Vec::<String>::new());
    assert_eq!(
        problems(("docs/b.md", "[a](a.md) [l](../LICENSE) [r](./../crates/x/src/)")),
        Vec::<String>::new()
    );
    assert_eq!(
        problems(("crates/x/fixtures/m.md", "[gone](gone.md)")),
        Vec::<String>::new()
    );
}

#[test]
fn dead_links_fail_with_their_line() {
    assert_eq!(
        problems(("README.md", "\n[x](docs/b.md) and [y](../LICENSE)\n")),
        [
            "README.md:2: link to docs/b.md, which is not in the repository",
            "README.md:2: link to ../LICENSE, which is not in the repository",
        ]
    );
}
