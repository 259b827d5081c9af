//! Logs as test runners and compilers write them: of each, lines that must come first and lines that must not.

use kitbag_testkit::fuzz::{Material, fuzz};
use kitbag_types::LineRange;

use super::{failing_lines, failure, parts};

/// The lines of a failure in the order of what they tell.
fn told(log: &str) -> Vec<&str> {
    let lines: Vec<&str> = log.lines().collect();
    let order = failure(log).unwrap_or_else(|| panic!("nothing failed in {log}"));
    order.iter().map(|(line, _)| lines[*line as usize - 1]).collect()
}

/// `first` stand among the first dozen of what is told; `never` are not told at all.
fn check(log: &str, first: &[&str], never: &[&str]) {
    let told = told(log);
    for line in first {
        let at = told.iter().position(|known| known.contains(line));
        assert!(at.is_some_and(|at| at < 14), "{line:?} at {at:?} of {told:#?}");
    }
    for line in never {
        assert!(
            !told.iter().any(|known| known.contains(line)),
            "{line:?} in {told:#?}"
        );
    }
}

fn passing(n: usize, line: &dyn Fn(usize) -> String) -> String {
    (0..n).map(|n| line(n) + "\n").collect()
}

#[test]
fn pack_4_pytest() {
    let log = passing(300, &|n| format!("tests/test_a.py::test_{n} PASSED [{n}%]"))
        + "=================================== FAILURES ===================================\n\
           _______________________________ test_total _________________________________\n\n\
           \x20   def test_total():\n\
           >       assert total([1, 2]) == 4\n\
           E       assert 3 == 4\n\
           E        +  where 3 = total([1, 2])\n\n\
           tests/test_cart.py:12: AssertionError\n\
           =========================== short test summary info ============================\n\
           FAILED tests/test_cart.py::test_total - assert 3 == 4\n\
           ========================= 1 failed, 300 passed in 0.52s ========================\n";
    check(
        &log,
        &[
            "E       assert 3 == 4",
            "tests/test_cart.py:12",
            "FAILED tests/test_cart.py",
            "1 failed, 300",
        ],
        &["test_7 PASSED", "test_150 PASSED"],
    );
}

#[test]
fn pack_4_jest_and_vitest() {
    let log = passing(200, &|n| format!("  ✓ adds number {n} (1 ms)"))
        + "  ● Cart › total\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 4\n    Received: 3\n\n\
           \x20     10 |   test('total', () => {\n    > 11 |     expect(total([1, 2])).toBe(4);\n         |                           ^\n\
           \x20     at Object.toBe (src/cart.test.ts:11:27)\n\nTest Suites: 1 failed, 3 passed, 4 total\n";
    check(
        &log,
        &[
            "● Cart › total",
            "Expected: 4",
            "Received: 3",
            "src/cart.test.ts:11:27",
            "1 failed, 3 passed",
        ],
        &["adds number 3 "],
    );
    let log = passing(50, &|n| format!(" ✓ src/a{n}.test.ts (3 tests) 4ms"))
        + " FAIL  src/cart.test.ts > Cart > total\nAssertionError: expected 3 to be 4\n ❯ src/cart.test.ts:11:27\n";
    check(
        &log,
        &["FAIL  src/cart.test.ts", "AssertionError: expected 3 to be 4"],
        &["src/a7.test.ts"],
    );
}

#[test]
fn pack_4_cargo_test() {
    let log = passing(40, &|n| format!("   Compiling part{n} v0.1.0"))
        + &passing(100, &|n| format!("test part::case_{n} ... ok"))
        + "test cart::total ... FAILED\n\nfailures:\n\n---- cart::total stdout ----\n\n\
           thread 'cart::total' panicked at src/cart.rs:42:9:\nassertion `left == right` failed\n  left: 3\n right: 4\n\n\
           failures:\n    cart::total\n\ntest result: FAILED. 100 passed; 1 failed; 0 ignored\n";
    check(
        &log,
        &[
            "panicked at src/cart.rs:42:9",
            "assertion `left == right` failed",
            "left: 3",
            "right: 4",
            "test result: FAILED",
        ],
        &["Compiling part3", "case_50 ... ok"],
    );
    let log = "   Compiling a v0.1.0\nerror[E0308]: mismatched types\n --> src/lib.rs:3:5\n  |\n3 |     1\n  |     ^ expected `bool`, found integer\n\
               error: could not compile `a` (lib) due to 1 previous error\n";
    check(
        log,
        &["error[E0308]", "--> src/lib.rs:3:5", "could not compile"],
        &["   Compiling a"],
    );
}

#[test]
fn pack_4_go_test() {
    let log = passing(80, &|n| {
        format!("=== RUN   TestCase{n}\n--- PASS: TestCase{n} (0.00s)")
    }) + "=== RUN   TestTotal\n    cart_test.go:12: total: got 3, want 4\n--- FAIL: TestTotal (0.00s)\nFAIL\nexit status 1\nFAIL\texample.com/cart\t0.004s\n";
    check(
        &log,
        &[
            "cart_test.go:12: total: got 3, want 4",
            "--- FAIL: TestTotal",
            "FAIL\texample.com/cart",
        ],
        &["--- PASS: TestCase7 "],
    );
    let log = "ok  \texample.com/a\t0.1s\npanic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.total(...)\n\t/src/cart.go:9 +0x1d\n";
    check(log, &["panic: runtime error", "goroutine 1"], &["example.com/a"]);
}

#[test]
fn pack_4_maven_and_junit() {
    let log = passing(60, &|n| {
        format!("[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0 - in shop.Case{n}Test")
    }) + "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! - in shop.CartTest\n\
           [ERROR] total(shop.CartTest)  Time elapsed: 0.01 s  <<< FAILURE!\n\
           org.opentest4j.AssertionFailedError: expected: <4> but was: <3>\n\tat shop.CartTest.total(CartTest.java:17)\n\
           [INFO] BUILD FAILURE\n";
    check(
        &log,
        &[
            "expected: <4> but was: <3>",
            "CartTest.java:17",
            "BUILD FAILURE",
            "Failures: 1",
        ],
        &["shop.Case5Test"],
    );
}

#[test]
fn pack_4_traces_of_several_languages() {
    let table: &[(&str, &[&str])] = &[
        (
            "starting\nTraceback (most recent call last):\n  File \"app.py\", line 9, in main\n    run()\nValueError: no such cart\n",
            &["Traceback", "File \"app.py\", line 9", "ValueError: no such cart"],
        ),
        (
            "TypeError: cart.total is not a function\n    at checkout (/app/src/checkout.js:14:10)\n    at main (/app/src/main.js:3:1)\n",
            &["TypeError: cart.total", "checkout.js:14:10"],
        ),
        (
            "Exception in thread \"main\" java.lang.NullPointerException: cart\n\tat shop.Main.run(Main.java:8)\nCaused by: java.io.IOException: gone\n\tat shop.Disk.read(Disk.java:3)\n",
            &[
                "Exception in thread",
                "Main.java:8",
                "Caused by: java.io.IOException",
                "Disk.java:3",
            ],
        ),
        (
            "Unhandled exception. System.InvalidOperationException: empty\n   at Shop.Cart.Total() in /src/Cart.cs:line 20\n",
            &["Unhandled exception", "Cart.cs:line 20"],
        ),
        (
            "cart.rb:7:in `total': undefined method `sum' for nil (NoMethodError)\n\tfrom main.rb:3:in `<main>'\nNoMethodError: undefined\n",
            &["cart.rb:7", "from main.rb:3"],
        ),
        (
            "PHP Fatal error:  Uncaught Error: Call to a member function total() on null in /app/cart.php:11\n",
            &["PHP Fatal error"],
        ),
    ];
    for (log, first) in table {
        check(log, first, &[]);
    }
}

#[test]
fn pack_4_nothing_failed() {
    for log in [
        "",
        "all is well\n",
        "test a ... ok\n\ntest result: ok. 4 passed; 0 failed; 0 ignored\n",
        "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n",
        "===== 12 passed, 0 failed in 0.3s =====\n",
    ] {
        assert_eq!(failure(log), None, "{log}");
        assert_eq!(failing_lines(log), None);
    }
}

#[test]
fn pack_4_a_failure_is_told_in_the_order_of_the_log() {
    let log = "a ... ok\nerror: first\nb ... ok\nerror: last\n";
    assert_eq!(failing_lines(log).as_deref(), Some("error: first\nerror: last"));
    assert_eq!(told(log)[0], "error: last", "the end first");
}

#[test]
fn pack_4_of_a_large_log_the_parts_around_failures_are_looked_at() {
    let noise = passing(9_000, &|n| {
        format!("test some::long::name::of::a::case_{n} ... ok")
    });
    let log = format!("{noise}error: in the middle\n{noise}error: at the end\n");
    let found = failure(&log).unwrap();
    let parts = parts(&log, &found);
    assert_eq!(parts.len(), 2, "{parts:?}");
    assert!(parts.iter().all(|part| part.n_lines() < 120), "{parts:?}");
    let is_in_one = |line: u32| parts.iter().any(|part| part.contains(line));
    assert!(found.iter().all(|(line, _)| is_in_one(*line)));
    assert_eq!(super::parts("error: x\n", &[(1, 1.0)]), [LineRange::new(1, 1)]);
}

#[test]
fn pack_4_compilers_and_build_servers() {
    let table: &[(&str, &[&str])] = &[
        (
            "cc -c src/net.c\nsrc/net.c:42:17: error: expected ';' before 'return'\nmake: *** [Makefile:7: net.o] Error 1\n",
            &["src/net.c:42:17: error", "make: *** [Makefile:7"],
        ),
        ("make: *** [net.o] Error 1\n", &["make: ***"]),
        (
            "make[2]: *** No rule to make target 'net.o'.  Stop.\n",
            &["No rule"],
        ),
        (
            "src/net.c:1:10: fatal error: net.h: No such file or directory\n",
            &["net.h"],
        ),
        (
            "> tsc\nsrc/net.ts(42,17): error TS2322: Type 'string' is not assignable to type 'number'.\n",
            &["error TS2322"],
        ),
        ("Net.cs(10,0): error CS1002: ; expected\n", &["error CS1002"]),
        (
            "2024-05-01T10:00:00.0000000Z ##[group]Run make\n2024-05-01T10:00:01.0000000Z ##[error]Process completed.\n",
            &["##[error]Process"],
        ),
        (
            "\u{feff}2024-05-01T10:00:00.0000000Z error: could not compile `shop`\n",
            &["could not compile"],
        ),
        (
            "2024-05-01 10:00:00,123 - ERROR - no such cart\n",
            &["no such cart"],
        ),
        (
            "[2024-05-01T10:00:00Z ERROR shop] no such cart\n",
            &["no such cart"],
        ),
        (
            "\x1b[0m\x1b[1m\x1b[38;5;9merror[E0308]\x1b[0m\x1b[1m: mismatched types\x1b[0m\n",
            &["mismatched types"],
        ),
        (
            "\x1b[01m\x1b[Ksrc/net.c:42:17:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kexpected ';'\n",
            &["src/net.c"],
        ),
        ("Net.java:3: note\n1 error\n", &["1 error"]),
    ];
    for (log, first) in table {
        check(log, first, &[]);
    }
    for log in [
        "Found 0 errors. Watching for file changes.\n",
        "    0 Warning(s)\n    0 Error(s)\n",
        "2024-05-01T10:00:00.0000000Z test a ... ok\n",
        "\x1b[32m12 passed\x1b[0m, \x1b[31m0 failed\x1b[0m\n",
    ] {
        assert_eq!(failure(log), None, "{log}");
    }
}

#[test]
fn pack_4_a_place_is_told_without_colours_and_times() {
    let log = "2024-05-01T10:00:00.0000000Z \x1b[31merror\x1b[0m: wrong\n2024-05-01T10:00:00.0000000Z \x1b[34m --> \x1b[0msrc/lib.rs:3:5\n";
    assert_eq!(
        failing_lines(log).as_deref(),
        Some(" error: wrong\n  --> src/lib.rs:3:5")
    );
    for line in [
        "\x1b[",
        "\x1b[1;",
        "2024-05-01T10:00:00",
        "2024-05-01T10:00:0ä",
        "[",
        "",
    ] {
        assert_eq!(failure(line), None, "{line:?}");
    }
}

#[test]
fn pack_4_each_count_of_a_line_has_its_own_number() {
    let table = [
        ("0 failed, failures: 0", Some(false)),
        ("3 errors (failures: 0)", Some(true)),
        ("2 failed; errors: 0", Some(true)),
        ("error: 0 bytes were read", None),
        ("a.cs(10,0): error CS1002: ; expected", None),
        ("no failures here", None),
    ];
    for (line, counted) in table {
        assert_eq!(super::counted_failures(line), counted, "{line}");
    }
}

/// A line of several hundred kilobytes took minutes; only its beginning is looked at for counts.
#[test]
fn pack_4_one_long_line_is_read_once() {
    let log = "failed errors ".repeat(40_000);
    assert_eq!(failure(&log), None);
    let log = "ä".repeat(5_000) + " 3 failed";
    assert_eq!(
        failure(&log),
        None,
        "too far behind, and not cut within a character"
    );
    let log = "x".to_owned() + &"ä".repeat(5_000) + " 3 failed";
    assert_eq!(failure(&log), None);
}

#[test]
fn sec_6_fuzz_logs() {
    let material = Material::new(
        &[
            "tests/test_a.py::test_total FAILED [ 50%]\n=== FAILURES ===\n>       assert 3 == 4\nE       assert 3 == 4\nsrc/a.py:12: AssertionError\n1 failed, 3 passed in 0.1s\n",
            "2024-03-01T12:00:00Z \u{1b}[31merror[E0308]\u{1b}[0m: mismatched types\n  --> src/main.rs:3:5\n   |\n3  |     x\n",
            "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nValueError: x\n",
        ],
        &[
            "FAILED",
            "error",
            "Error:",
            "panicked at",
            "Traceback",
            "\u{1b}[",
            "m",
            "1 failed",
            ", ",
            "passed",
            ":",
            "12:00:00",
            "  at ",
            "E   ",
            "\n",
            "\r",
            "src/a.rs:1:2",
            "warning:",
            "ok",
            "---",
            "===",
            "[",
            "]",
        ],
    );
    fuzz("logs", &material, |input| {
        let text = String::from_utf8_lossy(input);
        let n_lines = text.lines().count() as u32;
        for (line, weight) in failure(&text).unwrap_or_default() {
            assert!(
                (1..=n_lines).contains(&line) && weight.is_finite(),
                "{line} of {n_lines}"
            );
        }
    });
}
