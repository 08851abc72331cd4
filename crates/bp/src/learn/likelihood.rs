//! The likelihood of an example, and its gradients in the scores of a graph.

use super::Evidence;
use crate::{Error, Graph, Messages, Options};

/// How probable what is known is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likelihood {
    /// ln Z(clamped) − ln Z(free), by Bethe's sums if the graph has cycles.
    pub ln: f64,
    /// Whether both sums are exact.
    pub is_exact: bool,
    /// Whether all messages came to rest.
    pub has_converged: bool,
}

/// ln Z(clamped) − ln Z(free) and its gradient in every score.
pub fn gradients(
    messages: &mut Messages,
    graph: &Graph,
    clamped: &Evidence,
    free: &Evidence,
    options: &Options,
    gradients: &mut Vec<f64>,
) -> Result<Likelihood, Error> {
    let mut expected = Vec::new();
    let known = messages.run(graph, clamped, options)?;
    let ln_known = messages.log_z(graph);
    messages.expected(graph, gradients);
    let open = messages.run(graph, free, options)?;
    let ln_open = messages.log_z(graph);
    messages.expected(graph, &mut expected);
    gradients.iter_mut().zip(&expected).for_each(|(derivative, expected)| *derivative -= expected);
    Ok(Likelihood {
        ln: ln_known - ln_open,
        is_exact: known.is_exact && open.is_exact,
        has_converged: known.has_converged && open.has_converged,
    })
}
