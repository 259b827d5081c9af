//! `kitbag packages`: the packages of the project, who depends on whom, what a change affects.

use kitbag_engine::Engine;
use kitbag_engine::api::{self, AffectedPackage, Package, PackagesReply, PackagesRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::Packages;
use crate::cli::context::Context;
use crate::cli::meter::metered;
use crate::cli::paths::{inside, meant};
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table, grouped};

pub(crate) fn run(context: &Context, arguments: Packages) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let request = PackagesRequest {
        package: arguments.name,
        graph: arguments.graph,
        affected_by: affected_by(context, &engine, &arguments.affected_by)?,
        // Without a revision: against the commit that is checked out.
        diff: arguments.diff.map(Option::unwrap_or_default),
    };
    let reply = metered(context, |report| {
        api::packages(
            &engine,
            &request,
            !arguments.no_update,
            report,
            context.around.now,
        )
    });
    let reply = reply?;
    let answer = Answer::new(context, &reply, |page| match (&reply.graph, &reply.affected) {
        (Some(graph), _) => {
            for line in graph.lines() {
                page.line(line);
            }
        }
        (None, Some(affected)) => render_affected(page, affected),
        (None, None) if request.package.is_some() => render_one(page, &reply),
        (None, None) => render_all(page, &reply),
    });
    let answer = answer.warn(context, &reply.warnings);
    let reaches_nothing = reply.affected.as_ref().is_some_and(Vec::is_empty);
    Ok(if reaches_nothing && reply.graph.is_none() {
        answer
            .remark(context, "the change affects no package")
            .exit(Exit::NothingFound)
    } else {
        answer
    })
}

/// Paths relative to the root of the project. They need not exist: a file may have been deleted.
fn affected_by(
    context: &Context,
    engine: &Engine,
    paths: &[std::path::PathBuf],
) -> Result<Vec<String>, Failure> {
    paths
        .iter()
        .map(|path| project_path(context, engine, path))
        .collect()
}

/// A path as the project names it; `.` for its root.
pub(crate) fn project_path(
    context: &Context,
    engine: &Engine,
    path: &std::path::Path,
) -> Result<String, Failure> {
    let meant = meant(engine.root(), &context.around.cwd, path);
    if meant.canonicalize().is_ok_and(|meant| meant == engine.root()) {
        return Ok(".".to_owned());
    }
    inside(engine.root(), &context.around.cwd, &meant).ok_or_else(|| {
        let root = engine.root().display();
        let message = format!("{} is not inside the project {root}", path.display());
        Failure::wrong_use("PATH_DENIED", message)
    })
}

fn render_all(page: &mut Page, reply: &PackagesReply) {
    let (left, right) = ((Align::Left, None), (Align::Right, None));
    let columns = [
        (Align::Left, Some(Style::Label)),
        (Align::Left, Some(Style::Path)),
        left,
        left,
        right,
        left,
    ];
    let mut table = Table::new(&columns);
    table.row(&["name", "path", "manager", "version", "files", "depends on"]);
    for package in &reply.packages {
        table.row(&[
            &package.name,
            &package.path,
            &package.manager,
            package.version.as_deref().unwrap_or_default(),
            &grouped(package.files),
            &package.internal_dependencies.join(", "),
        ]);
    }
    table.fit(1).print(page);
    render_notes(page, reply);
}

fn render_notes(page: &mut Page, reply: &PackagesReply) {
    if !reply.cycles.is_empty() {
        page.end_line().line("in a circle");
        for names in &reply.cycles {
            page.put("  ").line(&names.join(", "));
        }
    }
    if !reply.undeclared.is_empty() {
        page.end_line().line("imports that no manifest declares");
        for import in &reply.undeclared {
            let place = format!("{}:{}", import.first.path, import.first.line);
            page.put("  ").put(&format!("{} → {} ", import.from, import.to));
            page.styled(Style::Path, &place).end_line();
        }
    }
}

fn render_one(page: &mut Page, reply: &PackagesReply) {
    for package in &reply.packages {
        let mut table = Table::new(&[(Align::Left, Some(Style::Quiet)), (Align::Left, None)]);
        for (name, value) in facts(package) {
            table.row(&[name, &value]);
        }
        table.print(page);
    }
    render_notes(page, reply);
}

/// What is known of a package, by name.
fn facts(package: &Package) -> Vec<(&'static str, String)> {
    let mut facts = vec![("name", package.name.clone()), ("path", package.path.clone())];
    facts.push(("manager", package.manager.to_string()));
    facts.extend(package.language.iter().map(|one| ("language", one.to_string())));
    facts.extend(package.version.iter().map(|one| ("version", one.clone())));
    facts.extend(package.description.iter().map(|one| ("description", one.clone())));
    let place = package.manifest.as_ref();
    facts.extend(place.map(|at| ("declared in", format!("{}:{}", at.path, at.line))));
    facts.push(("files", grouped(package.files)));
    facts.extend(package.lines.map(|lines| ("lines", grouped(lines))));
    let (inside, outside): (Vec<_>, Vec<_>) = package
        .dependencies
        .iter()
        .partition(|dependency| dependency.package.is_some());
    for dependency in inside.into_iter().chain(outside) {
        let requirement = dependency.requirement.as_deref().unwrap_or_default();
        let mut said = format!("{} {requirement}", dependency.name).trim_end().to_owned();
        if dependency.kind != "direct" {
            said.push_str(&format!(" ({})", dependency.kind));
        }
        match &dependency.package {
            Some(path) => facts.push(("depends on", format!("{said}, {path}"))),
            None => facts.push(("from outside", said)),
        }
    }
    let imports = package.imports.iter().filter(|import| !import.declared);
    facts.extend(imports.map(|import| {
        let place = format!("{}:{}", import.first.path, import.first.line);
        ("imports", format!("{}, {place}, not declared", import.name))
    }));
    facts.extend(package.dependents.iter().map(|path| ("used by", path.clone())));
    // Each name once: the rest of a group is below it.
    let mut last = "";
    for (name, _) in &mut facts {
        let this = *name;
        if this == last {
            *name = "";
        }
        last = this;
    }
    facts
}

fn render_affected(page: &mut Page, affected: &[AffectedPackage]) {
    let mut table = Table::new(&[
        (Align::Right, Some(Style::Quiet)),
        (Align::Left, Some(Style::Label)),
        (Align::Left, Some(Style::Path)),
    ]);
    for package in affected {
        table.row(&[&package.distance.to_string(), &package.name, &package.path]);
    }
    table.print(page);
}
