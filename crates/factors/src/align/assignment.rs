//! Which factor of one draw is which of another, and with which sign.

/// The signed permutation P that makes tr(Pᵀ M) largest: an assignment problem over |M|.
pub(super) fn signed_permutation(m: &[f64], k: usize) -> Vec<f64> {
    let costs: Vec<f64> = m.iter().map(|x| -x.abs()).collect();
    let mut turn = vec![0.0; k * k];
    for (row, column) in cheapest(&costs, k).into_iter().enumerate() {
        turn[row * k + column] = if m[row * k + column] < 0.0 { -1.0 } else { 1.0 };
    }
    turn
}

/// The column of each row in the cheapest assignment: shortest augmenting paths with potentials, O(k³).
fn cheapest(costs: &[f64], k: usize) -> Vec<usize> {
    let (mut u, mut v) = (vec![0.0; k + 1], vec![0.0; k + 1]);
    // The row (from 1) that has each column (from 1); 0 is nobody.
    let mut owner = vec![0usize; k + 1];
    for row in 1..=k {
        owner[0] = row;
        let mut column = 0;
        let (mut least, mut way) = (vec![f64::INFINITY; k + 1], vec![0usize; k + 1]);
        let mut used = vec![false; k + 1];
        while owner[column] != 0 {
            used[column] = true;
            let (from, mut step, mut next) = (owner[column], f64::INFINITY, 0);
            for to in (1..=k).filter(|&to| !used[to]) {
                let reduced = costs[(from - 1) * k + to - 1] - u[from] - v[to];
                if reduced < least[to] {
                    (least[to], way[to]) = (reduced, column);
                }
                if least[to] < step {
                    (step, next) = (least[to], to);
                }
            }
            for to in 0..=k {
                if used[to] {
                    u[owner[to]] += step;
                    v[to] -= step;
                } else {
                    least[to] -= step;
                }
            }
            // Costs that are no numbers have no cheapest assignment.
            if next == 0 {
                return (0..k).collect();
            }
            column = next;
        }
        while column != 0 {
            owner[column] = owner[way[column]];
            column = way[column];
        }
    }
    let mut columns = vec![0; k];
    (1..=k).for_each(|column| columns[owner[column] - 1] = column - 1);
    columns
}
