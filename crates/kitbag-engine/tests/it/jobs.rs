//! IDX-51, IDX-52: refreshing and rebuilding as jobs, through the API.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kitbag_engine::api::{self, JobReply, OpenJob, RebuildOptions, RebuildRequest, RefreshRequest};
use kitbag_engine::{Engine, EngineError, Phase, Timestamp};

use crate::world::{NOW, World};

const CONFIRMED: RebuildRequest = RebuildRequest {
    confirm: true,
    paths: Vec::new(),
    options: RebuildOptions {
        clear_errors: true,
        vacuum: true,
        validate_only: false,
    },
};

/// Runs a job by a clock that goes a second a look.
fn run(engine: &Engine, open: OpenJob, stop: &AtomicBool) -> Result<JobReply, EngineError> {
    let ticks = Cell::new(0);
    let clock = || {
        ticks.set(ticks.get() + 1);
        Timestamp(NOW.0 + ticks.get() * 1_000)
    };
    api::run_job(engine, open, &mut |_| {}, stop, &clock)
}

fn rebuild(engine: &Engine) -> JobReply {
    let open = api::create_rebuild(engine, "", &CONFIRMED, NOW).unwrap();
    run(engine, open, &AtomicBool::new(false)).unwrap()
}

fn refresh(engine: &Engine, paths: &[&str], force: bool) -> JobReply {
    let request = RefreshRequest {
        paths: paths.iter().map(ToString::to_string).collect(),
        force,
    };
    let open = api::create_refresh(engine, "", &request, NOW).unwrap();
    run(engine, open, &AtomicBool::new(false)).unwrap()
}

#[test]
fn idx_51_a_rebuilt_index_says_what_a_fresh_one_does() {
    let world = World::sample();
    world.index();
    let before = world.dump();
    let engine = world.engine();
    let job = rebuild(&engine);
    assert_eq!((job.kind, job.status), ("rebuild_full", "completed"));
    assert_eq!(job.metrics["parsed"], job.metrics["files"], "{job:?}");
    assert_eq!(
        (job.processed, job.total),
        (job.metrics["added"], job.metrics["added"])
    );
    assert!(
        job.log.iter().any(|line| line.starts_with("indexing, ")),
        "{job:?}"
    );
    assert_eq!(world.dump(), before);
    // Nothing is left to do, and a second one does as well.
    assert_eq!(world.index().unchanged, job.metrics["files"]);
    rebuild(&engine);
    assert_eq!(world.dump(), before);
    world.tree.write("src/late.rs", "pub fn latecomer() {}\n");
    assert_eq!(world.paths("latecomer")[0], "src/late.rs");
}

#[test]
fn idx_51_a_first_index_may_be_a_rebuild() {
    let world = World::sample();
    rebuild(&world.engine());
    let rebuilt = world.dump();
    world.forget();
    world.index();
    assert_eq!(rebuilt, world.dump());
}

#[test]
fn idx_52_cancelling_a_rebuild_leaves_the_old_index() {
    let world = World::sample();
    world.index();
    let before = world.dump();
    let engine = world.engine();
    for phase in [Phase::Indexing, Phase::Publishing, Phase::Embedding] {
        let stop = AtomicBool::new(false);
        let open = api::create_rebuild(&engine, "", &CONFIRMED, NOW).unwrap();
        let mut tell = |step: kitbag_engine::Progress<'_>| {
            if step.phase == phase {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let job = api::run_job(&engine, open, &mut tell, &stop, &|| NOW).unwrap();
        assert_eq!((job.status, job.error), ("cancelled", None), "{phase:?}");
        assert_eq!(world.dump(), before, "{phase:?}");
    }
}

#[test]
fn idx_52_another_process_can_ask_for_an_end() {
    let world = World::sample();
    world.index();
    let engine = world.engine();
    let open = api::create_rebuild(&engine, "", &CONFIRMED, NOW).unwrap();
    let id = open.id();
    assert_eq!(api::job(&engine, "", &id, NOW).unwrap().status, "queued");
    // Another engine over the same store is what another process has.
    let elsewhere = world.engine();
    let cancelled = api::cancel_job(&elsewhere, "", &id, NOW).unwrap();
    assert!(cancelled.cancelling);
    let job = run(&engine, open, &AtomicBool::new(false)).unwrap();
    assert_eq!(job.status, "cancelled");
    assert_eq!(
        api::cancel_job(&elsewhere, "", &id, NOW).unwrap().status,
        "cancelled"
    );
    let error = api::cancel_job(&elsewhere, "", "job-77", NOW).unwrap_err();
    assert_eq!(error.code(), "JOB_NOT_FOUND");
}

#[test]
fn idx_51_a_rebuild_needs_confirmation_and_the_project_to_itself() {
    let world = World::sample();
    world.index();
    let engine = world.engine();
    let unsure = RebuildRequest::default();
    let error = api::create_rebuild(&engine, "", &unsure, NOW).unwrap_err();
    assert_eq!(error.code(), "CONFIRMATION_REQUIRED");
    let open = api::create_refresh(&engine, "", &RefreshRequest::default(), NOW).unwrap();
    let error = api::create_rebuild(&engine, "", &CONFIRMED, NOW).unwrap_err();
    assert_eq!(error.code(), "JOB_RUNNING");
    assert!(error.to_string().contains(&open.id()), "{error}");
    drop(open);
    assert_eq!(rebuild(&engine).status, "completed");
    let statuses: Vec<&str> = api::jobs(&engine, "", NOW)
        .unwrap()
        .iter()
        .map(|job| job.status)
        .collect();
    assert_eq!(statuses, ["completed", "failed"]);
}

#[test]
fn idx_51_refresh_looks_only_where_it_is_told() {
    let world = World::sample();
    world.index();
    let engine = world.engine();
    world.tree.write("src/gen/new.rs", "pub fn mulberry() {}\n");
    world.tree.write("docs/new.md", "# Elderberry\n");
    world.tree.remove("src/gen/item3.rs");
    world.tree.remove("src/gen/item4.rs");
    let there = |word: &str| {
        let request = api::SearchRequest {
            update: false,
            ..api::SearchRequest::new(word)
        };
        let found = world.ask(&request);
        found
            .results
            .iter()
            .any(|hit| hit.text.to_lowercase().contains(word))
    };
    let job = refresh(&engine, &["src/gen/new.rs", "src/gen/item3.rs"], false);
    assert_eq!(job.scope, ["src/gen/item3.rs", "src/gen/new.rs"]);
    assert_eq!((job.metrics["added"], job.metrics["removed"]), (1, 1), "{job:?}");
    assert!(there("mulberry") && !there("elderberry"));
    // What was not looked at is not forgotten.
    let job = refresh(&engine, &[], false);
    assert_eq!((job.metrics["added"], job.metrics["removed"]), (1, 1), "{job:?}");
    assert!(there("elderberry"));
    world.forget();
    let whole = world.index();
    assert_eq!(whole.files, job.metrics["files"]);
}

#[test]
fn idx_44_force_believes_no_stamp_and_parses_nothing_twice() {
    let world = World::sample();
    world.index();
    let job = refresh(&world.engine(), &["src"], true);
    assert!(job.total >= 40, "{job:?}");
    assert_eq!((job.metrics["parsed"], job.metrics["changed"]), (0, 0), "{job:?}");
}

#[test]
fn idx_51_a_partial_rebuild_parses_what_is_cached() {
    let world = World::sample();
    world.index();
    let before = world.dump();
    let engine = world.engine();
    let request = RebuildRequest {
        paths: vec!["src/gen".into()],
        ..CONFIRMED
    };
    let open = api::create_rebuild(&engine, "", &request, NOW).unwrap();
    let job = run(&engine, open, &AtomicBool::new(false)).unwrap();
    assert_eq!(
        (job.kind, job.metrics["parsed"]),
        ("rebuild_partial", 40),
        "{job:?}"
    );
    assert_eq!(world.dump(), before);
}

#[test]
fn idx_6_paths_that_lead_out_are_refused() {
    let world = World::sample();
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), world.tree.path("way-out")).unwrap();
    let engine = world.engine();
    for path in ["../x", "src/../../x", "/etc", "way-out", "way-out/x"] {
        let paths = vec![path.to_owned()];
        let refresh = RefreshRequest {
            paths: paths.clone(),
            force: true,
        };
        let refused = api::create_refresh(&engine, "", &refresh, NOW).unwrap_err();
        assert_eq!(refused.code(), "PATH_DENIED", "{path}");
        let rebuild = RebuildRequest { paths, ..CONFIRMED };
        let refused = api::create_rebuild(&engine, "", &rebuild, NOW).unwrap_err();
        assert_eq!(refused.code(), "PATH_DENIED", "{path}");
        let refused = api::plan_rebuild(&engine, &rebuild, &|| Duration::ZERO, NOW).unwrap_err();
        assert_eq!(refused.code(), "PATH_DENIED", "{path}");
    }
    assert!(api::jobs(&engine, "", NOW).unwrap().is_empty());
    assert!(!world.store_dir().exists(), "a refusal leaves no trace");
}

#[test]
fn idx_51_a_dry_run_counts_and_makes_no_store() {
    let world = World::sample();
    let ticks = Cell::new(0);
    let elapsed = || {
        ticks.set(ticks.get() + 1);
        Duration::from_secs(ticks.get())
    };
    let plan = api::plan_rebuild(&world.engine(), &RebuildRequest::default(), &elapsed, NOW).unwrap();
    let files: u64 = plan.languages.values().map(|language| language.files).sum();
    assert_eq!(files, plan.files);
    assert!(plan.languages["rust"].files >= 40, "{plan:?}");
    assert!(
        plan.estimate.seconds > 0.0 && plan.estimate.sample_files > 0,
        "{plan:?}"
    );
    assert!(!world.store_dir().exists());
    assert_eq!(plan.files, world.index().files);
}

#[test]
fn sec_5_a_job_is_there_for_the_user_who_asked_for_it() {
    let world = World::sample();
    let engine = world.engine();
    let open = api::create_refresh(&engine, "ann", &RefreshRequest::default(), NOW).unwrap();
    let id = open.id();
    let seen = |user: &str| api::jobs(&engine, user, NOW).unwrap().len();
    assert_eq!([seen("ann"), seen("ben"), seen("")], [1, 0, 1]);
    for refused in [
        api::job(&engine, "ben", &id, NOW).unwrap_err(),
        api::cancel_job(&engine, "ben", &id, NOW).unwrap_err(),
    ] {
        assert_eq!(refused.code(), "JOB_NOT_FOUND");
    }
    let other = api::create_rebuild(&engine, "ben", &CONFIRMED, NOW).unwrap_err();
    assert_eq!(other.code(), "JOB_RUNNING");
    assert!(!other.to_string().contains(&id), "{other}");
    let own = api::create_rebuild(&engine, "ann", &CONFIRMED, NOW).unwrap_err();
    assert!(own.to_string().contains(&id), "{own}");
    assert!(!api::job(&engine, "ann", &id, NOW).unwrap().cancelling);
    assert!(api::cancel_job(&engine, "ann", &id, NOW).unwrap().cancelling);
}

#[test]
fn sec_5_one_user_does_not_use_up_the_jobs_of_a_project() {
    let world = World::sample();
    let engine = world.engine();
    let create = |user: &str| api::create_refresh(&engine, user, &RefreshRequest::default(), NOW);
    let held: Vec<_> = (0..3).map(|_| create("ann").unwrap()).collect();
    assert_eq!(create("ann").unwrap_err().code(), "TOO_MANY_JOBS");
    assert!(create("ben").is_ok());
    drop(held);
}
