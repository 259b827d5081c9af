//! The language of a file.

use kitbag_types::RepoPath;

use super::language_of;

#[test]
fn idx_13_by_name_extension_then_interpreter() {
    let known = [
        ("src/a.rs", "", Some("rust")),
        ("a/B.PY", "", Some("python")),
        ("x.d.ts", "", Some("typescript")),
        ("README", "", Some("markdown")),
        ("bin/tool", "#!/usr/bin/env -S python3.12 -u", Some("python")),
        ("bin/tool", "#!/usr/bin/python3", Some("python")),
        ("bin/tool", "#!/usr/bin/env A=1 deno run", Some("typescript")),
        ("bin/tool", "no interpreter", None),
        ("bin/tool", "#!", None),
        ("bin/tool", "#!/usr/bin/env", None),
        ("a.unknown", "#!/usr/bin/python", None),
    ];
    for (path, first_line, expected) in known {
        let found = language_of(&RepoPath::new(path).unwrap(), first_line);
        assert_eq!(
            found.map(|language| language.name),
            expected,
            "{path} {first_line}"
        );
    }
}
