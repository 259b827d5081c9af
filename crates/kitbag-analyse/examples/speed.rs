//! Measures how long packages take: a made tree of so many packages for each kind of workspace, and junk for every reader.
//!
//! `cargo run --release --example speed -- [N_PACKAGES]`. Prints milliseconds; the bars of PKG-8 are 10 ms for 20 packages and one
//! second for 1,000.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program of its own that measures"
)]

use std::time::Instant;

use kitbag_analyse::packages::{self, Graph, MANAGERS, Manifest};
use kitbag_types::RepoPath;

fn main() {
    let n = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(1_000);
    for n_packages in [20, n] {
        for (name, tree) in [
            ("pnpm", pnpm(n_packages)),
            ("cargo", cargo(n_packages)),
            ("maven", maven(n_packages)),
            ("gradle", gradle(n_packages)),
        ] {
            measure(&format!("{name}, {n_packages} packages"), &tree);
        }
    }
    let junk = [
        "include \"a\" ",
        "{ ( [ ] ) }",
        "<a>x</a>",
        "val x = f(\"a\") ",
        "a: {b: [c]}\n",
        "a = 1\n",
        ":{:a,",
        "do end\n",
        "[[a]]\n",
        "object a extends bModule {",
    ];
    for pattern in MANAGERS.iter().flat_map(|manager| manager.manifests) {
        let path = path(&pattern.replace('*', "x"));
        for piece in junk {
            let text = piece.repeat((2 << 20) / piece.len());
            let started = Instant::now();
            let manifest = packages::read(&path, &text).unwrap_or_default();
            packages::assemble(std::slice::from_ref(&path), &[(&path, &manifest)], "root");
            let took = started.elapsed().as_secs_f64() * 1e3;
            if took > 500.0 {
                println!("slow: 2 MB of {piece:?} in {path}: {took:.0} ms");
            }
        }
    }
}

fn measure(what: &str, tree: &[(RepoPath, String)]) {
    let started = Instant::now();
    let manifests: Vec<(&RepoPath, Manifest)> = tree
        .iter()
        .filter_map(|(path, text)| Some((path, packages::read(path, text)?)))
        .collect();
    let parsed = started.elapsed();
    let manifests: Vec<(&RepoPath, &Manifest)> = manifests
        .iter()
        .map(|(path, manifest)| (*path, manifest))
        .collect();
    let files: Vec<RepoPath> = tree.iter().map(|(path, _)| path.clone()).collect();
    let (found, _) = packages::assemble(&files, &manifests, "root");
    let graph = Graph::new(&found, &[]);
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    println!(
        "{what}: read {:.1} ms, with assembling {:.1} ms ({} packages, {} edges)",
        ms(parsed),
        ms(started.elapsed()),
        found.list().len(),
        graph.edges().len()
    );
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).expect("the paths of this program are well formed")
}

/// Each package depends on five before it; ten sources stand beside each manifest.
fn tree(
    n: usize,
    root: (&str, String),
    (file, source): (&str, &str),
    manifest: &dyn Fn(usize, &[usize]) -> String,
) -> Vec<(RepoPath, String)> {
    let mut files = vec![(path(root.0), root.1)];
    for at in 0..n {
        let before: Vec<usize> = (1..=5).filter_map(|step| at.checked_sub(step * step)).collect();
        let text = manifest(at, &before);
        files.push((path(&format!("packages/p{at}/{file}")), text));
        for idx in 0..10 {
            files.push((path(&format!("packages/p{at}/src/{idx}.{source}")), String::new()));
        }
    }
    files
}

fn joined(before: &[usize], line: &dyn Fn(usize) -> String, by: &str) -> String {
    before.iter().map(|at| line(*at)).collect::<Vec<_>>().join(by)
}

fn pnpm(n: usize) -> Vec<(RepoPath, String)> {
    let root = ("pnpm-workspace.yaml", "packages:\n  - packages/*\n".to_owned());
    tree(n, root, ("package.json", "ts"), &|at, before| {
        let list = joined(before, &|to| format!("\"p{to}\": \"workspace:*\""), ",\n");
        format!("{{\"name\": \"p{at}\",\n\"dependencies\": {{{list}}}}}")
    })
}

fn cargo(n: usize) -> Vec<(RepoPath, String)> {
    let shared: String = (0..n)
        .map(|at| format!("p{at} = {{ path = \"packages/p{at}\" }}\n"))
        .collect();
    let root = (
        "Cargo.toml",
        format!("[workspace]\nmembers = [\"packages/*\"]\n[workspace.dependencies]\n{shared}"),
    );
    tree(n, root, ("Cargo.toml", "rs"), &|at, before| {
        let list = joined(before, &|to| format!("p{to}.workspace = true"), "\n");
        format!("[package]\nname = \"p{at}\"\n[dependencies]\n{list}\n")
    })
}

fn maven(n: usize) -> Vec<(RepoPath, String)> {
    let modules: String = (0..n)
        .map(|at| format!("<module>packages/p{at}</module>\n"))
        .collect();
    let own = "<groupId>g</groupId><artifactId>root</artifactId><version>1</version>";
    let root = (
        "pom.xml",
        format!("<project>{own}<modules>{modules}</modules></project>"),
    );
    tree(n, root, ("pom.xml", "java"), &|at, before| {
        let dependency =
            |to| format!("<dependency><groupId>g</groupId><artifactId>p{to}</artifactId></dependency>");
        let list = joined(before, &dependency, "\n");
        let parent = format!("<parent>{own}<relativePath>../../pom.xml</relativePath></parent>");
        format!(
            "<project>{parent}<artifactId>p{at}</artifactId><dependencies>{list}</dependencies></project>"
        )
    })
}

fn gradle(n: usize) -> Vec<(RepoPath, String)> {
    let includes: String = (0..n)
        .map(|at| format!("include(\":packages:p{at}\")\n"))
        .collect();
    tree(
        n,
        ("settings.gradle.kts", includes),
        ("build.gradle.kts", "kt"),
        &|_, before| {
            let list = joined(
                before,
                &|to| format!("implementation(projects.packages.p{to})"),
                "\n",
            );
            format!("dependencies {{\n{list}\n}}\n")
        },
    )
}
