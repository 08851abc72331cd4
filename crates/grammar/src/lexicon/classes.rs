//! Classes of rare words.

use features::{Clusters, TagModel};
use serde::{Deserialize, Serialize};

/// How rare words are put into classes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Classes {
    /// By what the form looks like; with clusters, these are features of q.
    Shape(Option<Clusters>),
    /// By cluster.
    Cluster(Clusters),
}

impl Classes {
    pub(super) fn n_classes(&self) -> usize {
        match self {
            Classes::Shape(_) => N_SHAPES,
            Classes::Cluster(clusters) => clusters.n_clusters(),
        }
    }

    /// The class of a word. It is a function of the form and of its being first, so that P(w | class) is one.
    pub(super) fn class(&self, form: &str, first: bool) -> usize {
        match self {
            Classes::Shape(_) => shape(form, first),
            Classes::Cluster(clusters) => clusters.class(form, first, None, None) as usize,
        }
    }

    /// Features of q besides those of the form.
    pub(super) fn extra(&self, form: &str, first: bool) -> Option<u64> {
        match self {
            Classes::Shape(Some(clusters)) => Some(u64::from(clusters.class(form, first, None, None))),
            _ => None,
        }
    }

    pub(super) fn posterior(&self, model: &TagModel, form: &str, first: bool, out: &mut Vec<f64>) {
        match self.extra(form, first) {
            Some(cluster) => model.posterior_with(form, first, &[cluster], out),
            None => model.posterior(form, first, out),
        }
    }
}

const N_SHAPES: usize = 8;

/// Punctuation, numbers, capitals (first in the sentence, all, other), hyphens, lower case, no case.
fn shape(form: &str, first: bool) -> usize {
    let initial = form.chars().next().unwrap_or(' ');
    if form.chars().all(|c| !c.is_alphanumeric()) {
        0
    } else if form.chars().any(char::is_numeric) {
        1
    } else if initial.is_uppercase() {
        match (first, form.chars().any(char::is_lowercase)) {
            (true, _) => 2,
            (false, true) => 3,
            (false, false) => 4,
        }
    } else if form.contains('-') {
        5
    } else if initial.is_lowercase() {
        6
    } else {
        7
    }
}
