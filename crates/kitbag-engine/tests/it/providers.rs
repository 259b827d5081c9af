//! Providers from outside: which ones an engine takes, in what order it asks them, and what a failure of one does.

use std::sync::{Arc, Mutex};

use kitbag_engine::api::{self, SearchRequest};
use kitbag_engine::{Answer, Ask, Engine, EngineError, Provider};

use crate::world::{NOW, World};

/// Finds nothing and says what was found before it was asked.
struct Listener {
    name: &'static str,
    after: &'static [&'static str],
    heard: Arc<Mutex<Vec<(&'static str, usize)>>>,
    fails: bool,
}

impl Listener {
    fn new(name: &'static str, after: &'static [&'static str]) -> Self {
        Self {
            name,
            after,
            heard: Arc::default(),
            fails: false,
        }
    }
}

impl Provider for Listener {
    fn name(&self) -> &'static str {
        self.name
    }

    fn after(&self) -> &'static [&'static str] {
        self.after
    }

    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        let n_found = ask.found_so_far().len();
        self.heard.lock().unwrap().push((self.name, n_found));
        if self.fails {
            return Err(EngineError::Internal {
                message: "no answer".to_owned(),
            });
        }
        Ok(Answer::default())
    }
}

fn refused(engine: Result<Engine, EngineError>) -> String {
    match engine {
        Err(EngineError::Invalid { code, message }) => format!("{code}: {message}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was taken"),
    }
}

#[test]
fn lib_1_a_provider_is_asked_after_those_it_builds_on() {
    let world = World::sample();
    let heard = Arc::default();
    let listener = |name, after| {
        Box::new(Listener {
            heard: Arc::clone(&heard),
            ..Listener::new(name, after)
        })
    };
    let engine = world.engine();
    let engine = engine.with_provider(listener("second", &["full_text"])).unwrap();
    let engine = engine.with_provider(listener("third", &["second"])).unwrap();
    api::search(&engine, &SearchRequest::new("item value"), &mut |_| {}, NOW).unwrap();
    let heard = heard.lock().unwrap();
    let names: Vec<&str> = heard.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["second", "third"]);
    assert!(heard.iter().all(|(_, n_found)| *n_found > 0), "{heard:?}");
}

#[test]
fn lib_1_a_name_that_is_taken_and_a_wait_without_end_are_refused() {
    let engine = || World::sample().engine();
    let with = |name, after| engine().with_provider(Box::new(Listener::new(name, after)));
    for name in ["symbol", "repeat", "text_match"] {
        let said = refused(with(name, &[]));
        assert!(
            said.starts_with("INVALID_PROVIDER: ") && said.contains(name),
            "{said}"
        );
    }
    assert!(refused(with("own", &["nobody"])).contains("`own` depends on"));
    assert!(refused(with("own", &["own"])).contains("`own` depends on"));
    let twice = with("own", &[]).unwrap();
    assert!(refused(twice.with_provider(Box::new(Listener::new("own", &[])))).contains("another provider"));
}

#[test]
fn ret_15_one_that_fails_is_named_and_leaves_the_others_alone() {
    let world = World::sample();
    let failing = Listener {
        fails: true,
        ..Listener::new("own", &[])
    };
    let engine = world.engine().with_provider(Box::new(failing)).unwrap();
    let request = SearchRequest::new("item value");
    let reply = api::search(&engine, &request, &mut |_| {}, NOW).unwrap();
    assert_eq!(reply.warnings, ["provider own failed: no answer"]);
    assert_eq!(reply.results.len(), world.ask(&request).results.len());
}
