//! Whole trees, with ignore rules compared with git (IDX-3 to IDX-5).

use std::collections::BTreeSet;

use kitbag_testkit::random::Random;
use kitbag_testkit::{TempTree, git_output, git_with_input};
use kitbag_types::{RepoPath, Timestamp};

use crate::secrets::SecretRules;
use crate::{BoundaryOptions, Scan, SkipReason, Tree};

fn open(tree: &TempTree, options: BoundaryOptions) -> Tree {
    Tree::open(tree.root(), options, SecretRules::new(&[]).unwrap()).unwrap()
}

fn scan(tree: &TempTree, options: BoundaryOptions) -> Scan {
    open(tree, options).scan(Timestamp(0)).unwrap()
}

fn files(scan: &Scan) -> Vec<&str> {
    scan.files.iter().map(|file| file.path.as_str()).collect()
}

fn skip<'s>(scan: &'s Scan, path: &str) -> (SkipReason, &'s str) {
    let found = scan.skipped.iter().find(|(skipped, _)| skipped == path);
    let (_, skip) = found.unwrap_or_else(|| panic!("{path} is not among {:?}", scan.skipped));
    (skip.reason, &skip.detail)
}

const NAMES: &[&str] = &[
    "a", "b", "c", "ab", "abc", "a b", "x.log", "y.txt", "z.tmp", "f1", "f2", "[x]", "!n", "#h", "a ", "é",
    "a*", "q\"q", "n\nn", "B",
];

fn random_pattern(random: &mut Random) -> String {
    let pieces = [
        "a",
        "b",
        "c",
        "ab",
        "*",
        "**",
        "?",
        "*.log",
        "*.txt",
        "[ab]",
        "[!a]",
        "[^b]",
        "[a-c]",
        "[[:alpha:]]",
        "f[0-9]",
        "[]x]",
        "\\a",
        "\\*",
        "\\#h",
        "\\!n",
        "a\\ ",
        "é",
        "x.log",
        "a*c",
        "**c",
        "a**",
        "{a,b}",
        "[x]",
        "\\[x]",
        "B",
        "[[:upper:]]",
        "[a",
    ];
    let mut pattern = String::new();
    if random.chance(25) {
        pattern.push('!');
    }
    if random.chance(25) {
        pattern.push('/');
    }
    for idx in 0..1 + random.below(3) {
        if idx > 0 {
            pattern.push('/');
        }
        pattern.push_str(random.pick(&pieces));
        if random.chance(15) {
            pattern.push_str(random.pick(&pieces));
        }
    }
    if random.chance(25) {
        pattern.push('/');
    }
    if random.chance(10) {
        pattern.push_str("  ");
    }
    if random.chance(3) {
        pattern.push('\t');
    }
    pattern
}

fn random_lines(random: &mut Random) -> String {
    let ending = if random.chance(15) { "\r\n" } else { "\n" };
    let mut lines = if random.chance(5) {
        "\u{FEFF}".to_owned()
    } else {
        String::new()
    };
    for _ in 0..1 + random.below(5) {
        match random.below(12) {
            0 => lines.push_str("# comment"),
            1 => {}
            _ => lines.push_str(&random_pattern(random)),
        }
        lines.push_str(ending);
    }
    if random.chance(20) {
        lines.push_str("/c");
    }
    lines
}

/// A repository of random files and folders with random rules; some files are tracked in spite of them.
fn random_repository(random: &mut Random) -> (TempTree, BTreeSet<String>) {
    let tree = TempTree::empty();
    tree.git(&["init", "-q"]);
    let mut folders = vec![String::new()];
    let mut paths = BTreeSet::new();
    for _ in 0..4 + random.below(8) {
        let folder = format!("{}{}/", random.pick(&folders), random.pick(NAMES));
        if paths.contains(folder.trim_end_matches('/')) || folder.matches('/').count() > 4 {
            continue;
        }
        tree.mkdir(&folder);
        folders.push(folder);
    }
    for _ in 0..15 + random.below(20) {
        let path = format!("{}{}", random.pick(&folders), random.pick(NAMES));
        if !tree.path(&path).exists() {
            tree.write(&path, "x");
            paths.insert(path);
        }
    }
    for folder in folders.clone() {
        if folder.is_empty() || random.chance(30) {
            let path = format!("{folder}.gitignore");
            tree.write(&path, random_lines(random));
            paths.insert(path);
        }
    }
    if random.chance(50) {
        tree.write(".git/info/exclude", random_lines(random));
    }
    if random.chance(40) {
        let tracked: Vec<&str> = paths
            .iter()
            .filter(|_| random.chance(20))
            .map(String::as_str)
            .collect();
        if !tracked.is_empty() {
            if random.chance(30) {
                tree.git(&["update-index", "--index-version", "4"]);
            }
            tree.git(&[&["--literal-pathspecs", "add", "-f", "--"], tracked.as_slice()].concat());
        }
    }
    (tree, paths)
}

fn nul_separated(bytes: &[u8]) -> Vec<String> {
    let parts = bytes.split(|byte| *byte == 0).filter(|part| !part.is_empty());
    parts
        .map(|part| String::from_utf8(part.to_vec()).unwrap())
        .collect()
}

#[test]
fn idx_3_the_files_are_those_that_git_lists() {
    let mut n_skipped = 0;
    let mut n_explained = 0;
    let mut n_tracked_anyway = 0;
    for seed in 0..220 {
        let mut random = Random::new(seed);
        let (tree, paths) = random_repository(&mut random);
        let found = scan(&tree, BoundaryOptions::default());
        let ours: BTreeSet<String> = found
            .files
            .iter()
            .map(|file| file.path.as_str().to_owned())
            .collect();
        let listed = git_output(tree.root(), &["ls-files", "-co", "--exclude-standard", "-z"]).stdout;
        let gits: BTreeSet<String> = nul_separated(&listed).into_iter().collect();
        assert_eq!(ours, gits, "seed {seed} in {}", tree.keep().display());
        n_skipped += paths.len() - ours.len();

        // The reasons agree with git's too.
        let ignored: Vec<&(String, crate::Skip)> = found
            .skipped
            .iter()
            .filter(|(_, skip)| skip.reason == SkipReason::GitIgnore)
            .collect();
        if ignored.is_empty() {
            continue;
        }
        let asked: String = ignored.iter().map(|(path, _)| format!("{path}\0")).collect();
        let answer = git_with_input(
            tree.root(),
            &["check-ignore", "-v", "-z", "--no-index", "--stdin"],
            asked.as_bytes(),
        );
        assert!(
            answer.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&answer.stderr)
        );
        let output = answer.stdout;
        let fields: Vec<String> = output
            .split(|byte| *byte == 0)
            .map(|part| String::from_utf8_lossy(part).into_owned())
            .collect();
        for reason in fields.chunks_exact(4) {
            let (_, skip) = ignored.iter().find(|(path, _)| *path == reason[3]).unwrap();
            assert_eq!(
                skip.detail,
                format!("{}:{}: {}", reason[0], reason[1], reason[2]),
                "seed {seed}"
            );
            n_explained += 1;
        }
        n_tracked_anyway += fields
            .chunks_exact(4)
            .filter(|reason| ours.contains(&reason[3]))
            .count();
        assert_eq!(
            fields.len() / 4,
            ignored.len(),
            "seed {seed}: git ignores all that we say it does"
        );
    }
    assert!(
        n_skipped > 1000 && n_explained > 500,
        "the trees test something: {n_skipped}, {n_explained}"
    );
    assert_eq!(n_tracked_anyway, 0);
}

#[test]
fn idx_3_git_agrees_below_a_root_that_is_not_the_top() {
    for seed in 1000..1060 {
        let mut random = Random::new(seed);
        let (tree, _) = random_repository(&mut random);
        for folder in ["a", "b", "ab"] {
            if !tree.path(folder).is_dir() {
                continue;
            }
            let top = tree.path(folder);
            let open = Tree::open(&top, BoundaryOptions::default(), SecretRules::off()).unwrap();
            let found = open.scan(Timestamp(0)).unwrap();
            let ours: BTreeSet<&str> = files(&found).into_iter().collect();
            // If an ignored folder is the root, its files are indexed; git would list nothing.
            if !git_output(tree.root(), &["check-ignore", "-q", "--no-index", folder])
                .status
                .success()
            {
                let listed =
                    nul_separated(&git_output(&top, &["ls-files", "-co", "--exclude-standard", "-z"]).stdout);
                assert_eq!(
                    ours,
                    listed.iter().map(String::as_str).collect(),
                    "seed {seed}, root {folder}"
                );
            }
        }
    }
}

#[test]
fn idx_3_order_of_power() {
    let tree = TempTree::new(
        "//- .gitignore\n!node_modules\n!x.secret\n*.log\n//- .contextignore\n!a.log\n*.md\n!keep.md\n//- .dockerignore\ndocker\n\
         //- node_modules/a.js\n//- x.secret\n//- a.log\n//- b.log\n//- b.md\n//- keep.md\n//- docker/a.rs\n//- conf.rs\n//- src/docker/b.rs\n",
    );
    let options = BoundaryOptions {
        ignore_patterns: vec!["conf.*".into()],
        ..BoundaryOptions::default()
    };
    let found = scan(&tree, options.clone());
    assert_eq!(
        files(&found),
        [
            ".contextignore",
            ".dockerignore",
            ".gitignore",
            "a.log",
            "docker/a.rs",
            "keep.md",
            "src/docker/b.rs"
        ]
    );
    assert_eq!(
        skip(&found, "node_modules"),
        (SkipReason::BuiltIn, "built-in: node_modules")
    );
    assert_eq!(
        skip(&found, "x.secret"),
        (SkipReason::Never, "never indexed: *.secret")
    );
    assert_eq!(
        skip(&found, "b.log"),
        (SkipReason::GitIgnore, ".gitignore:3: *.log")
    );
    assert_eq!(
        skip(&found, "b.md"),
        (SkipReason::ContextIgnore, ".contextignore:2: *.md")
    );
    assert_eq!(
        skip(&found, "conf.rs"),
        (SkipReason::IgnorePatterns, "ignore_patterns:1: conf.*")
    );
    let found = scan(
        &tree,
        BoundaryOptions {
            use_dockerignore: true,
            ..options
        },
    );
    assert_eq!(
        skip(&found, "docker"),
        (SkipReason::DockerIgnore, ".dockerignore:1: /docker")
    );
    assert!(files(&found).contains(&"src/docker/b.rs"));
}

#[test]
fn idx_3_dockerignore_brings_back_below_an_ignored_folder() {
    let tree = TempTree::new("//- .dockerignore\n*\n!src/keep\n//- a.rs\n//- src/b.rs\n//- src/keep/c.rs\n");
    let found = scan(
        &tree,
        BoundaryOptions {
            use_dockerignore: true,
            ..BoundaryOptions::default()
        },
    );
    assert_eq!(files(&found), ["src/keep/c.rs"]);
}

#[test]
fn idx_3_global_and_exclude_files() {
    let tree = TempTree::new("//- a.rs\n//- b.swp\n//- c.own\n");
    tree.git(&["init", "-q"]);
    tree.write(".git/info/exclude", "*.own\n");
    let elsewhere = TempTree::new("//- ignore\n*.swp\n");
    let global = elsewhere.path("ignore");
    let found = scan(
        &tree,
        BoundaryOptions {
            global_ignore: Some(global.clone()),
            ..BoundaryOptions::default()
        },
    );
    assert_eq!(files(&found), ["a.rs"]);
    assert_eq!(
        skip(&found, "c.own"),
        (SkipReason::GitIgnore, ".git/info/exclude:1: *.own")
    );
    assert_eq!(skip(&found, "b.swp").1, format!("{}:1: *.swp", global.display()));
}

#[test]
fn idx_3_output_folders() {
    let tree = TempTree::new(
        "//- Cargo.toml\n//- build\na file\n//- target/x.rs\n//- src/build/main.rs\n//- packages/app/package.json\n{}\n\
         //- packages/app/dist/a.js\n//- packages/app/lib/dist/b.js\n//- build-tools/a.rs\n",
    );
    let found = scan(&tree, BoundaryOptions::default());
    assert_eq!(
        files(&found),
        [
            "Cargo.toml",
            "build",
            "build-tools/a.rs",
            "packages/app/lib/dist/b.js",
            "packages/app/package.json",
            "src/build/main.rs"
        ]
    );
    assert_eq!(
        skip(&found, "target"),
        (
            SkipReason::BuiltIn,
            "built-in: target, where builds put their output"
        )
    );
    // Tracked files stay, whatever their folder is called.
    tree.git(&["init", "-q"]);
    tree.git(&["add", "-f", "packages/app/dist/a.js"]);
    let found = scan(&tree, BoundaryOptions::default());
    assert!(files(&found).contains(&"packages/app/dist/a.js"));
    assert!(!files(&found).contains(&"target/x.rs"));
}

#[test]
fn idx_3_hidden_folders_and_files() {
    let tree = TempTree::new(
        "//- .eslintrc.json\n{}\n//- .github/ci.yml\n//- .git/HEAD\n//- a/.hidden/b.rs\n//- .vscode/c.json\n",
    );
    let found = scan(&tree, BoundaryOptions::default());
    assert_eq!(files(&found), [".eslintrc.json", ".github/ci.yml"]);
    assert_eq!(
        skip(&found, "a/.hidden"),
        (SkipReason::HiddenFolder, "hidden folder: .hidden")
    );
    let found = scan(
        &tree,
        BoundaryOptions {
            hidden: true,
            ..BoundaryOptions::default()
        },
    );
    assert_eq!(
        files(&found),
        [".eslintrc.json", ".github/ci.yml", "a/.hidden/b.rs"]
    );
    let watch_paths = vec![".github".to_owned()];
    let found = scan(
        &tree,
        BoundaryOptions {
            watch_paths,
            ..BoundaryOptions::default()
        },
    );
    assert_eq!(files(&found), [".github/ci.yml"]);
}

#[test]
fn idx_3_hidden_folders_that_describe_the_project_are_in() {
    let tree = TempTree::new(
        "//- .github/workflows/ci.yml\n//- .github/copilot-instructions.md\n//- .gitlab/merge.md\n//- .circleci/config.yml\n\
         //- .devcontainer/devcontainer.json\n//- .config/nextest.toml\n//- .cargo/config.toml\n//- .husky/pre-commit\n\
         //- app/.storybook/main.ts\n//- .clinerules/style.md\n//- .cursorrules\n//- .windsurfrules\n//- AGENTS.md\n//- CLAUDE.md\n\
         //- .cursor/rules/api.mdc\n//- .cursor/mcp.json\n//- .claude/commands/fix.md\n//- .claude/agents/critic.md\n\
         //- .claude/settings.local.json\n//- .claude/logs/a.txt\n//- .idea/a.xml\n//- .private/a.md\n//- .github/.cache/x.txt\n",
    );
    let found = scan(&tree, BoundaryOptions::default());
    assert_eq!(
        files(&found),
        [
            ".cargo/config.toml",
            ".circleci/config.yml",
            ".claude/agents/critic.md",
            ".claude/commands/fix.md",
            ".clinerules/style.md",
            ".config/nextest.toml",
            ".cursor/rules/api.mdc",
            ".cursorrules",
            ".devcontainer/devcontainer.json",
            ".github/copilot-instructions.md",
            ".github/workflows/ci.yml",
            ".gitlab/merge.md",
            ".husky/pre-commit",
            ".windsurfrules",
            "AGENTS.md",
            "CLAUDE.md",
            "app/.storybook/main.ts",
        ]
    );
    assert_eq!(
        skip(&found, ".private"),
        (SkipReason::HiddenFolder, "hidden folder: .private")
    );
    assert_eq!(
        skip(&found, ".cursor/mcp.json"),
        (
            SkipReason::HiddenFolder,
            "hidden folder: .cursor, of which only commands, rules are indexed"
        )
    );
    assert_eq!(
        skip(&found, ".claude/settings.local.json").0,
        SkipReason::HiddenFolder
    );
}

#[test]
fn pkg_2_hidden_folders_with_a_tracked_manifest_are_in() {
    let tree = TempTree::new(
        "//- package.json\n{}\n//- samples/.try/one/package.json\n{}\n//- samples/.try/one/src/a.ts\n//- .state/package.json\n{}\n\
         //- .notes/a.md\n//- .claude/tool/package.json\n{}\n//- .vscode/package.json\n{}\n",
    );
    tree.git(&["init", "-q"]);
    let tracked = ["samples", ".notes", ".claude", ".vscode", "package.json"];
    tree.git(&[&["add", "-f"][..], &tracked].concat());
    let found = scan(&tree, BoundaryOptions::default());
    assert_eq!(
        files(&found),
        [
            "package.json",
            "samples/.try/one/package.json",
            "samples/.try/one/src/a.ts"
        ]
    );
    assert_eq!(skip(&found, ".state").0, SkipReason::HiddenFolder);
    assert_eq!(skip(&found, ".notes").0, SkipReason::HiddenFolder);
    let path = RepoPath::new("samples/.try/one/src/a.ts").unwrap();
    let verdict = open(&tree, BoundaryOptions::default()).check(&path).unwrap();
    assert_eq!(verdict, crate::Verdict::Indexed);
}

#[test]
fn idx_3_contextignore_brings_in_what_is_ignored() {
    let tree = TempTree::new(
        "//- .gitignore\ngen/\n*.log\ndata/\n//- .contextignore\n!gen/\n!important.log\n!data/schema/*.sql\n!.notes/\n!.deep/in/a.md\n\
         !.git/\n!node_modules/\n!x.secret\n//- gen/api.ts\n//- gen/debug.log\n//- important.log\n//- other.log\n\
         //- data/schema/a.sql\n//- data/schema/a.csv\n//- data/big.csv\n//- .notes/a.md\n//- .deep/in/a.md\n//- .deep/in/b.md\n\
         //- .deep/c.md\n//- node_modules/a.js\n//- x.secret\n",
    );
    tree.git(&["init", "-q"]);
    // Tracked or not, hidden entries are excluded by another rule than git's.
    tree.git(&["add", "-f", ".deep/c.md"]);
    let found = scan(&tree, BoundaryOptions::default());
    assert_eq!(
        files(&found),
        [
            ".contextignore",
            ".deep/in/a.md",
            ".gitignore",
            ".notes/a.md",
            "data/schema/a.sql",
            "gen/api.ts",
            "important.log",
        ]
    );
    assert_eq!(
        skip(&found, "gen/debug.log"),
        (SkipReason::GitIgnore, ".gitignore:2: *.log")
    );
    assert_eq!(
        skip(&found, "data/big.csv"),
        (SkipReason::GitIgnore, ".gitignore:3: data/")
    );
    assert_eq!(
        skip(&found, ".deep/c.md"),
        (SkipReason::HiddenFolder, "hidden folder: .deep")
    );
    for path in [
        "gen/api.ts",
        "gen/debug.log",
        "data/schema/a.sql",
        ".deep/in/b.md",
        "data/big.csv",
    ] {
        let verdict = open(&tree, BoundaryOptions::default())
            .check(&RepoPath::new(path).unwrap())
            .unwrap();
        let is_in = files(&found).contains(&path);
        assert_eq!(verdict == crate::Verdict::Indexed, is_in, "{path}: {verdict:?}");
    }
}

#[test]
fn idx_3_git_s_ignore_files_can_be_left_aside() {
    let tree = TempTree::new(
        "//- .gitignore\n*.log\n//- a.log\n//- node_modules/b.js\n//- .contextignore\nc.log\n//- c.log\n",
    );
    tree.git(&["init", "-q"]);
    let options = BoundaryOptions {
        use_gitignore: false,
        ..BoundaryOptions::default()
    };
    let found = scan(&tree, options);
    assert_eq!(files(&found), [".contextignore", ".gitignore", "a.log"]);
}

#[test]
fn idx_3_caches_and_environments_are_known_by_what_they_hold() {
    let tree = TempTree::new(
        "//- my-env/pyvenv.cfg\n//- my-env/lib/a.py\n//- deep/out2/CACHEDIR.TAG\n//- deep/out2/b.rs\n//- c.rs\n",
    );
    let found = scan(&tree, BoundaryOptions::default());
    assert_eq!(files(&found), ["c.rs"]);
    assert_eq!(skip(&found, "my-env").1, "built-in: a folder with pyvenv.cfg");
}

#[test]
fn idx_3_repositories_inside() {
    let tree = TempTree::new(
        "//- .gitignore\n*.out\n//- a.rs\n//- sub/.gitignore\n*.tmp\n//- sub/b.out\n//- sub/c.tmp\n",
    );
    tree.git(&["init", "-q"]);
    tree.git(&["add", "a.rs"]);
    tree.git(&["commit", "-qm", "x"]);
    tree.git(&["worktree", "add", "-q", "other"]);
    kitbag_testkit::git(&tree.path("sub"), &["init", "-q"]);
    let found = scan(&tree, BoundaryOptions::default());
    assert_eq!(
        files(&found),
        [".gitignore", "a.rs", "sub/.gitignore", "sub/b.out"]
    );
    assert_eq!(
        skip(&found, "other").1,
        "built-in: another worktree of this repository"
    );
    assert_eq!(
        found
            .repositories
            .iter()
            .map(|found| found.path.as_str())
            .collect::<Vec<_>>(),
        ["", "sub"]
    );
}

#[test]
fn idx_4_extensions_and_size() {
    let tree = TempTree::new("//- a.rs\n//- b.py\n//- c.PNG\n//- Dockerfile\n");
    tree.write("big.rs", vec![b'x'; 3000]);
    tree.write("big.sql", vec![b'x'; 3000]);
    let options = BoundaryOptions {
        max_file_bytes: 2000,
        warn_file_bytes: 1000,
        ..BoundaryOptions::default()
    };
    let found = scan(
        &tree,
        BoundaryOptions {
            size_exceptions: vec!["*.sql".into()],
            ..options.clone()
        },
    );
    assert_eq!(files(&found), ["Dockerfile", "a.rs", "b.py", "big.sql"]);
    assert_eq!(
        skip(&found, "big.rs"),
        (SkipReason::TooLarge, "3000 bytes, the limit is 2000")
    );
    assert_eq!(skip(&found, "c.PNG"), (SkipReason::Binary, "extension .png"));
    assert_eq!(
        found.notes.iter().map(|note| note.code).collect::<Vec<_>>(),
        ["large_file"]
    );
    let allowed = vec![".RS".to_owned(), "dockerfile".to_owned()];
    let found = scan(
        &tree,
        BoundaryOptions {
            allowed_extensions: allowed,
            ..options.clone()
        },
    );
    assert_eq!(files(&found), ["Dockerfile", "a.rs"]);
    let found = scan(
        &tree,
        BoundaryOptions {
            blocked_extensions: vec!["py".into()],
            ..options
        },
    );
    assert_eq!(
        skip(&found, "b.py"),
        (SkipReason::Extension, "in blocked_extensions")
    );
}

#[test]
fn idx_2_watch_paths_limit_and_overlap() {
    let tree = TempTree::new("//- a/x.rs\n//- a/b/y.rs\n//- c/z.rs\n//- one.rs\n//- two.rs\n");
    let watch_paths = vec!["a/b".to_owned(), "a".to_owned(), "one.rs".to_owned()];
    let found = scan(
        &tree,
        BoundaryOptions {
            watch_paths,
            ..BoundaryOptions::default()
        },
    );
    assert_eq!(files(&found), ["a/b/y.rs", "a/x.rs", "one.rs"]);
    assert_eq!(skip(&found, "c").0, SkipReason::OutsideWatchPaths);
    assert_eq!(
        found.notes[0].message,
        "watch path `a/b` is already covered by `a`"
    );
}

#[cfg(unix)]
#[test]
fn idx_6_odd_names() {
    use std::os::unix::ffi::OsStrExt;
    let tree = TempTree::empty();
    for name in [
        "a b.rs",
        "q\"uote's.rs",
        "new\nline.rs",
        "-dash.rs",
        "back\\slash.rs",
        "日本.rs",
    ] {
        tree.write(name, "x");
    }
    tree.write(std::ffi::OsStr::from_bytes(b"latin-\xE9.rs"), "x");
    tree.write(
        std::path::Path::new(std::ffi::OsStr::from_bytes(b"dir-\xE9")).join("a.rs"),
        "x",
    );
    let found = scan(&tree, BoundaryOptions::default());
    assert_eq!(found.files.len(), 6);
    let odd: Vec<SkipReason> = found.skipped.iter().map(|(_, skip)| skip.reason).collect();
    assert_eq!(odd, [SkipReason::NameNotUtf8, SkipReason::NameNotUtf8]);
}

#[cfg(unix)]
#[test]
fn idx_5_links_are_not_followed() {
    let outside = TempTree::new("//- s.rs\n");
    let tree = TempTree::new("//- a.rs\n//- d/b.rs\n");
    tree.symlink("a.rs", "l.rs");
    tree.symlink("..", "d/up");
    tree.symlink(outside.root(), "out");
    tree.symlink("loop", "loop");
    let found = scan(&tree, BoundaryOptions::default());
    assert_eq!(files(&found), ["a.rs", "d/b.rs"]);
    for path in ["l.rs", "d/up", "out", "loop"] {
        assert_eq!(skip(&found, path).0, SkipReason::Symlink);
    }
}

#[cfg(unix)]
#[test]
fn idx_5_links_followed() {
    let outside = TempTree::new("//- s.rs\n");
    let tree = TempTree::new(
        "//- a.rs\n//- d/b.rs\n//- .store/deep/c.rs\n//- .store/x.secret\n//- .store/l1/one.rs\n//- .store/l2/two.rs\n\
         //- .store/l3/three.rs\n//- .store/l4/four.rs\n",
    );
    tree.symlink("a.rs", "same.rs");
    tree.symlink("..", "d/up");
    tree.symlink(outside.root(), "out");
    tree.symlink("loop", "loop");
    tree.symlink("nowhere", "dangling");
    tree.symlink(".store/deep", "linked");
    tree.symlink(".store/deep/c.rs", "zz.rs");
    tree.symlink(".store/x.secret", "innocent.rs");
    tree.symlink(".store/l1", "chain");
    tree.symlink("../l2", ".store/l1/next");
    tree.symlink("../l3", ".store/l2/next");
    tree.symlink("../l4", ".store/l3/next");
    let options = BoundaryOptions {
        follow_symlinks: true,
        ..BoundaryOptions::default()
    };
    let found = scan(&tree, options.clone());
    assert_eq!(
        files(&found),
        [
            "a.rs",
            "chain/next/next/three.rs",
            "chain/next/two.rs",
            "chain/one.rs",
            "d/b.rs",
            "linked/c.rs"
        ]
    );
    assert_eq!(skip(&found, "same.rs").1, "the same as a.rs");
    assert_eq!(skip(&found, "zz.rs").1, "the same as .store/deep/c.rs");
    assert_eq!(skip(&found, "d/up").1, "the same as .");
    assert_eq!(skip(&found, "out").1, "a link that leads out of the project");
    assert_eq!(skip(&found, "loop").0, SkipReason::Symlink);
    assert_eq!(skip(&found, "dangling").0, SkipReason::Symlink);
    assert_eq!(skip(&found, "innocent.rs").0, SkipReason::Never);
    assert_eq!(skip(&found, "chain/next/next/next").1, "more than 3 links deep");
    // Every file can be read, and the checks agree with the scan.
    let tree = open(&tree, options);
    for file in &found.files {
        tree.read(&file.path).unwrap();
        assert_eq!(
            tree.check(&file.path).unwrap(),
            crate::Verdict::Indexed,
            "{}",
            file.path
        );
    }
}

#[cfg(unix)]
#[test]
fn idx_5_knots_of_links_end() {
    let tree = TempTree::new("//- .k/a/x.rs\n//- .k/b/y.rs\n");
    for from in ["a", "b"] {
        for n in 0..20 {
            tree.symlink(
                if n % 2 == 0 { "../a" } else { "../b" },
                format!(".k/{from}/l{n}"),
            );
            tree.symlink("../../..", format!(".k/{from}/root{n}"));
        }
    }
    tree.symlink(".k", "k");
    let found = scan(
        &tree,
        BoundaryOptions {
            follow_symlinks: true,
            ..BoundaryOptions::default()
        },
    );
    assert_eq!(files(&found), ["k/a/x.rs", "k/b/y.rs"]);
}

#[test]
fn same_answer_with_one_thread_and_with_many() {
    let (tree, _) = random_repository(&mut Random::new(42));
    for folder in 0..40 {
        for file in 0..5 {
            tree.write(format!("many/d{folder}/e{}/f{file}.rs", folder % 3), "x");
        }
    }
    let tree = open(&tree, BoundaryOptions::default());
    let with = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .unwrap();
        pool.install(|| tree.scan(Timestamp(0)).unwrap())
    };
    assert_eq!(with(1), with(4));
}

#[test]
fn idx_7_check_says_what_the_scan_says() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let (tree, paths) = random_repository(&mut random);
        let found = scan(&tree, BoundaryOptions::default());
        let open = open(&tree, BoundaryOptions::default());
        for path in paths {
            let path = kitbag_types::RepoPath::new(path).unwrap();
            let indexed = open.check(&path).unwrap() == crate::Verdict::Indexed;
            assert_eq!(
                indexed,
                found.files.iter().any(|file| file.path == path),
                "seed {seed}: {path}"
            );
        }
    }
}
