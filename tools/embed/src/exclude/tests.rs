use super::*;

#[test]
fn ret_42_no_pinned_package_is_of_a_benchmark() {
    let excluded = Excluded::read();
    let names = listed(include_str!("../../packages.txt"));
    assert!(names.len() > 1_000, "the list is not there: {}", names.len());
    let bad: Vec<&String> = names.iter().filter(|name| excluded.package(name)).collect();
    assert!(bad.is_empty(), "{bad:?}");
}

#[test]
fn ret_42_packages_are_known_under_any_dressing() {
    let excluded = Excluded::read();
    for name in [
        "golang-github-spf13-cobra",
        "golang-github-gin-gonic-gin",
        "python3-django",
        "ruby-rack-protection",
        "node-express",
        "librust-tokio-dev",
        "haskell-aeson-pretty",
        "libjackson2-databind-java",
        "php-monolog",
        "@babel/core",
        "Flask",
        "serde_json",
        "libgoogle-gson-java",
        "librust-curl-sys-dev",
        "bootstrap-flask",
        "requests",
    ] {
        assert!(excluded.package(name), "{name}");
    }
    for name in [
        "golang-github-pkg-errors",
        "react-native",
        "python3-attr",
        "ruby-mathml",
        "kotlin",
        "scala-xml",
    ] {
        assert!(!excluded.package(name), "{name}");
    }
}

#[test]
fn ret_42_vendored_copies_are_known_by_their_folder() {
    let excluded = Excluded::read();
    assert!(excluded.path("src/absl/strings/split.cc"));
    assert!(excluded.path("lib/flask/app.py"));
    assert!(excluded.path("include/nlohmann/json.hpp"));
    assert!(!excluded.path("src/http/client.py"));
    // Too general for a path, and refused as a package.
    assert!(!excluded.path("src/bytes/reader.rs") && excluded.package("librust-bytes-dev"));
}

#[test]
fn ret_42_no_history_is_of_a_benchmark() {
    let excluded = Excluded::read();
    let names = repositories(include_str!("../../repositories.txt"));
    assert!(names.len() >= 150, "the list is not there: {}", names.len());
    let bad: Vec<&String> = names.iter().filter(|name| excluded.repository(name)).collect();
    assert!(bad.is_empty(), "{bad:?}");
    for name in [
        "pallets/flask",
        "somebody/flask",
        "ReactiveX/RxJava",
        "zigtools/zls",
        "me/django-fork",
    ] {
        assert!(excluded.repository(name), "{name}");
    }
    assert!(!excluded.repository("tmux/tmux"));
}
