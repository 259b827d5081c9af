use super::*;

#[test]
fn cfg_4_a_tool_gives_half_of_the_configured_budget_within_its_own_bounds() {
    let configured = kitbag_engine::Options::default().packing.default_max_tokens;
    assert_eq!(half_of(configured), 4_000, "the schemas say so");
    assert_eq!([3_000, 100, 900_000].map(half_of), [1_500, 200, 25_000]);
}
