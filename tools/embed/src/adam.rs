//! Adam, only where there is a gradient: a row that a batch does not touch keeps its value and its momentum.

#[derive(Clone, Copy)]
pub struct Adam {
    pub rate: f32,
    /// 1 − β^t of both averages.
    first: f32,
    second: f32,
}

const BETA: (f32, f32) = (0.9, 0.995);

impl Adam {
    pub fn at(step: usize, rate: f32) -> Adam {
        let t = step as i32 + 1;
        Adam {
            rate,
            first: 1.0 - BETA.0.powi(t),
            second: 1.0 - BETA.1.powi(t),
        }
    }

    pub fn step(&self, value: &mut f32, first: &mut f32, second: &mut f32, gradient: f32) {
        *first = BETA.0 * *first + (1.0 - BETA.0) * gradient;
        *second = BETA.1 * *second + (1.0 - BETA.1) * gradient * gradient;
        *value -= self.rate * (*first / self.first) / ((*second / self.second).sqrt() + 1e-9);
    }
}
