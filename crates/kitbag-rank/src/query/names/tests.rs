use super::split_name;

#[test]
fn ret_11_a_qualified_name_is_taken_apart_as_languages_write_it() {
    let table: &[(&str, &[&str], &str)] = &[
        ("g", &[], "g"),
        ("verify", &[], "verify"),
        ("axum::Router", &["axum"], "Router"),
        ("crate::a::Foo::bar()", &["a", "Foo"], "bar"),
        ("z.ulid", &["z"], "ulid"),
        ("Phoenix.Channel.push", &["Phoenix", "Channel"], "push"),
        ("Phoenix.Channel.push/3", &["Phoenix", "Channel"], "push"),
        ("User#name", &["User"], "name"),
        ("User#empty?", &["User"], "empty?"),
        ("\\App\\Models\\User", &["App", "Models"], "User"),
        ("App\\User::find", &["App", "User"], "find"),
        ("$this->repo->find($id, 2)", &["$this", "repo"], "find"),
        ("this.store.get", &["store"], "get"),
        ("user?.name", &["user"], "name"),
        ("Vec<T>::with_capacity", &["Vec"], "with_capacity"),
        ("runs-on", &[], "runs-on"),
        (
            "github.com/gin-gonic/gin.Context",
            &["github", "com", "gin-gonic", "gin"],
            "Context",
        ),
        ("Worker::~Worker", &["Worker"], "~Worker"),
        ("Router.#instances", &["Router"], "instances"),
        ("", &[], ""),
        ("::", &[], ""),
    ];
    for (text, qualifiers, name) in table {
        let parts = split_name(text);
        assert_eq!(
            (parts.qualifiers.as_slice(), parts.name),
            (*qualifiers, *name),
            "{text}"
        );
    }
}
