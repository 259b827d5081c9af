//! Conventions through the API: counted, mined, decided about, tested on later code.

use kitbag_engine::api::{
    self, DecideRequest, EvalConventionsRequest, Pattern, PatternsReply, PatternsRequest,
};

use crate::world::{NOW, World};

/// A dozen handlers that are all alike but one, and helpers that are not.
fn shop() -> String {
    let mut fixture = String::new();
    for idx in 0..12 {
        let base = if idx == 11 { "object" } else { "BaseHandler" };
        fixture.push_str(&format!(
            "//- shop/handlers/part_{idx}.py\nfrom shop.base import BaseHandler\n\n\nclass Part{idx}Handler({base}):\n    def handle_request(self, request) -> str:\n        return 'a'\n"
        ));
        fixture.push_str(&format!(
            "//- shop/tools/tool_{idx}.py\ndef make_it_{idx}(value):\n    try:\n        return value\n    except ValueError:\n        return None\n\n\nclass Tool{idx}:\n    pass\n"
        ));
    }
    fixture.push_str("//- shop/tools/wrong.py\ndef makeIt(value):\n    try:\n        return 1\n    except:\n        return 2\n");
    fixture
}

fn patterns(world: &World, request: &PatternsRequest) -> PatternsReply {
    api::patterns(&world.engine(), request, true, &mut |_| {}, NOW).unwrap()
}

fn all(world: &World) -> PatternsReply {
    let request = PatternsRequest {
        all: true,
        ..PatternsRequest::default()
    };
    patterns(world, &request)
}

fn one<'r>(reply: &'r PatternsReply, id: &str) -> &'r Pattern {
    let found = reply.patterns.iter().find(|one| one.id == id);
    found.unwrap_or_else(|| {
        let known: Vec<&str> = reply.patterns.iter().map(|one| one.id.as_str()).collect();
        panic!("{id} is not among {known:#?}")
    })
}

#[test]
fn ins_1_named_conventions_have_counts_an_example_and_outliers() {
    let world = World::new(&shop());
    let reply = all(&world);
    let case = one(&reply, "python/functions/ordinary/case:snake_case");
    assert_eq!((case.occurrences, case.applicable), (24, 25));
    assert_eq!(case.outliers.len(), 1);
    assert_eq!(
        (
            case.outliers[0].file.as_str(),
            case.outliers[0].line,
            case.outliers[0].name.as_str()
        ),
        ("shop/tools/wrong.py", 1, "makeIt")
    );
    let handlers = one(&reply, "python/handlers/role:source/named-error");
    assert_eq!((handlers.occurrences, handlers.applicable), (12, 13));
    assert_eq!(handlers.outliers[0].line, 4);
    let example = case.example.as_ref().unwrap();
    assert!(example.text.starts_with("def handle_request"), "{example:?}");
    assert!(case.files.len() <= 5);
}

#[test]
fn ins_1_what_a_group_has_in_common_is_mined() {
    let world = World::new(&shop());
    let reply = all(&world);
    let mined = one(&reply, "python/types/role:source/folder:handlers/suffix:Handler");
    assert!(mined.mined && mined.lift > 2.0, "{mined:?}");
    assert_eq!((mined.occurrences, mined.applicable), (12, 12));
    assert!(mined.outliers.is_empty());
    assert_eq!(
        mined.statement,
        "Python types in folders named handlers are named …Handler"
    );
}

#[test]
fn ins_1_the_same_tree_gives_the_same_patterns_and_paths_limit_them() {
    let world = World::new(&shop());
    assert_eq!(all(&world), all(&world));
    let request = PatternsRequest {
        paths: vec!["shop/tools".to_owned()],
        all: true,
        ..PatternsRequest::default()
    };
    let limited = patterns(&world, &request);
    assert!(limited.patterns.iter().all(|one| !one.id.contains("BaseHandler")));
    let wrong = PatternsRequest {
        category: Some("style".to_owned()),
        ..PatternsRequest::default()
    };
    let error = api::patterns(&world.engine(), &wrong, true, &mut |_| {}, NOW).unwrap_err();
    assert!(error.to_string().contains("known are api, async"), "{error}");
}

#[test]
fn ins_2_decisions_are_kept_in_a_file() {
    let world = World::new(&shop());
    let id = "python/functions/ordinary/case:snake_case";
    let decide = |ids: &[&str], status: &str| {
        let request = DecideRequest {
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            status: status.to_owned(),
        };
        api::decide_patterns(&world.engine(), &request, NOW)
    };
    let reply = decide(&[id], "ignored").unwrap();
    world.tree.write(&reply.file, &reply.text);
    assert_eq!(one(&all(&world), id).status, "ignored");
    let shown = patterns(&world, &PatternsRequest::default());
    assert!(shown.patterns.iter().all(|one| one.id != id));
    let reply = decide(&[id], "approved").unwrap();
    world.tree.write(&reply.file, &reply.text);
    assert_eq!(patterns(&world, &PatternsRequest::default()).patterns[0].id, id);
    assert!(
        decide(&["nothing"], "approved")
            .unwrap_err()
            .to_string()
            .contains("no pattern `nothing`")
    );
    assert!(
        decide(&[id], "liked")
            .unwrap_err()
            .to_string()
            .contains("known are approved")
    );
    world.tree.write("kitbag.patterns.toml", "liked = []\n");
    let reply = all(&world);
    assert!(
        reply.warnings[0].contains("unknown key `liked`"),
        "{:?}",
        reply.warnings
    );
}

#[test]
fn ins_11_conventions_are_tested_on_what_was_added_since() {
    let world = World::new(&shop());
    let commit = |message: &str| {
        world.tree.git(&["add", "-A"]);
        world.tree.git(&["commit", "-qm", message]);
    };
    world.tree.git(&["init", "-q"]);
    commit("first");
    for (idx, name) in ["good_name", "other_name", "badName", "last_name"]
        .iter()
        .enumerate()
    {
        let text = format!("def {name}(value):\n    return value\n");
        world.tree.write(format!("shop/tools/new_{idx}.py"), text);
    }
    commit("second");
    let request = EvalConventionsRequest {
        from: Some("HEAD~1".to_owned()),
    };
    let done = api::eval_conventions(&world.engine(), &request).unwrap();
    let of = |id: &str| done.conventions.iter().find(|one| one.id == id).unwrap();
    let case = of("python/functions/ordinary/case:snake_case");
    assert_eq!((case.occurrences, case.applicable), (24, 25));
    assert_eq!((case.new_occurrences, case.new_applicable), (3, 4));
    assert_eq!(case.held, Some(false));
    let files = of("python/files/case:snake_case");
    assert_eq!((files.new_occurrences, files.new_applicable), (4, 4));
    assert_eq!(files.held, Some(true));
    assert_eq!(done.lines_added, 8);
    let unknown = EvalConventionsRequest {
        from: Some("nowhere".to_owned()),
    };
    let error = api::eval_conventions(&world.engine(), &unknown).unwrap_err();
    assert!(
        error.to_string().contains("`nowhere` is not a revision"),
        "{error}"
    );
}

#[test]
fn ins_11_what_the_last_code_does_not_follow_is_not_shown() {
    let file = |idx: usize| format!("//- shop/part_{idx}.py\ndef make_it_{idx}(value):\n    return value\n");
    let world = World::new(&(0..40).map(file).collect::<String>());
    let commit = |message: &str| {
        world.tree.git(&["add", "-A"]);
        world.tree.git(&["commit", "-q", "--allow-empty", "-m", message]);
    };
    world.tree.git(&["init", "-q"]);
    for message in ["first", "second", "third"] {
        commit(message);
    }
    let id = "python/functions/ordinary/case:snake_case";
    assert!(one(&all(&world), id).shown);
    world.tree.write(
        "shop/new.py",
        "def good_name(value):\n    return value\n\n\ndef fine_name(value):\n    return value\n\n\ndef badName(value):\n    return value\n",
    );
    commit("fourth");
    let now = all(&world);
    assert_eq!((one(&now, id).occurrences, one(&now, id).applicable), (42, 43));
    assert!(!one(&now, id).shown);
    assert!(one(&now, "python/files/case:snake_case").shown);
}

#[test]
fn ins_9_guidance_names_patterns_and_files() {
    let world = World::new(&shop());
    let request = api::GuidanceRequest::default();
    let guidance = api::guidance(&world.engine(), &request, true, &mut |_| {}, NOW).unwrap();
    assert!(guidance.patterns.len() <= 5 && !guidance.patterns.is_empty());
    assert!(guidance.patterns.iter().all(|one| one.confidence >= 0.8));
    assert!(guidance.files.len() <= 5);
}
