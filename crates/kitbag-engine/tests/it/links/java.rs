//! Java: what a type without a name may inherit.

use super::calls;

#[test]
fn idx_23_java_a_type_without_a_name_may_inherit_what_it_calls() {
    let found = calls(
        r#"
//- A.java
class A {
    void helper() { }
    void one() {
        new Base() {
            void z() { helper(); }
        };
        helper();
        Runnable task = () -> helper();
    }
}

class Base {
    void helper() { }
}
"#,
    );
    let helpers: Vec<&String> = found.iter().filter(|line| line.contains(" helper ")).collect();
    assert_eq!(
        helpers,
        [
            "A.java:5 helper name 2",
            "A.java:7 helper scope A.java:2",
            "A.java:8 helper scope A.java:2",
        ]
    );
}
