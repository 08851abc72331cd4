//! k-means over sparse vectors.
//!
//! Lloyd's algorithm with the seeding of k-means++ (Arthur & Vassilvitskii 2007). The objective
//!
//! ```text
//! J = Σ_x min_c |x − c|²,   |x − c|² = |x|² − 2 x·c + |c|²
//! ```
//!
//! never rises from one iteration to the next; a cluster that runs empty is given the point that lies
//! farthest from its centroid, which can only lower it.

use chain::Stream;
use num::dist;

/// The entries of a vector that are not zero: (dimension, value), each dimension once.
pub type SparseVector = Vec<(u32, f64)>;

/// How many clusters, and how long to look for them.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeansOptions {
    /// The number of clusters; fewer come out if there are fewer different points.
    pub n_clusters: usize,
    /// Iterations at most; it stops earlier when no point changes its cluster.
    pub max_iterations: usize,
    /// The seed of the starting centroids.
    pub seed: u64,
}

impl Default for KMeansOptions {
    fn default() -> KMeansOptions {
        KMeansOptions { n_clusters: 50, max_iterations: 30, seed: 0 }
    }
}

/// What k-means found.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeans {
    /// `centroids[dimension * n_clusters + cluster]`.
    pub centroids: Vec<f64>,
    /// The number of clusters.
    pub n_clusters: usize,
    /// The cluster of each point.
    pub assignment: Vec<u32>,
    /// The objective after each assignment of points to clusters.
    pub objective: Vec<f64>,
}

/// Clusters `points`, whose dimensions are all below `n_dimensions`; without points there are no clusters.
///
/// Time O(iterations · n_clusters · non-zero entries), memory O(n_dimensions · n_clusters).
pub fn k_means(points: &[SparseVector], n_dimensions: usize, options: &KMeansOptions) -> KMeans {
    let seeds = seed_points(points, options);
    let mut means = Means::at(&seeds, n_dimensions);
    let mut nearest = means.assign(points);
    let mut objective = vec![total(&nearest)];
    for _ in 1..options.max_iterations.max(1) {
        means.update(points, &nearest);
        let next = means.assign(points);
        let settled = next.iter().zip(&nearest).all(|(new, old)| new.0 == old.0);
        nearest = next;
        objective.push(total(&nearest));
        if settled {
            break;
        }
    }
    let assignment = nearest.iter().map(|&(cluster, _)| cluster).collect();
    KMeans { centroids: means.values, n_clusters: means.n, assignment, objective }
}

fn total(nearest: &[(u32, f64)]) -> f64 {
    nearest.iter().map(|(_, distance)| distance).sum()
}

/// The index of the smallest number; the first of equals, 0 if there are none.
pub(crate) fn argmin(numbers: &[f64]) -> usize {
    (1..numbers.len()).fold(0, |best, i| if numbers[i] < numbers[best] { i } else { best })
}

/// k-means++: each next seed is a point drawn in proportion to its squared distance from the seeds so far.
fn seed_points<'a>(points: &'a [SparseVector], options: &KMeansOptions) -> Vec<&'a SparseVector> {
    let mut rng = Stream::new(options.seed).purpose("k-means++").rng();
    let mut distances = vec![1.0; points.len()];
    let mut seeds: Vec<&SparseVector> = Vec::new();
    while seeds.len() < options.n_clusters.max(1) {
        // The weights run out when every point is a seed or the equal of one.
        let Some(drawn) = dist::categorical(&mut rng, &distances) else { break };
        let seed = &points[drawn];
        for (distance, point) in distances.iter_mut().zip(points) {
            let to_seed = squared_distance(point, seed);
            *distance = if seeds.is_empty() { to_seed } else { distance.min(to_seed) };
        }
        distances[drawn] = 0.0;
        seeds.push(seed);
    }
    seeds
}

/// |x − y|² by merging the entries; both are sorted by dimension.
fn squared_distance(x: &[(u32, f64)], y: &[(u32, f64)]) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while i < x.len() || j < y.len() {
        let dimension = |v: &[(u32, f64)], at: usize| v.get(at).map_or(u32::MAX, |entry| entry.0);
        let (a, b) = (dimension(x, i), dimension(y, j));
        let difference = match a.cmp(&b) {
            std::cmp::Ordering::Less => x[i].1,
            std::cmp::Ordering::Greater => y[j].1,
            std::cmp::Ordering::Equal => x[i].1 - y[j].1,
        };
        sum += difference * difference;
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    sum
}

/// The centroids, one row of `n` values per dimension.
struct Means {
    n: usize,
    values: Vec<f64>,
}

impl Means {
    fn at(seeds: &[&SparseVector], n_dimensions: usize) -> Means {
        let mut means = Means { n: seeds.len(), values: vec![0.0; n_dimensions * seeds.len()] };
        for (cluster, seed) in seeds.iter().enumerate() {
            means.add(cluster, seed, 1.0);
        }
        means
    }

    fn add(&mut self, cluster: usize, point: &[(u32, f64)], factor: f64) {
        for &(dimension, value) in point {
            self.values[dimension as usize * self.n + cluster] += factor * value;
        }
    }

    /// The nearest cluster of every point and the squared distance to it.
    fn assign(&self, points: &[SparseVector]) -> Vec<(u32, f64)> {
        let mut norms = vec![0.0; self.n];
        for row in self.values.chunks(self.n.max(1)) {
            norms.iter_mut().zip(row).for_each(|(norm, value)| *norm += value * value);
        }
        points.iter().map(|point| self.nearest(point, &norms)).collect()
    }

    fn nearest(&self, point: &[(u32, f64)], norms: &[f64]) -> (u32, f64) {
        let mut distances = norms.to_vec();
        for &(dimension, value) in point {
            let row = &self.values[dimension as usize * self.n..][..self.n];
            distances.iter_mut().zip(row).for_each(|(distance, mean)| *distance -= 2.0 * value * mean);
        }
        let best = argmin(&distances);
        let square: f64 = point.iter().map(|(_, value)| value * value).sum();
        (best as u32, f64::max(distances[best] + square, 0.0))
    }

    /// Every centroid becomes the mean of its points.
    fn update(&mut self, points: &[SparseVector], nearest: &[(u32, f64)]) {
        let mut sizes = vec![0.0; self.n];
        nearest.iter().for_each(|&(cluster, _)| sizes[cluster as usize] += 1.0);
        self.values.fill(0.0);
        for (point, &(cluster, _)) in points.iter().zip(nearest) {
            self.add(cluster as usize, point, 1.0 / sizes[cluster as usize]);
        }
        self.refill(&sizes, points, nearest);
    }

    /// Empty clusters get the points that are farthest from their centroids. Such a point still counts for
    /// the mean of its old cluster, whose objective is therefore no worse than before.
    fn refill(&mut self, sizes: &[f64], points: &[SparseVector], nearest: &[(u32, f64)]) {
        let mut distances: Vec<f64> = nearest.iter().map(|(_, distance)| -distance).collect();
        for cluster in (0..self.n).filter(|&cluster| sizes[cluster] == 0.0) {
            let farthest = argmin(&distances);
            distances[farthest] = f64::INFINITY;
            self.add(cluster, &points[farthest], 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_cluster_gets_the_farthest_point() {
        let points: Vec<SparseVector> = [1.0, 2.0, 9.0].iter().map(|&x| vec![(0, x)]).collect();
        // Nothing is near the second centroid.
        let mut means = Means::at(&[&vec![(0, 2.0)], &vec![(0, -50.0)]], 1);
        let nearest = means.assign(&points);
        assert!(nearest.iter().all(|&(cluster, _)| cluster == 0));
        means.update(&points, &nearest);
        assert_eq!(means.values, [4.0, 9.0]);
        assert!(total(&means.assign(&points)) < total(&nearest));
    }
}
