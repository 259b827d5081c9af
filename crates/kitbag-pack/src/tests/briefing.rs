//! The laws of the brief (ENG-3, ENG-4, ENG-10, ENG-11, ENG-12, ENG-30, ENG-40), over insights made from a seed.

use std::borrow::Cow;
use std::collections::BTreeSet;

use kitbag_testkit::random::Random;
use kitbag_types::Stop;

use super::text::odd_line;
use super::world::{SMALL, brief, line_hash, style, words, world};
use crate::{
    BRIEF_PATH, Brief, BriefPlan, BriefSection, Code, Delivered, Depth, Format, Insight, InsightPlace,
    Intent, Pack, PackOptions, Resolution, Session, ShownInsight, base_score, brief_shares, brief_text,
    category_weight, choose, choose_brief, insight_hash, is_priority, most_of, proximity, tuning, write,
};

const CATEGORIES: [&str; 13] = [
    "architectural",
    "entry_points",
    "conventions",
    "constraints",
    "security",
    "data_accessors",
    "error_handling",
    "test_topology",
    "recent_changes",
    "coupling",
    "memories",
    "naming",
    "no such category",
];

pub(super) fn insight(random: &mut Random, n: usize) -> Insight {
    let section = random.pick(&BriefSection::ALL);
    let text = match random.chance(25) {
        true => odd_line(random),
        false => {
            let n_words = 1 + random.below(30);
            format!("insight {n} says {}", "something ".repeat(n_words))
        }
    };
    Insight {
        id: format!("{}-{n}", section.as_str()),
        section,
        category: Cow::Borrowed(random.pick(&CATEGORIES)),
        text,
        place: random.chance(70).then(|| InsightPlace {
            path: format!("src/part{}/file.rs", random.below(4)),
            line: random.below(3) as u32 * 40,
        }),
        code: random.chance(20).then(|| Code {
            language: "rust".to_owned(),
            text: format!("fn part_{n}() {{\n    {}\n}}", odd_line(random)),
        }),
        confidence: random.below(101) as f64 / 100.0,
        occurrences: random.below(60) as u64,
        days: random.chance(60).then(|| random.below(400) as f64),
        nearness: random.pick(&[0.2, 0.5, 0.8, 1.0]),
        from: random.pick(&Depth::ALL),
    }
}

fn insights(random: &mut Random) -> Vec<Insight> {
    let n = random.below(120);
    (0..n).map(|n| insight(random, n)).collect()
}

fn shown(insight: &Insight) -> ShownInsight {
    ShownInsight {
        insight: insight.clone(),
        base: 0.0,
        score: 0.0,
        tokens: 0,
        delivered_in: Vec::new(),
        changed_since: None,
    }
}

fn cost(insight: &Insight) -> usize {
    words(&brief_text(&[shown(insight)], &style(Format::Markdown)))
}

fn plan(depth: Depth, intent: Intent, budget: usize) -> BriefPlan<'static> {
    BriefPlan {
        depth,
        intent,
        budget,
        min_confidence: 0.0,
        categories: &[],
        cost: &cost,
        heading: &|_| 3,
    }
}

/// Runs a law over many seeds, and says which one broke it.
fn law(n: u64, mut holds: impl FnMut(&mut Random)) {
    for seed in 0..n {
        let mut random = Random::new(seed);
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| holds(&mut random)));
        assert!(run.is_ok(), "seed {seed}");
    }
}

fn ids(brief: &[ShownInsight]) -> BTreeSet<String> {
    brief.iter().map(|one| one.insight.id.clone()).collect()
}

#[test]
fn eng_10_a_deeper_brief_says_all_that_a_shallower_one_does() {
    law(300, |random| {
        let (all, intent) = (insights(random), random.pick(&Intent::ALL));
        let budget = random.pick(&[0, 30, 200, 1_000, 2_500, 7_000, 20_000]);
        let of = |depth| choose_brief(all.clone(), &plan(depth, intent, budget));
        let briefs = Depth::ALL.map(of);
        for pair in briefs.windows(2) {
            assert!(ids(&pair[0]).is_subset(&ids(&pair[1])));
            let tokens = |brief: &[ShownInsight]| words(&brief_text(brief, &style(Format::Markdown)));
            assert!(tokens(&pair[0]) <= tokens(&pair[1]));
        }
        for (depth, brief) in Depth::ALL.into_iter().zip(&briefs) {
            assert!(brief.iter().all(|one| one.insight.from <= depth));
            for section in BriefSection::ALL {
                let n = brief.iter().filter(|one| one.insight.section == section).count();
                assert!(n <= most_of(section, depth), "{section:?} at {depth:?}");
            }
        }
    });
}

#[test]
fn eng_11_the_sum_never_exceeds_the_total_and_insights_are_whole_or_left_out() {
    law(300, |random| {
        let (all, intent) = (insights(random), random.pick(&Intent::ALL));
        let depth = random.pick(&Depth::ALL);
        let budget = random.below(4_000);
        let brief = choose_brief(all.clone(), &plan(depth, intent, budget));
        let sections: BTreeSet<BriefSection> = brief.iter().map(|one| one.insight.section).collect();
        let sum: usize = brief.iter().map(|one| one.tokens).sum();
        assert!(sum + 3 * sections.len() <= budget.min(depth.tokens()));
        for one in &brief {
            assert!(all.contains(&one.insight), "an insight was changed");
        }
    });
}

#[test]
fn eng_11_shares_sum_to_one_none_is_negative_and_intents_move_what_the_table_says() {
    for depth in Depth::ALL {
        for intent in Intent::ALL {
            let shares = brief_shares(depth, intent);
            assert!(shares.iter().all(|share| *share >= 0.0), "{depth:?} {intent:?}");
            assert!(
                (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9,
                "{depth:?} {intent:?}"
            );
        }
    }
    let of = |intent, section: BriefSection| brief_shares(Depth::Standard, intent)[section as usize];
    let is = |is: f64, wanted: f64| assert!((is - wanted).abs() < 1e-9, "{is} is not {wanted}");
    is(of(Intent::SecurityReview, BriefSection::Patterns), 0.28);
    is(of(Intent::SecurityReview, BriefSection::DataAccessors), 0.055);
    is(of(Intent::SecurityReview, BriefSection::Constraints), 0.185);
    is(of(Intent::FixBug, BriefSection::EntryPoints), 0.08);
    is(of(Intent::FixBug, BriefSection::Memories), 0.09);
    is(of(Intent::AddTest, BriefSection::DataAccessors), 0.01);
    is(of(Intent::AddTest, BriefSection::Examples), 0.06);
    is(of(Intent::Understand, BriefSection::Patterns), 0.35);
}

#[test]
fn eng_11_surplus_goes_to_whoever_still_has_something_to_say() {
    let of_section = |section: BriefSection, n: usize| {
        let text = format!("number {n} {}", "word ".repeat(30));
        let one = Insight::new(section, "conventions", format!("{}{n}", section.as_str()), text);
        Insight {
            from: Depth::Deep,
            ..one
        }
    };
    // Nothing but patterns: they get the shares of all.
    let patterns: Vec<Insight> = (0..60).map(|n| of_section(BriefSection::Patterns, n)).collect();
    let one = cost(&patterns[0]);
    let alone = choose_brief(
        patterns.clone(),
        &plan(Depth::Deep, Intent::Understand, 20 * one + 3),
    );
    assert_eq!(alone.len(), 20);
    // With constraints beside them, half of what is left each time.
    let rules = (0..60).map(|n| of_section(BriefSection::Constraints, n));
    let both: Vec<Insight> = patterns.into_iter().chain(rules).collect();
    let budget = 40 * one + 6;
    let brief = choose_brief(both, &plan(Depth::Deep, Intent::Understand, budget));
    let n = |section| {
        brief
            .iter()
            .filter(|shown| shown.insight.section == section)
            .count()
    };
    let (patterns, rules) = (n(BriefSection::Patterns), n(BriefSection::Constraints));
    assert_eq!(patterns + rules, 40, "the budget is used");
    assert!(
        patterns > rules && rules >= 10,
        "{patterns} patterns, {rules} rules"
    );
}

#[test]
fn eng_30_the_best_stands_first_and_the_second_best_last() {
    law(300, |random| {
        let (all, intent) = (insights(random), random.pick(&Intent::ALL));
        let brief = choose_brief(all, &plan(random.pick(&Depth::ALL), intent, 5_000));
        let sections: Vec<BriefSection> = brief.iter().map(|one| one.insight.section).collect();
        assert!(sections.is_sorted(), "sections stand in their order");
        for section in BriefSection::ALL
            .into_iter()
            .filter(|section| *section != BriefSection::Header)
        {
            let scores: Vec<f64> = brief
                .iter()
                .filter(|one| one.insight.section == section)
                .map(|one| one.score)
                .collect();
            let Some((first, rest)) = scores.split_first() else {
                continue;
            };
            assert!(rest.iter().all(|score| score <= first));
            if let Some((last, middle)) = rest.split_last() {
                assert!(middle.iter().all(|score| score <= last));
                assert!(middle.is_sorted_by(|a, b| a >= b));
            }
        }
    });
}

#[test]
fn eng_3_the_weights_are_those_of_the_table_and_one_where_it_says_nothing() {
    assert_eq!(category_weight(Intent::SecurityReview, "security"), 2.0);
    assert_eq!(category_weight(Intent::AddFeature, "test_topology"), 0.5);
    assert_eq!(category_weight(Intent::FixBug, "recent_changes"), 1.3);
    assert_eq!(category_weight(Intent::Refactor, "coupling"), 1.3);
    assert_eq!(category_weight(Intent::AddTest, "memories"), 0.8);
    assert_eq!(category_weight(Intent::FixBug, "naming"), 1.0);
    for (category, _) in tuning::CATEGORY_WEIGHTS {
        assert_eq!(category_weight(Intent::Understand, category), 1.0);
        assert!(!is_priority(Intent::Understand, category));
    }
    assert!(is_priority(Intent::FixBug, "error_handling"));
    assert!(!is_priority(Intent::Refactor, "error_handling"));
}

#[test]
fn eng_4_scores_keep_their_bounds_and_more_of_a_merit_never_scores_less() {
    law(500, |random| {
        let mut one = insight(random, 0);
        let intent = random.pick(&Intent::ALL);
        if random.chance(10) {
            one.confidence = f64::NAN;
        }
        let base = base_score(&one, intent, 60);
        assert!((0.0..=1.0).contains(&base));
        assert!((0.0..=2.0).contains(&(base * category_weight(intent, &one.category))));
        let better = [
            Insight {
                confidence: 1.0,
                ..one.clone()
            },
            Insight {
                occurrences: 60,
                ..one.clone()
            },
            Insight {
                nearness: 1.0,
                ..one.clone()
            },
            Insight {
                days: Some(0.0),
                ..one.clone()
            },
        ];
        assert!(better.iter().all(|better| base_score(better, intent, 60) >= base));
    });
    let fact = Insight {
        days: Some(30.0),
        nearness: proximity(Some("src/a/b.rs"), Some("src/a/c.rs"), true),
        ..Insight::new(BriefSection::Patterns, "error_handling", "x".into(), "x".into())
    };
    let wanted = 0.30 + 0.25 + 0.20 + 0.15 * 0.5 + 0.10;
    assert!((base_score(&fact, Intent::FixBug, 1) - wanted).abs() < 1e-9);
}

#[test]
fn eng_4_nearness_is_that_of_folders() {
    let of = |path: &str, same| proximity(Some("src/a/b.rs"), Some(path), same);
    assert_eq!(of("src/a/c.rs", true), 1.0);
    assert_eq!(of("src/lib.rs", true), 0.8);
    assert_eq!(of("Cargo.toml", true), 0.8);
    assert_eq!(of("src/ab/c.rs", true), 0.5);
    assert_eq!(of("other/c.rs", false), 0.2);
    assert_eq!(proximity(None, Some("other/c.rs"), false), 0.5);
}

#[test]
fn eng_1_what_is_not_certain_enough_or_of_another_category_is_not_told() {
    law(100, |random| {
        let all = insights(random);
        let categories = ["conventions".to_owned(), "security".to_owned()];
        let plan = BriefPlan {
            min_confidence: 0.7,
            categories: &categories,
            ..plan(Depth::Deep, Intent::Understand, 10_000)
        };
        for one in choose_brief(all, &plan) {
            assert!(one.insight.confidence >= 0.7);
            let is_header = one.insight.section == BriefSection::Header;
            assert!(is_header || categories.iter().any(|name| *name == one.insight.category));
        }
    });
}

#[test]
fn the_order_in_which_insights_come_does_not_matter() {
    law(100, |random| {
        let mut all = insights(random);
        all.retain(|one| one.section != BriefSection::Header);
        let mut other = all.clone();
        for idx in (1..other.len()).rev() {
            other.swap(idx, random.below(idx + 1));
        }
        let plan = plan(Depth::Deep, Intent::AddFeature, 3_000);
        assert_eq!(choose_brief(all, &plan), choose_brief(other, &plan));
    });
}

/// A pack of some world with some brief.
fn packed(
    random: &mut Random,
    format: Format,
    budget: usize,
    session: Option<Session<'_>>,
) -> (Pack, Vec<ShownInsight>) {
    let world = world(random, SMALL);
    let all = insights(random);
    let told = choose_brief(
        all,
        &plan(random.pick(&Depth::ALL), Intent::Understand, budget / 2),
    );
    let options = PackOptions {
        brief_tokens: budget / 2,
        ..PackOptions::new(budget, style(format))
    };
    let pieces = if random.chance(80) {
        world.pieces.clone()
    } else {
        Vec::new()
    };
    let brief = Brief {
        told: &told,
        session,
        stop: Stop::never(),
        ..brief(&world.task, &options, &words)
    };
    let made = choose(pieces, brief).and_then(|chosen| write(chosen, world.hints.clone()));
    (made.unwrap_or_else(|error| panic!("{error}")), told)
}

#[test]
fn pack_31_and_74_the_budget_holds_with_a_brief_and_its_parts_add_up_in_every_format() {
    law(120, |random| {
        let format = random.pick(&Format::ALL);
        let budget = random.pick(&[0, 1, 40, 150, 600, 2_000]);
        let (pack, told) = packed(random, format, budget, None);
        assert_eq!(pack.tokens, words(&pack.text));
        assert!(pack.tokens <= budget, "{} of {budget} in {format:?}", pack.tokens);
        let of_items: usize = pack.items.iter().map(|item| item.tokens).sum();
        let of_brief: usize = pack.brief.iter().map(|one| one.tokens).sum();
        assert_eq!(of_items + of_brief + pack.frame_tokens, pack.tokens, "{format:?}");
        assert!(
            pack.brief
                .iter()
                .all(|one| told.iter().any(|known| known.insight == one.insight))
        );
    });
}

#[test]
fn eng_12_the_brief_takes_no_more_than_its_share_of_the_finished_text() {
    law(120, |random| {
        let format = random.pick(&Format::ALL);
        let (pack, _) = packed(random, format, 800, None);
        let of_brief: usize = pack.brief.iter().map(|one| one.tokens).sum();
        assert!(of_brief <= 400, "{of_brief}");
    });
}

#[test]
fn eng_40_what_was_told_is_counted_what_changed_is_told_again() {
    law(60, |random| {
        let seed = random.below(1_000_000) as u64;
        let format = random.pick(&Format::ALL);
        let (first, _) = packed(&mut Random::new(seed), format, 2_000, None);
        let delivered: Vec<Delivered> = first
            .brief
            .iter()
            .enumerate()
            .map(|(idx, one)| Delivered {
                answer: 1,
                path: BRIEF_PATH.to_owned(),
                label: one.insight.id.clone(),
                line_start: 1,
                // Every fifth was told otherwise.
                hashes: vec![insight_hash(&one.insight, &line_hash) ^ u64::from(idx % 5 == 4)],
                resolution: Resolution::Full,
                intent: Intent::Understand,
            })
            .collect();
        let session = Session {
            delivered: &delivered,
            intent: Intent::Understand,
            hash: &line_hash,
        };
        let (second, _) = packed(&mut Random::new(seed), format, 2_000, Some(session));
        assert!(second.tokens <= 2_000);
        for one in &second.brief {
            let Some(idx) = first
                .brief
                .iter()
                .position(|before| before.insight.id == one.insight.id)
            else {
                continue;
            };
            if idx % 5 == 4 {
                assert_eq!(one.changed_since, Some(1));
                assert!(one.delivered_in.is_empty());
            } else if second.tokens_saved > 0 {
                assert_eq!(one.delivered_in, [1]);
                assert_eq!(one.tokens, 0);
            }
        }
    });
}

#[test]
fn eng_40_what_counts_more_for_another_intent_is_told_again() {
    let rule = Insight::new(
        BriefSection::Patterns,
        "security",
        "p1".into(),
        "Every handler of a request checks the session before it reads anything from the store".into(),
    );
    let delivered = [Delivered {
        answer: 3,
        path: BRIEF_PATH.to_owned(),
        label: "p1".into(),
        line_start: 1,
        hashes: vec![insight_hash(&rule, &line_hash)],
        resolution: Resolution::Full,
        intent: Intent::FixBug,
    }];
    let told = choose_brief(vec![rule], &plan(Depth::Overview, Intent::Understand, 500));
    let options = PackOptions::new(500, style(Format::Markdown));
    let text = |intent| {
        let session = Session {
            delivered: &delivered,
            intent,
            hash: &line_hash,
        };
        let brief = Brief {
            told: &told,
            session: Some(session),
            ..brief("t", &options, &words)
        };
        let made = choose(Vec::new(), brief).and_then(|chosen| write(chosen, Vec::new()));
        made.unwrap().text
    };
    assert_eq!(
        text(Intent::FixBug),
        "# t\n\n## Conventions\n\n- 1 more was delivered in answer 3\n"
    );
    assert!(text(Intent::SecurityReview).contains("checks the session"));
}
