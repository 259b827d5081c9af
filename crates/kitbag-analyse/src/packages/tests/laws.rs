//! What holds for any manifest: reading never panics, the answer is the same whatever the order, and every dependency leads to
//! another package of the list. Texts are made from the pieces of real manifests, since random bytes are refused in the first line.

use kitbag_testkit::random::Random;

use super::*;

/// How many texts are made for each manifest of each manager.
const N_TEXTS: usize = 60;

/// All fixtures of all managers, as one list of files.
fn everything() -> Vec<(RepoPath, String)> {
    let mut all = Vec::new();
    for manager in MANAGERS {
        for (path, text) in files(&fixture(manager.name)) {
            let path = RepoPath::new(format!("{}/{path}", manager.name)).unwrap();
            all.push((path, text));
        }
    }
    all
}

/// A text that is nearly one of the fixtures: pieces cut out, doubled, moved and spoiled.
fn spoiled(random: &mut Random, texts: &[&str]) -> String {
    let mut text: Vec<char> = random.pick(texts).chars().collect();
    for _ in 0..1 + random.below(6) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(30)).min(text.len());
        match random.below(5) {
            0 => drop(text.drain(at..end)),
            1 => {
                let piece: Vec<char> = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, piece);
            }
            2 => {
                let other: Vec<char> = random.pick(texts).chars().collect();
                let start = random.below(other.len() + 1);
                let stop = (start + random.below(60)).min(other.len());
                text.splice(at..at, other[start..stop].iter().copied());
            }
            3 => {
                let n = 1 + random.below(4);
                let odd = random.text("{}[]()<>\"'\\$#:;,.=*!&/\n\r\t\0\u{feff}ä€😀", n);
                text.splice(at..end, odd.chars());
            }
            _ => text.truncate(at),
        }
    }
    text.into_iter().collect()
}

#[test]
fn pkg_4_any_text_is_read_without_a_panic() {
    let all = everything();
    let texts: Vec<&str> = all.iter().map(|(_, text)| text.as_str()).collect();
    let mut random = Random::new(15);
    for manager in MANAGERS {
        for pattern in manager.manifests {
            let path = RepoPath::new(format!("some/{}", pattern.replace('*', "some"))).unwrap();
            for _ in 0..N_TEXTS {
                let text = spoiled(&mut random, &texts);
                check_laws(&[(path.clone(), text)]);
            }
        }
    }
}

#[test]
fn pkg_4_whole_trees_of_spoiled_manifests_are_assembled() {
    let all = everything();
    let texts: Vec<&str> = all.iter().map(|(_, text)| text.as_str()).collect();
    let mut random = Random::new(16);
    for _ in 0..30 {
        let mut tree = all.clone();
        for (_, text) in &mut tree {
            if random.chance(20) {
                *text = spoiled(&mut random, &texts);
            }
        }
        tree.retain(|_| !random.chance(10));
        check_laws(&tree);
    }
}

#[track_caller]
fn check_laws(tree: &[(RepoPath, String)]) {
    let (packages, notes) = packages_of(tree);
    assert!(!packages.list().is_empty(), "there is always a package (PKG-1)");
    for (at, package) in packages.list().iter().enumerate() {
        assert!(!package.name.is_empty());
        for (to, dependency) in package.internal() {
            assert!(to != at && to < packages.list().len());
            assert_eq!(dependency.name, packages.list()[to].name);
        }
    }
    for (path, text) in tree {
        let manifest = read(path, text);
        let kept = manifest.as_ref().map(Manifest::to_bytes);
        assert_eq!(kept.map(|bytes| Manifest::from_bytes(&bytes)), manifest.map(Some));
    }
    let kept = Packages::from_bytes(&packages.to_bytes(&notes));
    assert_eq!(kept, Some((packages.clone(), notes.clone())));
    for note in notes {
        assert!(tree.iter().any(|(path, _)| *path == note.path));
    }
    let graph = Graph::new(&packages, &[]);
    for drawn in [
        draw::text(&packages, &graph),
        draw::mermaid(&packages, &graph),
        draw::dot(&packages, &graph),
    ] {
        assert!(!drawn.is_empty());
    }
    assert_eq!(graph.depths().len(), packages.list().len());
}

#[test]
fn pkg_2_the_order_of_files_and_manifests_makes_no_difference() {
    let all = everything();
    let expected = show(&packages_of(&all));
    let mut random = Random::new(17);
    for _ in 0..5 {
        let mut shuffled = all.clone();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, random.below(at + 1));
        }
        assert_eq!(show(&packages_of(&shuffled)), expected);
    }
}

#[test]
fn pkg_2_a_manifest_depends_on_its_file_name_and_text_alone() {
    for (path, text) in everything() {
        let elsewhere = RepoPath::new(format!("else/where/{}", path.file_name())).unwrap();
        assert_eq!(read(&path, &text), read(&elsewhere, &text), "{path}");
    }
}

#[test]
fn pkg_2_all_managers_of_a_repository_are_found_at_once() {
    let found = packages_of(&everything()).0;
    for manager in MANAGERS {
        let inside = |package: &&Package| {
            package.path == manager.name || package.path.starts_with(&format!("{}/", manager.name))
        };
        let named = |package: &&Package| package.manager == manager.name;
        assert!(
            found.list().iter().filter(inside).any(|package| named(&package)),
            "{}",
            manager.name
        );
    }
}
