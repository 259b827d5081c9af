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
