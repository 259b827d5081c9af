//! SEC-6: the reader of every manifest, with texts made of the fixtures and their words. Each manifest that is read is also put
//! together with the others of its tree, because what it says (globs, paths, parents) is followed there.

use kitbag_testkit::fuzz::{Material, fuzz};

use super::*;

/// Each manager with its own fixture: more of it gets past the first sign.
#[test]
fn sec_6_fuzz_manifests() {
    for manager in MANAGERS {
        let tree = files(&fixture(manager.name));
        let is_own = |path: &RepoPath| row_of(path.file_name()).is_some();
        let samples: Vec<&str> = tree
            .iter()
            .filter(|(path, _)| is_own(path))
            .map(|(_, text)| text.as_str())
            .collect();
        let mut words: Vec<&str> = samples
            .iter()
            .flat_map(|text| text.split_inclusive(|c: char| !c.is_alphanumeric()))
            .chain([
                "**",
                "!",
                "../..",
                "file:..",
                "${",
                "$(",
                "&a",
                "*a",
                "<<:",
                "<![CDATA[",
                "&#0;",
                "#{",
            ])
            .collect();
        words.sort_unstable();
        words.dedup();
        let names: Vec<String> = manager
            .manifests
            .iter()
            .map(|name| name.replace('*', "x"))
            .collect();
        let material = Material::new(&samples, &words).with_short_runs(40);
        fuzz(&format!("manifests/{}", manager.name), &material, |input| {
            let text = String::from_utf8_lossy(input).into_owned();
            // Longer ones are only read: assembling is by the number of manifests, not by their length.
            let n_places = if input.len() < 20_000 { tree.len() } else { 1 };
            for name in &names {
                let mut files: Vec<(RepoPath, String)> = tree[..n_places].to_vec();
                for folder in ["", "a/", "packages/a/"] {
                    let path = RepoPath::new(format!("{folder}{name}")).unwrap();
                    files.retain(|(known, _)| *known != path);
                    files.push((path, text.clone()));
                }
                let (packages, notes) = packages_of(&files);
                let is_known = |path: &RepoPath| files.iter().any(|(known, _)| known == path);
                assert!(notes.iter().all(|note| is_known(&note.path)));
                assert!(!packages.list().is_empty());
            }
        });
    }
}
