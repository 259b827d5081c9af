use kitbag_testkit::fuzz::{Material, fuzz};

use super::*;

#[test]
fn round_trip_and_refusal() {
    for text in ["", "a", "fn main() {}\n".repeat(1000).as_str(), "日本語\0\r\n"] {
        let packed = pack(text);
        assert_eq!(unpack(&packed, text.len()).as_deref(), Some(text));
        assert_eq!(unpack(&packed, text.len() + 1), None);
        for cut in 0..packed.len().min(40) {
            assert_eq!(unpack(&packed[..cut], text.len()), None, "cut at {cut}");
        }
    }
}

#[test]
fn idx_23_lines_of_a_link_come_back() {
    for lines in [vec![], vec![7], vec![7, 7, 19, 1_000_000]] {
        assert_eq!(unpack_lines(7, &pack_lines(7, &lines)), lines);
    }
}

#[test]
fn sec_6_fuzz_stored_text() {
    let material = Material::new(
        &[
            pack("fn main() {}\n"),
            pack(&"abc".repeat(500)),
            b"3 1 4 1 5".to_vec(),
        ],
        &["\u{f}\u{f}", "\0\0\0\0", " ", "4294967295"],
    );
    fuzz("stored text", &material, |input| {
        let promised = input
            .get(..4)
            .map_or(0, |head| u32::from_le_bytes(head.try_into().expect("four")));
        if let Some(text) = unpack(input, (promised as usize).min(100_000)) {
            assert_eq!(text.len(), promised as usize);
        }
        let lines = unpack_lines(7, &String::from_utf8_lossy(input));
        assert!(lines.is_sorted());
    });
}
