//! How a package is built, tested and checked: scripts of its runner files, the test command of its manager, what CI runs. Only names that
//! stand in a file are told (INS-12), and none that a README tells.

use kitbag_analyse::constraints::Constraint;
use kitbag_analyse::documents::{Runner, runner_of, runner_scripts};
use kitbag_analyse::packages::Package;
use kitbag_pack::{BriefSection, Insight, InsightPlace};
use kitbag_types::RepoPath;

use super::Ground;
use super::prove::Told;
use super::readme::says;

/// Scripts that say how to work on a package; the others are its own business.
const TELLING: &[&str] = &[
    "build",
    "check",
    "ci",
    "dev",
    "fmt",
    "format",
    "lint",
    "start",
    "test",
    "tests",
    "typecheck",
    "type-check",
    "types",
    "verify",
    "watch",
    "run",
    "serve",
    "e2e",
    "integration-test",
    "unit-test",
    "test:unit",
    "test:e2e",
    "fix",
];
/// Commands of CI that are told.
const CI_COMMANDS: usize = 8;
const MOST_CHARS: usize = 90;

/// In the order in which a newcomer wants them.
pub(super) fn insights(ground: Ground<'_>, package: &Package, rules: &[&Constraint]) -> Vec<Told> {
    let mut told = Vec::new();
    told.extend(test_command(ground, package));
    told.extend(scripts(ground, package));
    told.extend(ci(ground, package, rules));
    told
}

/// What the manager itself runs the tests of one package with.
fn test_command(ground: Ground<'_>, package: &Package) -> Option<Told> {
    let path = package.path.as_str();
    let command = match package.manager {
        "cargo" if path.is_empty() => "cargo test".to_owned(),
        "cargo" => format!("cargo test -p {}", package.name),
        "go" if path.is_empty() => "go test ./...".to_owned(),
        "go" => format!("go test ./{path}/..."),
        "maven" if path.is_empty() => "mvn test".to_owned(),
        "maven" => format!("mvn -pl {path} test"),
        "mix" => "mix test".to_owned(),
        "swift" => "swift test".to_owned(),
        "nuget" => "dotnet test".to_owned(),
        "pub" => "dart test".to_owned(),
        "sbt" => "sbt test".to_owned(),
        _ => return None,
    };
    let manifest = package.place.as_ref()?;
    if says(ground.facts.readmes(ground), path, &command) {
        return None;
    }
    let id = format!("test {}", package.path);
    let insight = Insight::new(
        BriefSection::Header,
        "test_topology",
        id,
        format!("Tests: `{command}`"),
    );
    Some(Told::new(insight).proved_by(&manifest.path, 0, Vec::new()))
}

/// `npm scripts: build, lint, test`.
fn scripts(ground: Ground<'_>, package: &Package) -> Vec<Told> {
    let folder = package.path.as_str();
    let mut told = Vec::new();
    for name in [
        "package.json",
        "Makefile",
        "justfile",
        "Taskfile.yml",
        "composer.json",
        "deno.json",
    ] {
        let path = match folder {
            "" => name.to_owned(),
            folder => format!("{folder}/{name}"),
        };
        let Ok(path) = RepoPath::new(&path) else { continue };
        let Some(text) = text_of(ground, &path) else {
            continue;
        };
        let Some(runner) = runner_of(&path) else { continue };
        let scripts = runner_scripts(&[(path.clone(), text)]);
        let command = command_of(runner, package.manager);
        let is_told = |name: &str| says(ground.facts.readmes(ground), folder, &format!("{command} {name}"));
        let listed: Vec<&str> = scripts
            .stated(runner)
            .filter(|name| TELLING.contains(name) && !is_told(name))
            .collect();
        if listed.is_empty() {
            continue;
        }
        let text = format!("`{command}` runs {}", listed.join(", "));
        let mut insight = Insight::new(
            BriefSection::Header,
            "conventions",
            format!("scripts {path}"),
            text,
        );
        insight.place = Some(InsightPlace {
            path: path.to_string(),
            line: 0,
        });
        let holds = listed.iter().map(|name| (*name).to_owned()).collect();
        told.push(Told::new(insight).proved_by(&path, 0, holds));
    }
    told
}

fn command_of(runner: Runner, manager: &str) -> &'static str {
    match (runner, manager) {
        (Runner::Node, "pnpm") => "pnpm run",
        (Runner::Node, "yarn") => "yarn",
        (Runner::Node, "bun") => "bun run",
        (Runner::Node, _) => "npm run",
        (Runner::Make, _) => "make",
        (Runner::Just, _) => "just",
        (Runner::Task, _) => "task",
        (Runner::Composer, _) => "composer",
        (Runner::Deno, _) => "deno task",
    }
}

fn text_of(ground: Ground<'_>, path: &RepoPath) -> Option<String> {
    let file = ground.snapshot.file(path).ok().flatten()?;
    ground.snapshot.parse_text(file.parse?).ok()
}

/// `CI runs: …`, of the whole repository only.
fn ci(ground: Ground<'_>, package: &Package, rules: &[&Constraint]) -> Option<Told> {
    if !package.path.is_empty() {
        return None;
    }
    let mut commands: Vec<(&str, &Constraint)> = Vec::new();
    for rule in rules.iter().filter(|rule| rule.category == "ci") {
        // Actions of others and hooks have names, not commands.
        let Some(command) = rule
            .guidance
            .strip_prefix("CI runs `")
            .map(|rest| rest.trim_end_matches('`'))
        else {
            continue;
        };
        // What a matrix fills in cannot be run as it stands.
        if command.contains("${{") {
            continue;
        }
        let is_known = commands.iter().any(|(known, _)| *known == command);
        let is_told = says(ground.facts.readmes(ground), "", command);
        if !is_known && !is_told && command.chars().count() <= MOST_CHARS {
            commands.push((command, rule));
        }
    }
    commands.truncate(CI_COMMANDS);
    let (_, first) = commands.first()?;
    let listed: Vec<String> = commands
        .iter()
        .map(|(command, _)| format!("`{command}`"))
        .collect();
    let text = format!("CI runs {}", listed.join(", "));
    let mut insight = Insight::new(BriefSection::Header, "conventions", "ci".to_owned(), text);
    insight.place = Some(InsightPlace {
        path: first.place.path.to_string(),
        line: first.place.line,
    });
    let mut told = Told::new(insight);
    for (command, rule) in &commands {
        let word = command.split_whitespace().next().unwrap_or_default().to_owned();
        told = told.proved_by(&rule.place.path, 0, vec![word]);
    }
    Some(told)
}
