use super::*;

const ROOT: &str = "/project";

fn journal(dir: &Path) -> Journal {
    Journal::open(dir, Path::new(ROOT)).unwrap()
}

fn refresh<'a>(scope: &'a [String]) -> NewJob<'a> {
    NewJob {
        user: "",
        kind: JobKind::Refresh,
        scope,
        alone: false,
    }
}

const REBUILD: NewJob<'static> = NewJob {
    user: "",
    kind: JobKind::RebuildFull,
    scope: &[],
    alone: true,
};

#[test]
fn idx_52_a_job_tells_its_story() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = journal(dir.path());
    let scope = ["src".to_owned()];
    let (ordinal, lock) = journal.create_job(&refresh(&scope), 10).unwrap();
    let seen = |journal: &mut Journal| journal.job(ordinal, 99).unwrap().unwrap();
    let queued = seen(&mut journal);
    assert_eq!((queued.status, queued.scope), (JobStatus::Queued, scope.to_vec()));
    journal.start_job(ordinal, 20).unwrap();
    assert!(!journal.note_progress(ordinal, (3, 9), "src/a.rs", 30).unwrap());
    let running = seen(&mut journal);
    assert_eq!(running.status, JobStatus::InProgress);
    assert_eq!((running.processed, running.total), (3, 9));
    assert_eq!(running.current_file, "src/a.rs");
    for n in 0..300 {
        journal.log_job(ordinal, &format!("line {n}")).unwrap();
    }
    journal
        .finish_job(ordinal, JobStatus::Completed, None, &[("files", 9)], 40)
        .unwrap();
    drop(lock);
    let done = seen(&mut journal);
    assert_eq!((done.status, done.finished_at), (JobStatus::Completed, Some(40)));
    assert_eq!(done.metrics, [("files".to_owned(), 9)]);
    assert_eq!((done.log.len(), done.log[199].as_str()), (MOST_LINES, "line 199"));
    assert_eq!(std::fs::read_dir(dir.path().join("jobs")).unwrap().count(), 0);
}

#[test]
fn idx_52_a_job_without_its_lock_is_dead() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = journal(dir.path());
    let (ordinal, lock) = journal.create_job(&REBUILD, 10).unwrap();
    journal.start_job(ordinal, 11).unwrap();
    assert_eq!(
        journal.job(ordinal, 12).unwrap().unwrap().status,
        JobStatus::InProgress
    );
    drop(lock);
    let dead = journal.job(ordinal, 13).unwrap().unwrap();
    assert_eq!((dead.status, dead.finished_at), (JobStatus::Failed, Some(13)));
    assert_eq!(dead.error.unwrap().1, "its process ended");
    assert!(!journal.cancel_job(ordinal, 14).unwrap());
}

#[test]
fn idx_51_one_that_wants_to_be_alone_waits_for_nobody_and_names_who_is_in_the_way() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = journal(dir.path());
    let mut second = journal(dir.path());
    let (ordinal, lock) = first.create_job(&refresh(&[]), 1).unwrap();
    match second.create_job(&REBUILD, 2) {
        Err(NotCreated::Occupied(row)) => assert_eq!(row.ordinal, ordinal),
        other => panic!("{other:?}"),
    }
    // Another worktree is not an obstacle.
    let mut elsewhere = Journal::open(dir.path(), Path::new("/worktree")).unwrap();
    elsewhere.create_job(&REBUILD, 2).unwrap();
    first
        .finish_job(ordinal, JobStatus::Completed, None, &[], 3)
        .unwrap();
    drop(lock);
    second.create_job(&REBUILD, 4).unwrap();
}

#[test]
fn idx_52_a_wish_to_cancel_reaches_the_runner() {
    let dir = tempfile::tempdir().unwrap();
    let mut runner = journal(dir.path());
    let (ordinal, _lock) = runner.create_job(&REBUILD, 1).unwrap();
    runner.start_job(ordinal, 1).unwrap();
    assert!(journal(dir.path()).cancel_job(ordinal, 2).unwrap());
    assert!(runner.note_progress(ordinal, (1, 2), "", 3).unwrap());
    assert!(!journal(dir.path()).cancel_job(ordinal + 1, 2).unwrap());
}

#[test]
fn sec_4_few_wait_and_fifty_are_remembered() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = journal(dir.path());
    let mut last = 0;
    for n in 0..KEPT as i64 + 5 {
        let (ordinal, _lock) = journal.create_job(&refresh(&["a".into()]), n).unwrap();
        journal
            .finish_job(ordinal, JobStatus::Completed, None, &[("n", 1)], n)
            .unwrap();
        last = ordinal;
    }
    let kept = journal.jobs(0).unwrap();
    assert_eq!((kept.len(), kept[0].ordinal), (KEPT, last));
    let orphans = journal.conn.query_row(
        "SELECT (SELECT count(*) FROM job_paths) + (SELECT count(*) FROM job_metrics)",
        [],
        |row| row.get::<_, u32>(0),
    );
    assert_eq!(orphans.unwrap() as usize, 2 * KEPT);
    let open: Vec<_> = (0..MOST_OPEN)
        .map(|_| journal.create_job(&refresh(&[]), 1).unwrap())
        .collect();
    assert!(matches!(
        journal.create_job(&refresh(&[]), 1),
        Err(NotCreated::TooMany(MOST_OPEN))
    ));
    drop(open);
    journal.create_job(&refresh(&[]), 2).unwrap();
}

#[test]
fn idx_52_no_lock_file_stays_behind() {
    let dir = tempfile::tempdir().unwrap();
    let (running, lock) = journal(dir.path()).create_job(&refresh(&[]), 1).unwrap();
    let folder = dir.path().join("jobs");
    // One of a process that was killed after its last word, and one whose row was never written.
    for name in ["job-77.lock", "job-78.lock"] {
        std::fs::write(folder.join(name), "").unwrap();
    }
    std::fs::write(folder.join("notes.txt"), "not ours").unwrap();
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    journal(dir.path()).jobs(2).unwrap();
    assert_eq!(names(), [format!("job-{running}.lock"), "notes.txt".to_owned()]);
    drop(lock);
    assert_eq!(names(), ["notes.txt"]);
}
