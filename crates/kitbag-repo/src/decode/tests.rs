//! Encodings (IDX-4, IDX-15).

use super::{decode, why_binary};
use kitbag_testkit::fuzz::{Material, fuzz};

fn utf16(text: &str, big_endian: bool) -> Vec<u8> {
    let mut bytes = if big_endian {
        vec![0xFE, 0xFF]
    } else {
        vec![0xFF, 0xFE]
    };
    for unit in text.encode_utf16() {
        bytes.extend(if big_endian {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        });
    }
    bytes
}

#[test]
fn idx_4_text_of_any_script_is_text() {
    for text in [
        "",
        "fn main() {}\r\n",
        "значение = 1",
        "値を返す",
        "🦀🦀🦀🦀",
        "\u{1B}[1mbold\u{1B}[0m",
        "a\tb\x0Cc",
    ] {
        assert_eq!(why_binary(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn idx_4_a_character_cut_by_the_sample_is_no_fault() {
    let text = "é".repeat(5000);
    assert_eq!(why_binary(text.as_bytes()), None);
    assert_eq!(why_binary(format!("a{text}").as_bytes()), None);
}

#[test]
fn idx_4_binary_by_content() {
    assert!(why_binary(b"text\0text").is_some());
    assert!(why_binary(b"\x7FELF...").is_some());
    assert!(why_binary(b"%PDF-1.7 text").is_some());
    assert!(why_binary(&[0x80; 100]).is_some());
    assert!(why_binary(&[1, 2, 3, 4, 5, 6, 7, b'a', b'b', b'c']).is_some());
    // UTF-32, which is not supported.
    assert!(why_binary(&[0xFF, 0xFE, 0, 0, b'a', 0, 0, 0]).is_some());
    assert!(why_binary(b"BZh words").is_none());
    assert!(why_binary(b"BZh91AY&SY").is_some());
}

#[test]
fn idx_4_thirty_percent_is_the_border() {
    let mix = |n_odd: usize| [vec![0xFFu8; n_odd], vec![b'a'; 100 - n_odd]].concat();
    assert_eq!(why_binary(&mix(30)), None);
    assert!(why_binary(&mix(31)).is_some());
}

#[test]
fn idx_15_encodings_are_decoded() {
    let text = "naïve\r\n値 🦀\n";
    assert_eq!(decode(text.as_bytes().to_vec()), (text.to_owned(), false));
    assert_eq!(
        decode([b"\xEF\xBB\xBF", text.as_bytes()].concat()),
        (text.to_owned(), false)
    );
    for big_endian in [false, true] {
        let bytes = utf16(text, big_endian);
        assert_eq!(why_binary(&bytes), None);
        assert_eq!(decode(bytes), (text.to_owned(), false));
    }
}

#[test]
fn idx_15_malformed_text_is_read_with_replacements() {
    assert_eq!(
        decode(b"caf\xE9 au lait\n".to_vec()),
        ("caf\u{FFFD} au lait\n".to_owned(), true)
    );
    assert_eq!(
        decode(b"\xEF\xBB\xBFcaf\xE9".to_vec()),
        ("caf\u{FFFD}".to_owned(), true)
    );
    assert_eq!(
        decode(vec![0xFF, 0xFE, b'a', 0, 0x00, 0xD8]),
        ("a\u{FFFD}".to_owned(), true)
    );
    assert_eq!(
        decode(vec![0xFF, 0xFE, b'a', 0, b'b']),
        ("a\u{FFFD}".to_owned(), true)
    );
}

#[test]
fn sec_6_fuzz_decode() {
    let material = Material::new(
        &["fn main() {}\n", "\u{feff}text\r\n"],
        &["\u{feff}", "\0", "\u{fffd}", "%PDF-", "\u{10ffff}", "é"],
    );
    fuzz("decode", &material, |input| {
        why_binary(input);
        for head in [&b""[..], b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"] {
            let bytes = [head, input].concat();
            let (text, _) = decode(bytes.clone());
            assert!(text.len() <= 3 * bytes.len());
        }
    });
}
