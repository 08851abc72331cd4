//! Bits for vectors: all points are cut in two, the halves again, and so on.
//!
//! Each cut is one of 2-means. It starts from the halves on either side of the mean along the longest axis of the cloud, and
//! moves to the nearer mean; if too few points are on one side, those that lie nearest to the border go with them.

/// How often and how far points are cut.
#[derive(Clone, Debug, PartialEq)]
pub struct BisectOptions {
    /// Bits of a code at most.
    pub depth: usize,
    /// Fewer points are not cut any more.
    pub least_points: usize,
    /// The share of points on the smaller side of a cut, at least.
    pub least_share: f64,
    /// Iterations of 2-means for each cut at most.
    pub max_iterations: usize,
}

impl Default for BisectOptions {
    fn default() -> BisectOptions {
        BisectOptions { depth: 10, least_points: 8, least_share: 0.25, max_iterations: 10 }
    }
}

/// The bits of each point; points whose bits begin alike lie in the same half, quarter, eighth …
///
/// `values` has `n_dimensions` numbers for each point, which are brought to length 1 first. Points that cannot be told apart
/// have the same bits; if there is nothing to cut, all have the one bit `0`. Numbers must be finite. Time
/// O(depth · iterations · values).
pub fn bisect(values: &[f32], n_dimensions: usize, options: &BisectOptions) -> Vec<String> {
    let cloud = Cloud::new(values, n_dimensions);
    let n_points = values.len().checked_div(n_dimensions).unwrap_or(0);
    let mut codes = vec![String::new(); n_points];
    let mut waiting: Vec<Vec<usize>> = vec![(0..n_points).collect()];
    for _ in 0..options.depth {
        let mut next = Vec::new();
        for points in waiting {
            let Some(halves) = cloud.cut(&points, options) else { continue };
            for (half, bit) in halves.into_iter().zip(['0', '1']) {
                half.iter().for_each(|&point| codes[point].push(bit));
                next.push(half);
            }
        }
        waiting = next;
    }
    codes.iter_mut().filter(|code| code.is_empty()).for_each(|code| code.push('0'));
    codes
}

/// Points on a sphere.
struct Cloud {
    values: Vec<f32>,
    n_dimensions: usize,
}

impl Cloud {
    fn new(values: &[f32], n_dimensions: usize) -> Cloud {
        let mut values = values.to_vec();
        for point in values.chunks_exact_mut(n_dimensions.max(1)) {
            let length = libm::sqrt(point.iter().map(|&x| f64::from(x) * f64::from(x)).sum());
            if length > 0.0 {
                point.iter_mut().for_each(|x| *x = (f64::from(*x) / length) as f32);
            }
        }
        Cloud { values, n_dimensions }
    }

    fn point(&self, number: usize) -> &[f32] {
        &self.values[number * self.n_dimensions..][..self.n_dimensions]
    }

    /// Two parts of some points, in their order; `None` if there are too few or all are the same.
    fn cut(&self, points: &[usize], options: &BisectOptions) -> Option<[Vec<usize>; 2]> {
        if points.len() < options.least_points.max(2) {
            return None;
        }
        let mean = self.mean(points);
        let axis = self.axis(points, &mean)?;
        let mut side = self.sides(points, &axis, dot(&axis, &mean), options.least_share);
        for _ in 0..options.max_iterations {
            // |x − a|² < |x − b|² is 2 x·(a − b) > |a|² − |b|².
            let [a, b] = split(points, &side).map(|half| self.mean(&half));
            let border = (dot(&a, &a) - dot(&b, &b)) / 2.0;
            let axis: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
            let next = self.sides(points, &axis, border, options.least_share);
            let settled = next == side;
            side = next;
            if settled {
                break;
            }
        }
        Some(split(points, &side))
    }

    fn mean(&self, points: &[usize]) -> Vec<f64> {
        let mut mean = vec![0.0; self.n_dimensions];
        for &point in points {
            mean.iter_mut().zip(self.point(point)).for_each(|(sum, &x)| *sum += f64::from(x));
        }
        mean.iter_mut().for_each(|sum| *sum /= points.len().max(1) as f64);
        mean
    }

    /// The direction in which points differ most, by a few steps of v ← Σ_x (v·(x − mean)) (x − mean), brought to length 1. It
    /// begins with the point that is farthest from the mean. `None` if all points are the same.
    fn axis(&self, points: &[usize], mean: &[f64]) -> Option<Vec<f64>> {
        const STEPS: usize = 5;
        let away = |point: usize| -> Vec<f64> {
            self.point(point).iter().zip(mean).map(|(&x, m)| f64::from(x) - m).collect()
        };
        let distance = |point: usize| -> f64 {
            self.point(point).iter().zip(mean).map(|(&x, m)| (f64::from(x) - m) * (f64::from(x) - m)).sum()
        };
        let distances: Vec<f64> = points.iter().map(|&point| distance(point)).collect();
        let farthest =
            (0..points.len()).reduce(|best, at| if distances[at] > distances[best] { at } else { best })?;
        // Rounding leaves about so much between points that are the same.
        if distances[farthest] < 1e-10 {
            return None;
        }
        let mut axis = away(points[farthest]);
        for _ in 0..STEPS {
            let middle = dot(&axis, mean);
            let mut next = vec![0.0; self.n_dimensions];
            for &point in points {
                let x = self.point(point);
                let along = project(x, &axis) - middle;
                next.iter_mut()
                    .zip(x)
                    .zip(mean)
                    .for_each(|((sum, &x), m)| *sum += along * (f64::from(x) - m));
            }
            let length = libm::sqrt(dot(&next, &next));
            if length > 0.0 {
                axis = next.into_iter().map(|x| x / length).collect();
            }
        }
        Some(axis)
    }

    /// Whether each point lies beyond the border along an axis, with a least share on either side.
    fn sides(&self, points: &[usize], axis: &[f64], border: f64, least_share: f64) -> Vec<bool> {
        let along: Vec<f64> = points.iter().map(|&point| project(self.point(point), axis)).collect();
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|&a, &b| along[a].total_cmp(&along[b]));
        let n_below = along.iter().filter(|&&place| place <= border).count();
        let least = ((points.len() as f64 * least_share.clamp(0.0, 0.5)) as usize).max(1);
        let n_below = n_below.clamp(least, points.len() - least);
        let mut side = vec![true; points.len()];
        order[..n_below].iter().for_each(|&at| side[at] = false);
        side
    }
}

/// Those beyond the border first.
fn split(points: &[usize], side: &[bool]) -> [Vec<usize>; 2] {
    let part = |wanted: bool| {
        points.iter().zip(side).filter(|(_, side)| **side == wanted).map(|(&point, _)| point).collect()
    };
    [part(true), part(false)]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn project(point: &[f32], axis: &[f64]) -> f64 {
    point.iter().zip(axis).map(|(&x, a)| f64::from(x) * a).sum()
}
