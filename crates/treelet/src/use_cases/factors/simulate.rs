//! A table whose factors are known.

use super::summary::csv;
use crate::models;
use crate::options::factors::Simulate;
use crate::outcome::Usage;
use crate::table::plural;
use crate::watch::Watch;
use chain::{Rng, Stream};
use factors::simulate::{Simulation, draw_data, standard, thesis};
use factors::{Data, Kind, Value};
use serde::Serialize;
use serde_json::json;

/// The size of a table that was made.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SimulatedTable {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Factors behind them.
    pub factors: usize,
}

/// Makes a table whose factors are known, and writes it and the truth.
pub fn simulate_table(options: &Simulate, watch: &dyn Watch) -> anyhow::Result<SimulatedTable> {
    let mut outputs = vec![(options.output.as_path(), "the table")];
    outputs.extend(options.truth.as_deref().map(|path| (path, "the truth")));
    models::check_outputs(&outputs, &[])?;
    let mut rng = Stream::new(options.chance.seed).purpose("simulate").rng();
    let simulation = simulation(options, &mut rng)?;
    let data = hide(&simulation.data, options.missing, &mut rng);
    super::write(&options.output, &table(&data)?, watch)?;
    if let Some(path) = &options.truth {
        let text = format!("{:#}\n", truth(&simulation));
        super::write(path, text.as_bytes(), watch)?;
    }
    let made = SimulatedTable {
        rows: data.n_rows(),
        columns: data.columns().len(),
        factors: options.size.factors as usize,
    };
    watch.note(&format!(
        "{}: {}, {}, {}",
        options.output.display(),
        plural(made.rows, "row"),
        plural(made.columns, "column"),
        plural(made.factors, "factor"),
    ));
    Ok(made)
}

fn simulation(options: &Simulate, rng: &mut Rng) -> anyhow::Result<Simulation> {
    let (n, p, k) = (options.n as usize, options.p as usize, options.size.factors as usize);
    let usage = |error: factors::Error| Usage(error.to_string());
    if !options.all_types {
        return Ok(thesis(n, p, k, options.spread, rng).map_err(usage)?);
    }
    let all = [Kind::Count, Kind::Binary, Kind::Continuous, Kind::Ordinal(5), Kind::Categorical(4)];
    let kinds: Vec<Kind> = (0..p).map(|j| all[j % all.len()]).collect();
    let settings = factors::Options { n_factors: k, ..factors::Options::default() };
    settings.check(kinds.iter().map(|kind| kind.n_latent()).sum()).map_err(usage)?;
    let mut truth = standard(&kinds, n, k, rng);
    truth
        .columns
        .iter_mut()
        .flat_map(|column| &mut column.weights)
        .for_each(|weight| *weight *= options.spread);
    let data = draw_data(&kinds, &mut truth, &settings, rng).map_err(usage)?;
    Ok(Simulation { data, truth })
}

fn hide(data: &Data, share: Option<f64>, rng: &mut Rng) -> Data {
    let Some(share) = share else { return data.clone() };
    let cells: Vec<(usize, usize)> = data.observed().filter(|_| rng.bernoulli(share)).collect();
    data.without(&cells)
}

fn table(data: &Data) -> anyhow::Result<Vec<u8>> {
    let header = data.columns().iter().map(|column| column.name.clone()).collect();
    let text = |value: Option<Value>| match value {
        None => String::new(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Count(count)) => count.to_string(),
        Some(Value::Level(level)) => level.to_string(),
    };
    let row = |row: usize| data.columns().iter().map(|column| text(column.cells.get(row))).collect();
    csv(std::iter::once(header).chain((0..data.n_rows()).map(row)))
}

/// The truth: types as `--types` reads them, weights by column, factors by row.
fn truth(simulation: &Simulation) -> serde_json::Value {
    let k = simulation.truth.variances.len();
    let spelled = |kind: Kind| match kind {
        Kind::Ordinal(levels) => format!("ordinal(0-{})", levels - 1),
        Kind::Categorical(levels) => format!("categorical(0-{})", levels - 1),
        kind => kind.to_string(),
    };
    let columns = simulation.data.columns();
    let types: serde_json::Map<String, serde_json::Value> =
        columns.iter().map(|column| (column.name.clone(), spelled(column.kind).into())).collect();
    let weights = |(column, state): (&factors::Column, &factors::ColumnState)| {
        let rows: Vec<&[f64]> = state.weights.chunks_exact(k + 1).collect();
        json!({
            "name": column.name,
            "intercepts": rows.iter().map(|row| row[0]).collect::<Vec<f64>>(),
            "loadings": rows.iter().map(|row| &row[1..]).collect::<Vec<_>>(),
        })
    };
    json!({
        "rows": simulation.data.n_rows(),
        "factors": k,
        "columns": types,
        "weights": columns.iter().zip(&simulation.truth.columns).map(weights).collect::<Vec<_>>(),
        "scores": simulation.truth.factors.chunks_exact(k).collect::<Vec<_>>(),
    })
}
