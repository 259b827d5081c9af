use super::*;

const NOW: Timestamp = Timestamp(1_790_000_000_000);

#[test]
fn ret_23_days_and_how_long_ago() {
    for (text, expected) in [
        ("1970-01-01", 0),
        ("1970-03-01", 59 * DAY_MS),
        ("2000-02-29", 951_782_400_000),
        ("2000-03-01", 951_868_800_000),
        ("2026-01-31", 1_769_817_600_000),
        ("36h", NOW.0 - 36 * HOUR_MS),
        ("10d", NOW.0 - 10 * DAY_MS),
        ("2w", NOW.0 - 14 * DAY_MS),
        ("1y", NOW.0 - 365 * DAY_MS),
        ("0d", NOW.0),
    ] {
        assert_eq!(since(text, NOW).unwrap(), Timestamp(expected), "{text}");
    }
}

#[test]
fn ret_23_what_is_no_time_says_what_is() {
    for text in [
        "",
        "w",
        "-2w",
        "+2w",
        "2",
        "2 weeks",
        "2ü",
        "yesterday",
        "2026-13-01",
        "2026-02-29",
        "2026-04-31",
        "2026-1-1",
        "2026-01-01-01",
        "1969-12-31",
        "99999999999999999999d",
        "9999999999999999d",
    ] {
        let failure = since(text, NOW).unwrap_err();
        assert_eq!(failure.code, "INVALID_TIME", "{text}");
        assert!(failure.message.contains("2026-01-31"), "{text}");
    }
}
