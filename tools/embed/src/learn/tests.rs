use super::*;

/// Pairs of `n_topics` topics: questions use one word of a topic, passages another two, so that only learning joins them.
fn data(n_topics: u32, n_pairs: usize) -> Dataset {
    let mut data = Dataset {
        keys: (0..u64::from(n_topics) * 3).collect(),
        n_buckets: 0,
        starts: vec![0],
        ..Dataset::default()
    };
    data.frequency = vec![n_pairs as u32 / n_topics; data.n_rows()];
    let mut random = Random::new(9);
    for pair in 0..n_pairs {
        let topic = random.below(n_topics as usize) as u32;
        let word = |idx: u32, field: u32| (3 * topic + idx) << 15 | field << 12 | 177;
        for part in [&[word(0, 5)][..], &[word(1, 4), word(2, 4)][..]] {
            data.features.extend(part);
            data.starts.push(data.features.len() as u64);
        }
        data.package.push(pair as u32 / 16);
        data.chunk.push(u64::from(topic));
        data.query_hash.push(u64::from(topic));
        data.kind.push(0);
        data.language.push(0);
        data.is_held_out.push(0);
    }
    data
}

fn options() -> Options {
    Options {
        batch: 64,
        block: 16,
        temperature: 0.1,
        forward: 0.6,
        rate: 1e-2,
        n_steps: 40,
        learns_fields: true,
    }
}

fn trained() -> (Model, f32, f32) {
    let (data, options) = (data(20, 640), options());
    let mut model = Model::start(&data, 16, 1);
    let mut trainer = Trainer::new(&model, options.batch);
    let mut random = Random::new(2);
    let mut losses = Vec::new();
    while losses.len() < options.n_steps {
        for batch in batches(&data, (options.batch, options.block), None, &mut random) {
            losses.push(trainer.step(&data, &mut model, &batch, &options, (losses.len(), options.rate)));
        }
    }
    (model, losses[0], losses[losses.len() - 1])
}

#[test]
fn ret_12_training_brings_a_question_to_its_passage() {
    let (_, first, last) = trained();
    assert!(last < first / 3.0, "{first} {last}");
}

#[test]
fn ret_12_training_is_the_same_every_time() {
    let (one, other) = (trained().0, trained().0);
    assert_eq!(one.rows, other.rows);
    assert_eq!(
        (one.weight, one.asked, one.field),
        (other.weight, other.asked, other.field)
    );
}

/// Moves each similarity a little and sees whether the loss follows its gradient.
#[test]
fn ret_12_the_gradient_is_that_of_the_loss() {
    let mut data = data(6, 6);
    data.chunk = vec![0, 1, 2, 3, 3, 5];
    data.query_hash = (0..6).collect();
    let options = options();
    let batch: Vec<u32> = (0..6).collect();
    let mut random = Random::new(3);
    let near = Array2::from_shape_fn((6, 6), |_| random.share() * 0.4);
    let mut gradient = near.clone();
    into_gradient(&mut gradient, &data, &batch, &options);
    for i in 0..6 {
        for j in 0..6 {
            let loss = |by: f32| {
                let mut moved = near.clone();
                moved[(i, j)] += by;
                into_gradient(&mut moved, &data, &batch, &options)
            };
            let measured = (loss(1e-2) - loss(-1e-2)) / 2e-2;
            assert!(
                (measured - gradient[(i, j)]).abs() < 5e-3,
                "{i} {j}: {measured} {}",
                gradient[(i, j)]
            );
        }
    }
    assert_eq!(gradient[(3, 4)], 0.0, "pairs of one chunk are not negatives");
}
