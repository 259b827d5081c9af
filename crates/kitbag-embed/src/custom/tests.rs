use super::*;

/// A model that always gives these vectors.
struct Fixed(Vec<Vec<f32>>);

impl VectorModel for Fixed {
    fn id(&self) -> &str {
        "fixed"
    }

    fn dims(&self) -> usize {
        2
    }

    fn embed(&self, _texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        match self.0.is_empty() {
            true => Err("it is tired".to_owned()),
            false => Ok(self.0.clone()),
        }
    }
}

fn check(given: &[&[f32]], expected: Result<Vec<f32>, &str>) {
    let model = Fixed(given.iter().map(|vector| vector.to_vec()).collect());
    let found = embed_one(&model, "a question").map_err(|error| error.to_string());
    assert_eq!(
        found,
        expected.map_err(|what| format!("the model fixed failed: {what}"))
    );
}

#[test]
fn lib_1_what_a_model_of_others_gives_is_checked() {
    check(&[&[3.0, 4.0]], Ok(vec![0.6, 0.8]));
    check(&[&[0.0, 0.0]], Ok(vec![0.0, 0.0]));
    check(&[], Err("it is tired"));
    check(&[&[1.0, 0.0], &[1.0, 0.0]], Err("2 vectors for 1 texts"));
    check(&[&[1.0]], Err("1 numbers instead of 2"));
    check(
        &[&[1.0, f32::NAN]],
        Err("a vector has something that is not a number"),
    );
}
