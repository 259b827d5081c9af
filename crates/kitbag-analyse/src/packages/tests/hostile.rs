//! Manifests that mean harm (PKG-4): each gives an answer and a note with its place, and takes little work. Time is not measured
//! here; a text that is read in quadratic time would make these tests take minutes.

use super::*;

fn one(path: &str, text: String) -> (Packages, Vec<PlacedNote>) {
    packages_of(&[(RepoPath::new(path).unwrap(), text)])
}

#[track_caller]
fn noted(path: &str, text: String, code: &str, line: Option<u32>) {
    let found = one(path, text);
    let note = found.1.first().unwrap_or_else(|| panic!("{path}: no note"));
    assert_eq!(note.path.as_str(), path);
    assert_eq!(note.note.code, code, "{path}");
    assert_eq!(
        note.note.lines.map(|lines| lines.start()),
        line,
        "{path}: {}",
        note.note.message
    );
    // The fallback still answers (PKG-1).
    assert_eq!(found.0.list().len(), 1, "{path}");
}

#[test]
fn pkg_4_deep_nesting_is_a_note() {
    let n = 200_000;
    noted(
        "package.json",
        format!("{{\"name\":\n{}", "[".repeat(n)),
        "manifest_broken",
        Some(2),
    );
    noted(
        "Cargo.toml",
        format!("\na = {}", "[".repeat(n)),
        "manifest_broken",
        Some(2),
    );
    noted(
        "Cargo.toml",
        format!("\na{} = 1", ".a".repeat(n)),
        "manifest_broken",
        Some(2),
    );
    noted(
        "Cargo.toml",
        format!("[a{}]", ".a".repeat(n)),
        "manifest_broken",
        Some(1),
    );
    noted(
        "pubspec.yaml",
        format!("name: a\nb: {}", "[".repeat(n)),
        "manifest_broken",
        Some(2),
    );
    noted(
        "pubspec.yaml",
        format!("a: {}", "{a: ".repeat(n)),
        "manifest_broken",
        Some(1),
    );
    noted("pom.xml", "<a>".repeat(n), "manifest_broken", Some(1));
    // Scripts have no depth that matters.
    for (path, open) in [
        ("settings.gradle", "x {"),
        ("build.gradle", "dependencies { project("),
        ("build.mill", "object a extends Module {"),
        ("Package.swift", "Package("),
        ("MODULE.bazel", "module("),
        ("mix.exs", "{:a,"),
        ("CMakeLists.txt", "project(("),
        ("setup.py", "setup("),
        ("build.sbt", "lazy val x = (project"),
        ("Gemfile", "group :test do "),
    ] {
        assert_eq!(one(path, open.repeat(40_000)).0.list().len(), 1, "{path}");
    }
}

#[test]
fn pkg_4_entity_bombs_and_alias_bombs_stay_small() {
    let entities = (1..60).fold("<!ENTITY e0 \"aaaaaaaaaa\">".to_owned(), |out, at| {
        format!("{out}<!ENTITY e{at} \"{}\">", format!("&e{};", at - 1).repeat(10))
    });
    let pom = format!("<!DOCTYPE project [{entities}]><project><artifactId>a&e59;</artifactId></project>");
    assert_eq!(one("pom.xml", pom).0.list()[0].name, "a");

    let aliases = (1..60).fold("a0: &a0 [x, x]\n".to_owned(), |out, at| {
        let list = vec![format!("*a{}", at - 1); 10].join(", ");
        format!("{out}a{at}: &a{at} [{list}]\n")
    });
    assert_eq!(
        one("pubspec.yaml", format!("{aliases}name: a\n")).0.list()[0].name,
        "a"
    );
}

#[test]
fn pkg_4_parents_in_a_circle_are_a_note() {
    let pom = |name: &str, parent: &str| {
        format!(
            "<project>\n<parent><groupId>g</groupId><artifactId>x</artifactId>\n<relativePath>{parent}</relativePath></parent>\n\
             <artifactId>{name}</artifactId><version>${{v}}</version><properties><v>${{w}}</v><w>${{v}}</w></properties></project>"
        )
    };
    let found = packages_of(&[
        (RepoPath::new("a/pom.xml").unwrap(), pom("a", "../b/pom.xml")),
        (RepoPath::new("b/pom.xml").unwrap(), pom("b", "../a")),
    ]);
    let noted: Vec<(&str, &str)> = found
        .1
        .iter()
        .map(|note| (note.path.as_str(), note.note.code))
        .collect();
    assert_eq!(
        noted,
        [("a/pom.xml", "parent_circle"), ("b/pom.xml", "parent_circle")]
    );
    assert!(found.0.list().iter().all(|package| package.version.is_none()));
}

#[test]
fn pkg_4_workspaces_that_list_each_other_end() {
    let found = packages_of(&files(
        "//- a/package.json\n{\"name\":\"a\",\"workspaces\":[\"../b\"]}\n//- b/package.json\n{\"name\":\"b\",\"workspaces\":[\"../a\"]}\n",
    ));
    assert_eq!(found.0.list().len(), 2);
}

#[test]
fn pkg_4_patterns_that_explode_and_paths_that_escape_are_notes() {
    for (pattern, says) in [
        ("{a,b}".repeat(200), "too long"),
        ("**/".repeat(400), "too long"),
        ("[".to_owned(), "not a valid pattern"),
        ("../../etc".to_owned(), "outside"),
        ("/etc/passwd/../..".to_owned(), "outside"),
        ("C:\\\\windows".to_owned(), "outside"),
    ] {
        let found = packages_of(&files(&format!(
            "//- package.json\n{{\"name\":\"a\",\n\"workspaces\":[\"{pattern}\"]}}\n//- b/package.json\n{{\"name\":\"b\"}}\n"
        )));
        let is_escape = pattern.starts_with('/');
        if !is_escape {
            assert_eq!(found.1.len(), 1, "{pattern}: {}", show(&found));
            assert_eq!(
                found.1[0].note.lines.map(|lines| lines.start()),
                Some(2),
                "{pattern}"
            );
            assert!(
                found.1[0].note.message.contains(says),
                "{pattern}: {}",
                found.1[0].note.message
            );
        }
        assert_eq!(found.0.list().len(), 1, "{pattern}: only the root");
    }
    // Many small patterns: those that are read, and a note about the rest.
    let many = vec!["\"{a,b}{c,d}{e,f}*\""; 5_000].join(",");
    let found = packages_of(&files(&format!(
        "//- package.json\n{{\"name\":\"a\",\"workspaces\":[{many}]}}\n"
    )));
    assert_eq!(found.1.len(), 1);
    // A dependency by a path outside is one from outside.
    let found = packages_of(&files(
        "//- Cargo.toml\n[package]\nname = \"a\"\n[dependencies]\nb = { path = \"../../b\" }\n",
    ));
    assert_eq!(found.0.list()[0].external().count(), 1);
}

#[test]
fn pkg_4_five_megabytes_of_junk_are_refused_and_less_is_read() {
    for manager in MANAGERS {
        for pattern in manager.manifests {
            let name = pattern.replace('*', "x");
            let found = one(&name, "a ".repeat(5 << 19));
            assert_eq!(found.1.len(), 1, "{name}");
            assert_eq!(found.1[0].note.code, "manifest_too_large", "{name}");
            for junk in [
                "include \"a\" ",
                "{ ( [ ] ) }",
                "<a>x</a>",
                "val x = f(\"a\") ",
                "a: {b: [c]}\n",
                "a = 1\n",
                ":{:a,",
                "do end\n",
            ] {
                one(&name, junk.repeat((1 << 15) / junk.len()));
            }
        }
    }
}

#[test]
fn pkg_4_workspaces_that_all_list_each_other_take_little_work() {
    let n = 8_000;
    let text = r#"{"name": "same", "workspaces": ["../*"], "dependencies": {"same": "*"}}"#;
    let path = |at: usize| RepoPath::new(format!("part{}/p{at}/package.json", at % 100)).unwrap();
    let files: Vec<(RepoPath, String)> = (0..n).map(|at| (path(at), text.to_owned())).collect();
    let (packages, notes) = packages_of(&files);
    assert_eq!(packages.list().len(), n);
    assert!(notes.iter().any(|note| note.note.code == "members_not_followed"));
}

#[test]
fn pkg_4_patterns_of_many_workspaces_share_one_limit() {
    let globs: Vec<String> = (0..400).map(|at| format!("\"a{at}*\"")).collect();
    let text = format!("{{\"workspaces\": [{}]}}", globs.join(","));
    let path = |at: usize| RepoPath::new(format!("p{at}/package.json")).unwrap();
    let files: Vec<(RepoPath, String)> = (0..20).map(|at| (path(at), text.clone())).collect();
    let (_, notes) = packages_of(&files);
    let refused = notes.iter().filter(|note| note.note.code == "member_refused");
    // Twelve workspaces have all of their patterns, the thirteenth has some, the others have none.
    assert_eq!(refused.count(), 8);
}

#[test]
fn pkg_4_long_lists_that_refer_to_each_other_take_little_work() {
    let n = 20_000;
    let lines = |make: &dyn Fn(usize) -> String| (0..n).map(make).collect::<String>();
    let text = format!(
        "[package]\nname = \"a\"\n[workspace]\n[workspace.dependencies]\n{}[dependencies]\n{}",
        lines(&|at| format!("d{at} = {{ path = \"p{at}\" }}\n")),
        lines(&|at| format!("d{at}.workspace = true\n")),
    );
    let (packages, _) = one("Cargo.toml", text);
    assert_eq!(packages.list()[0].dependencies.len(), n);
}
