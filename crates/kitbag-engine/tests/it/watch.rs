//! IDX-50: what happens to files is searchable soon, whatever way it happened; and IDX-52: a run that is stopped goes on later.
//!
//! The watcher runs in a thread, by the real clock and on real events. A test waits for what it expects to see, with a limit
//! that only a failure reaches.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kitbag_engine::api::{self, SearchRequest, WatchEvent, WatchUpdate};
use kitbag_engine::{Alarm, Engine, EngineError, Options, Phase, Timestamp, WatchOptions};
use kitbag_store::WatchLock;
use kitbag_testkit::TempTree;

use crate::world::{NOW, World, item};

const LIMIT: Duration = Duration::from_secs(60);

/// A project and a watcher over it.
struct Watched {
    root: PathBuf,
    store: PathBuf,
    alarm: Alarm,
    updates: Mutex<Vec<WatchUpdate>>,
    said: Mutex<Vec<String>>,
}

fn real_clock() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp(since.as_millis() as i64)
}

impl Watched {
    fn new(tree: &TempTree, store: PathBuf) -> Self {
        Self {
            root: tree.root().to_owned(),
            store,
            alarm: Alarm::new(),
            updates: Mutex::default(),
            said: Mutex::default(),
        }
    }

    fn engine(&self) -> Engine {
        Engine::open(&self.root, self.store.clone(), Options::default()).unwrap()
    }

    /// Watches while `test` runs.
    fn during(&self, test: impl FnOnce(&Self)) {
        /// Ends the watcher even if the test fails, or its thread would be waited for in vain.
        struct Stop<'a>(&'a Alarm);
        impl Drop for Stop<'_> {
            fn drop(&mut self) {
                self.0.stop();
            }
        }
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let engine = self.engine();
                let options = WatchOptions {
                    debounce: Duration::from_millis(100),
                    ..WatchOptions::default()
                };
                api::watch(
                    &engine,
                    options,
                    &self.alarm,
                    &mut |event| self.hear(event),
                    &real_clock,
                )
            });
            {
                let _stop = Stop(&self.alarm);
                self.eventually("the first look", || self.alarm.is_settled());
                test(self);
            }
            watcher.join().unwrap().unwrap();
        });
    }

    fn hear(&self, event: WatchEvent<'_>) {
        let word = match event {
            WatchEvent::Progress(_) => return,
            WatchEvent::Updated(update) => return self.updates.lock().unwrap().push(update),
            WatchEvent::Waiting => "waiting".to_owned(),
            WatchEvent::RootGone => "gone".to_owned(),
            WatchEvent::RootBack => "back".to_owned(),
            WatchEvent::Failed(error) => error.to_string(),
        };
        self.said.lock().unwrap().push(word);
    }

    fn n_runs(&self) -> usize {
        self.updates.lock().unwrap().len()
    }

    fn said(&self, word: &str) -> bool {
        self.said.lock().unwrap().iter().any(|said| said == word)
    }

    /// The files that answer, from the index as the watcher left it; none while there is no index.
    fn found(&self, query: &str) -> Vec<String> {
        let request = SearchRequest {
            update: false,
            ..SearchRequest::new(query)
        };
        let reply = match api::search(&self.engine(), &request, &mut |_| {}, real_clock()) {
            Err(error) if error.to_string().starts_with("there is no store") => return Vec::new(),
            reply => reply.unwrap(),
        };
        reply
            .results
            .into_iter()
            .filter(|hit| hit.text.contains(query))
            .map(|hit| hit.path)
            .collect()
    }

    #[track_caller]
    fn eventually(&self, what: &str, is_so: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(
                start.elapsed() < LIMIT,
                "{what} did not happen; told: {:?} {:?}",
                self.said.lock().unwrap(),
                self.updates.lock().unwrap()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Does `change`, and waits until a run says that it was about `path`. Searching alone would not show it: a hit is checked
    /// against its file when it is served, whether the index followed or not.
    #[track_caller]
    fn follows(&self, path: &str, change: impl FnOnce()) {
        self.eventually("quiet", || self.alarm.is_settled());
        let before = self.n_runs();
        change();
        self.eventually(path, || {
            let updates = self.updates.lock().unwrap();
            let named = |update: &WatchUpdate| update.paths.iter().any(|named| named == path);
            updates[before..].iter().any(named)
        });
    }

    #[track_caller]
    fn finds(&self, query: &str, expected: &[&str]) {
        self.eventually(&format!("{query} in {expected:?}"), || {
            self.found(query) == expected
        });
    }
}

fn committed(fixture: &str) -> TempTree {
    let tree = TempTree::new(fixture);
    tree.git(&["init", "-q"]);
    tree.git(&["add", "."]);
    tree.git(&["commit", "-qm", "one"]);
    tree
}

#[test]
fn idx_50_whatever_happens_to_a_file_is_searchable() {
    let tree = committed("//- src/a.rs\npub fn alpha_one() {}\n//- src/b.rs\npub fn beta_one() {}\n");
    let rename = |from: &str, to: &str| std::fs::rename(tree.path(from), tree.path(to)).unwrap();
    Watched::new(&tree, tree.path(".git/kitbag")).during(|watched| {
        watched.finds("alpha_one", &["src/a.rs"]);
        watched.follows("src/a.rs", || tree.write("src/a.rs", "pub fn alpha_two() {}\n"));
        watched.finds("alpha_two", &["src/a.rs"]);
        watched.finds("alpha_one", &[]);
        let nested = "src/new/deep/er/c.rs";
        watched.follows(nested, || tree.write(nested, "pub fn gamma_one() {}\n"));
        watched.follows(nested, || tree.write(nested, "pub fn gamma_two() {}\n"));
        watched.finds("gamma_two", &[nested]);
        watched.follows("src/moved.rs", || rename("src/b.rs", "src/moved.rs"));
        watched.finds("beta_one", &["src/moved.rs"]);
        let nested = "src/newer/deep/er/c.rs";
        watched.follows(nested, || rename("src/new", "src/newer"));
        watched.follows(nested, || tree.write(nested, "pub fn gamma_three() {}\n"));
        watched.finds("gamma_three", &[nested]);
        watched.follows("src/a.rs", || {
            // What editors do: write beside, rename over.
            tree.write("src/.a.rs.tmp", "pub fn alpha_three() {}\n");
            rename("src/.a.rs.tmp", "src/a.rs");
        });
        watched.finds("alpha_three", &["src/a.rs"]);
        watched.follows(nested, || tree.remove("src/newer"));
        watched.finds("gamma_three", &[]);
        watched.follows("src/moved.rs", || tree.remove("src/moved.rs"));
        watched.finds("beta_one", &[]);
    });
}

#[test]
fn idx_50_what_is_ignored_goes_and_comes_back() {
    let tree = committed("//- src/a.rs\npub fn alpha_one() {}\n");
    tree.write("notes/plan.md", "# Plan\n\nVisit zanzibar.\n");
    Watched::new(&tree, tree.path(".git/kitbag")).during(|watched| {
        watched.finds("zanzibar", &["notes/plan.md"]);
        tree.write(".gitignore", "notes/\n");
        watched.finds("zanzibar", &[]);
        tree.write(".gitignore", "other/\n");
        watched.finds("zanzibar", &["notes/plan.md"]);
        tree.write(".git/info/exclude", "plan.md\n");
        watched.finds("zanzibar", &[]);
        tree.write(".git/info/exclude", "");
        watched.finds("zanzibar", &["notes/plan.md"]);
    });
}

#[test]
fn idx_50_a_checkout_of_thousands_of_files_is_a_few_runs() {
    let n_files: usize = if std::env::var_os("KITBAG_SLOW").is_some() {
        10_000
    } else {
        2_000
    };
    let tree = committed("//- README.md\n# Many\n");
    tree.git(&["checkout", "-qb", "many"]);
    for n in 0..n_files {
        tree.write(
            format!("src/part{}/unit{n}.rs", n % 50),
            format!("pub fn unit_{n}() {{}}\n"),
        );
    }
    tree.git(&["add", "."]);
    tree.git(&["commit", "-qm", "many"]);
    tree.git(&["checkout", "-q", "main"]);
    Watched::new(&tree, tree.path(".git/kitbag")).during(|watched| {
        let before = watched.n_runs();
        tree.git(&["checkout", "-q", "many"]);
        let last = n_files - 1;
        watched.finds(
            &format!("unit_{last}"),
            &[&format!("src/part{}/unit{last}.rs", last % 50)],
        );
        watched.finds("unit_0", &["src/part0/unit0.rs"]);
        watched.eventually("all files", || {
            watched.alarm.is_settled()
                && watched.updates.lock().unwrap().last().unwrap().files == n_files as u64 + 1
        });
        let n_runs = watched.n_runs() - before;
        assert!(n_runs <= 20, "{n_runs} runs for one checkout");
        tree.git(&["checkout", "-q", "main"]);
        watched.finds("unit_0", &[]);
        watched.eventually("one file", || {
            watched.updates.lock().unwrap().last().unwrap().files == 1
        });
    });
}

#[test]
fn idx_50_commits_are_noticed() {
    let tree = committed("//- src/a.rs\npub fn alpha() {}\n//- src/b.rs\npub fn beta() {}\n");
    tree.write("src/b.rs", "pub fn beta() { }\n");
    Watched::new(&tree, tree.path(".git/kitbag")).during(|watched| {
        let by_history = || {
            let request = SearchRequest {
                update: false,
                ..SearchRequest::new("zanzibar expedition")
            };
            let reply = api::search(&watched.engine(), &request, &mut |_| {}, real_clock()).unwrap();
            let of_history =
                |hit: &&api::Hit| hit.reasons.iter().any(|reason| reason.factor == "git_history");
            reply.results.iter().find(of_history).map(|hit| hit.path.clone())
        };
        assert_eq!(by_history(), None);
        tree.git(&["commit", "-qam", "zanzibar expedition"]);
        watched.eventually("the commit", || by_history().as_deref() == Some("src/b.rs"));
    });
}

#[test]
fn idx_50_its_own_writes_do_not_wake_it() {
    for store in [".git/kitbag", "inside"] {
        let tree = committed("//- src/a.rs\npub fn alpha() {}\n");
        Watched::new(&tree, tree.path(store)).during(|watched| {
            tree.write("src/b.rs", "pub fn beta() {}\n");
            watched.finds("beta", &["src/b.rs"]);
            watched.eventually("quiet", || watched.alarm.is_settled());
            let n_runs = watched.n_runs();
            // Several times the pause after which a run would follow its own writes.
            std::thread::sleep(Duration::from_millis(1_500));
            assert_eq!(
                watched.n_runs(),
                n_runs,
                "{store}: {:?}",
                watched.updates.lock().unwrap()
            );
        });
    }
}

#[test]
fn idx_50_a_root_that_vanishes_leaves_the_index_and_comes_back() {
    let outer =
        TempTree::new("//- project/src/a.rs\npub fn alpha() {}\n//- project/src/b.rs\npub fn beta() {}\n");
    let watched = Watched {
        root: outer.path("project"),
        ..Watched::new(&outer, outer.path("store"))
    };
    watched.during(|watched| {
        watched.finds("alpha", &["src/a.rs"]);
        std::fs::rename(outer.path("project"), outer.path("aside")).unwrap();
        watched.eventually("a word", || watched.said("gone"));
        let seen: Vec<u64> = watched
            .updates
            .lock()
            .unwrap()
            .iter()
            .map(|update| update.files)
            .collect();
        assert!(seen.iter().all(|n_files| *n_files == 2), "{seen:?}");
        std::fs::rename(outer.path("aside"), outer.path("project")).unwrap();
        watched.eventually("a word", || watched.said("back"));
        watched.follows("src/a.rs", || {
            outer.write("project/src/a.rs", "pub fn alpha_again() {}\n")
        });
        watched.finds("alpha_again", &["src/a.rs"]);
        let n_removed = watched
            .updates
            .lock()
            .unwrap()
            .iter()
            .map(|update| update.removed)
            .sum::<u64>();
        assert_eq!(n_removed, 0, "nothing was taken out meanwhile");
        outer.remove("project");
        outer.write("project/src/c.rs", "pub fn gamma() {}\n");
        watched.finds("gamma", &["src/c.rs"]);
        watched.follows("src/c.rs", || {
            outer.write("project/src/c.rs", "pub fn gamma_again() {}\n")
        });
        watched.finds("gamma_again", &["src/c.rs"]);
    });
}

#[test]
fn idx_50_a_checkout_that_is_replaced_is_followed() {
    let outer = TempTree::empty();
    let checkout = |text: &str| {
        outer.write("project/src/a.rs", text);
        kitbag_testkit::git(&outer.path("project"), &["init", "-q"]);
    };
    checkout("pub fn alpha() {}\n");
    let watched = Watched {
        root: outer.path("project"),
        ..Watched::new(&outer, outer.path("project/.git/kitbag"))
    };
    watched.during(|watched| {
        watched.finds("alpha", &["src/a.rs"]);
        // The store goes with it, and with the store the lock.
        outer.remove("project");
        watched.eventually("a word", || watched.said("gone"));
        assert!(
            !outer.path("project").exists(),
            "nobody makes it again but its owner"
        );
        checkout("pub fn beta() {}\n");
        watched.eventually("a new store", || {
            outer.path("project/.git/kitbag/kitbag.db").exists()
        });
        watched.finds("beta", &["src/a.rs"]);
        assert!(is_watched(&watched.engine()));
    });
}

/// Whether some process, this one included, watches the project.
fn is_watched(engine: &Engine) -> bool {
    WatchLock::try_take(engine.store_dir(), engine.root()).is_ok_and(|lock| lock.is_none())
}

#[test]
fn idx_50_one_watches_and_the_other_waits() {
    let tree = committed("//- src/a.rs\npub fn alpha() {}\n");
    let first = Watched::new(&tree, tree.path(".git/kitbag"));
    let second = Watched::new(&tree, tree.path(".git/kitbag"));
    assert!(!is_watched(&first.engine()));
    std::thread::scope(|scope| {
        first.during(|first| {
            assert!(is_watched(&first.engine()));
            scope.spawn(|| second.during(|second| second.finds("alpha", &["src/a.rs"])));
            second.eventually("a word", || second.said("waiting"));
            assert!(!second.alarm.is_settled());
        });
        // The first has ended: now the second looks, finds and ends.
    });
    assert!(second.n_runs() > 0);
    assert!(!is_watched(&first.engine()), "both have ended");
}

#[test]
fn idx_50_whoever_waits_for_his_turn_can_be_stopped() {
    let tree = committed("//- src/a.rs\npub fn alpha() {}\n");
    Watched::new(&tree, tree.path(".git/kitbag")).during(|first| {
        let second = Watched::new(&tree, tree.path(".git/kitbag"));
        std::thread::scope(|scope| {
            let engine = second.engine();
            let other = scope.spawn(|| {
                let options = WatchOptions::default();
                let engine = second.engine();
                api::watch(
                    &engine,
                    options,
                    &second.alarm,
                    &mut |event| second.hear(event),
                    &real_clock,
                )
            });
            second.eventually("a word", || second.said("waiting"));
            second.alarm.stop();
            other.join().unwrap().unwrap();
            assert!(is_watched(&engine), "by the first");
        });
        tree.write("src/a.rs", "pub fn alpha_two() {}\n");
        first.finds("alpha_two", &["src/a.rs"]);
    });
}

/// Runs until `n_steps` steps of `phase` are done, then says stop.
fn stopped_after(world: &World, phase: Phase, n_steps: usize) -> Result<api::IndexReply, EngineError> {
    let (stop, n_seen) = (AtomicBool::new(false), AtomicUsize::new(0));
    let request = api::IndexRequest {
        wait: true,
        thorough: false,
        stop: Some(&stop),
    };
    let mut progress = |progress: kitbag_engine::Progress<'_>| {
        if progress.phase == phase && n_seen.fetch_add(1, Ordering::Relaxed) + 1 == n_steps {
            stop.store(true, Ordering::Relaxed);
        }
    };
    api::index(&world.engine(), request, &mut progress, NOW)
}

#[test]
fn idx_52_stopped_and_resumed_is_the_same_as_never_stopped() {
    let world = World::sample();
    for n in 0..400 {
        world.tree.write(format!("src/more/unit{n}.rs"), item(n + 100, 1));
    }
    for (phase, n_steps) in [
        (Phase::Scanning, 1),
        (Phase::Indexing, 1),
        (Phase::Indexing, 150),
        (Phase::Indexing, 200),
        (Phase::Publishing, 1),
    ] {
        let stopped = stopped_after(&world, phase, n_steps);
        let error = stopped.expect_err("it was told to stop");
        assert_eq!(error.code(), "CANCELLED", "{phase:?}: {error}");
        // Whatever is there can be asked.
        let request = SearchRequest {
            update: false,
            ..SearchRequest::new("item value")
        };
        if phase != Phase::Scanning {
            api::search(&world.engine(), &request, &mut |_| {}, NOW).unwrap();
        }
    }
    let resumed = world.index();
    assert_eq!(resumed.parsed, 0, "everything was parsed before the last stop");
    assert!(resumed.complete);
    let dump = world.dump();
    world.forget();
    world.index();
    assert_eq!(world.dump(), dump);
}

#[test]
fn idx_52_a_stopped_run_keeps_what_it_did() {
    let mut world = World::sample();
    world.options.workers = 1;
    let total = world.index().files;
    world.forget();
    stopped_after(&world, Phase::Indexing, 20).expect_err("it was told to stop");
    let status = api::status(&world.engine()).unwrap();
    assert!(!status.complete && status.files >= 20, "{status:?}");
    let resumed = world.index();
    assert_eq!(resumed.added, total - status.files, "the rest, and nothing twice");
}
