//! Missing cells filled in.

use super::tables;
use crate::models;
use crate::options::factors::Predict;
use crate::outcome::{Done, Usage};
use crate::table::plural;
use crate::watch::Watch;
use chain::Stream;
use factors::schema::Described;
use factors::{FittedFactors, Kind, Prediction, Rows};
use formats::tables::{Delimiter, Table, write_row};
use serde::Serialize;
use std::collections::BTreeMap;

/// The missing cells of a table.
#[derive(Debug, Clone, Serialize)]
pub struct PredictedCells {
    /// Rows of the table.
    pub rows: usize,
    /// Whether these are the rows that the model was fitted to.
    pub rows_of_the_fit: bool,
    /// What is predicted, row by row.
    pub cells: Vec<PredictedCell>,
}

/// A missing cell, all in the words of the table.
#[derive(Debug, Clone, Serialize)]
pub struct PredictedCell {
    /// The name of the row.
    pub row: String,
    /// The name of the column.
    pub column: String,
    /// What the cell is filled with.
    pub value: String,
    /// The mean; empty for counts, since it may not exist, and for levels that are no numbers.
    pub mean: String,
    /// The median; empty for categories.
    pub median: String,
    /// The lower end of the interval; empty for categories.
    pub low: String,
    /// Its upper end; empty for categories.
    pub high: String,
    /// Levels and their probabilities, in order.
    pub probabilities: Vec<(String, f64)>,
}

/// Fills in the missing cells of a table and writes it.
pub fn predict_cells(options: &Predict, watch: &dyn Watch) -> anyhow::Result<Done<PredictedCells>> {
    let mut outputs = vec![(options.output.as_path(), "the table")];
    outputs.extend(options.cells.as_deref().map(|path| (path, "the list of cells")));
    models::check_outputs(&outputs, &[&options.fitted.model, &options.file])?;
    let fitted = FittedFactors::read(&options.fitted.model).map_err(models::file_error)?;
    let workers = models::workers(options.threads)?;
    let (table, mut has_problems, _) =
        tables::read(&options.file, &options.reading, Some(&options.messages), watch)?;
    has_problems |= compare_columns(&fitted, &table, watch)?;
    let (data, troubles) = tables::encode(&table, &fitted.columns)?;
    tables::report(&options.file, &troubles, &options.messages, watch)?;
    has_problems |= !troubles.is_empty();
    // The rows of the fit have their factors in the draws.
    let rows = if data.fingerprint() == fitted.cells { Rows::Fitted } else { Rows::New };
    let predictions = fitted.stack.predict(&data, rows, Stream::new(options.chance.seed), &workers)?;
    let is_tabbed = options.output.extension().is_some_and(|ending| ending == "tsv" || ending == "tab");
    let delimiter = if is_tabbed { Delimiter::Tab } else { Delimiter::Comma };
    let modelled: Vec<&Described> = fitted.modelled().collect();
    super::write(&options.output, &completed(&table, &modelled, &predictions, delimiter)?, watch)?;
    let names = tables::row_names(&table, &fitted.columns);
    let cells: Vec<PredictedCell> =
        predictions.iter().map(|cell| predicted(&names[cell.row], modelled[cell.column], cell)).collect();
    if let Some(path) = &options.cells {
        super::write(path, &listed(&cells)?, watch)?;
    }
    let result = PredictedCells { rows: table.n_rows(), rows_of_the_fit: rows == Rows::Fitted, cells };
    watch.note(&format!(
        "{}: {} of {} predicted{}",
        options.output.display(),
        plural(result.cells.len(), "cell"),
        plural(result.rows, "row"),
        if result.rows_of_the_fit { ", rows of the fit" } else { ", new rows" },
    ));
    Ok(Done { result, has_problems })
}

/// Says which columns are missing or unknown; a table that shares none with the model is another one.
fn compare_columns(fitted: &FittedFactors, table: &Table, watch: &dyn Watch) -> anyhow::Result<bool> {
    let wanted: Vec<&str> = fitted.modelled().map(|described| described.name.as_str()).collect();
    let absent: Vec<&str> =
        wanted.iter().copied().filter(|name| table.column_index(name).is_none()).collect();
    if absent.len() == wanted.len() {
        return Err(Usage(format!(
            "the table has none of the model's columns ({}); is it the right one, and has it a header?",
            wanted.iter().take(5).copied().collect::<Vec<_>>().join(", ")
        ))
        .into());
    }
    let unknown = |name: &str| !fitted.columns.iter().any(|(known, _)| known == name);
    let strange: Vec<&str> =
        table.names().iter().map(|name| name.as_str()).filter(|name| unknown(name)).collect();
    if !absent.is_empty() {
        watch.note(&format!(
            "warning: columns of the model that the table does not have are predicted and added: {}",
            absent.join(", ")
        ));
    }
    if !strange.is_empty() {
        watch.note(&format!(
            "warning: columns that the model does not know are left as they are: {}",
            strange.join(", ")
        ));
    }
    Ok(!absent.is_empty() || !strange.is_empty())
}

/// The table with its empty cells filled in, and with the columns of the model that it did not have.
fn completed(
    table: &Table,
    modelled: &[&Described],
    predictions: &[Prediction],
    delimiter: Delimiter,
) -> anyhow::Result<Vec<u8>> {
    let mut names: Vec<String> = table.names().iter().map(ToString::to_string).collect();
    let mut places = Vec::new();
    for described in modelled {
        places.push(table.column_index(&described.name).unwrap_or(names.len()));
        if places.last() == Some(&names.len()) {
            names.push(described.name.clone());
        }
    }
    let mut filled: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for prediction in predictions {
        let text = modelled[prediction.column].text(prediction);
        filled.insert((prediction.row, places[prediction.column]), text);
    }
    let mut out = Vec::new();
    write_row(names.iter().map(|name| Some(name.as_str())), delimiter, &mut out)?;
    for row in 0..table.n_rows() {
        // A cell that did not fit its type counts as missing, but what somebody wrote is not overwritten.
        let cell = |column: usize| {
            let written = (column < table.n_columns()).then(|| table.cell(row, column)).flatten();
            written.or_else(|| filled.get(&(row, column)).map(String::as_str))
        };
        write_row((0..names.len()).map(cell), delimiter, &mut out)?;
    }
    Ok(out)
}

fn predicted(row: &str, described: &Described, prediction: &Prediction) -> PredictedCell {
    let [mean, median, low, high] = moments(described, prediction);
    let levels = described.levels.iter().cloned().zip(prediction.probabilities.iter().copied());
    PredictedCell {
        row: row.to_owned(),
        column: described.name.clone(),
        value: described.text(prediction),
        mean,
        median,
        low,
        high,
        probabilities: levels.collect(),
    }
}

/// One line for each predicted cell.
fn listed(cells: &[PredictedCell]) -> anyhow::Result<Vec<u8>> {
    let mut out = Vec::new();
    let header = ["row", "column", "value", "mean", "median", "low", "high", "probabilities"];
    write_row(header.map(Some), Delimiter::Tab, &mut out)?;
    for cell in cells {
        let levels = cell.probabilities.iter().map(|(level, p)| format!("{level}:{p:.4}"));
        let levels = levels.collect::<Vec<_>>().join(" ");
        let PredictedCell { row, column, value, mean, median, low, high, .. } = cell;
        let texts = [row, column, value, mean, median, low, high, &levels];
        write_row(texts.map(|text| Some(text.as_str())), Delimiter::Tab, &mut out)?;
    }
    Ok(out)
}

/// Mean, median and interval on the scale of the table. Counts have no mean, since it may not exist; levels in an order have
/// a median and bounds that are levels, and a mean if they are numbers; categories have none of all this.
fn moments(described: &Described, prediction: &Prediction) -> [String; 4] {
    let Prediction { mean, median, interval: [low, high], .. } = *prediction;
    let number = |x: f64| described.number_text(described.unscaled(x));
    let level = |x: f64| described.levels.get(x as usize).cloned().unwrap_or_default();
    match described.kind {
        Kind::Continuous => [mean, median, low, high].map(number),
        Kind::Count => [String::new(), number(median), number(low), number(high)],
        Kind::Categorical(_) => Default::default(),
        Kind::Binary | Kind::Ordinal(_) => {
            let mean = described.level_mean(prediction).map(|mean| described.number_text(mean));
            [mean.unwrap_or_default(), level(median), level(low), level(high)]
        }
    }
}
