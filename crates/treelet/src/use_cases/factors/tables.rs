//! A table as a model sees it, and what is wrong with it.

use crate::options::Messages;
use crate::options::factors::{TableChoices, TableReading};
use crate::outcome::Usage;
use crate::problems;
use crate::source::Source;
use crate::table::{plural, render};
use crate::watch::{Troubled, Watch};
use anyhow::Context;
use factors::schema::{Declared, Described, Role, Trouble, describe, read_types};
use factors::{Column, Data};
use formats::tables::{Options, Table};
use std::path::Path;

/// A table that was read, and its columns.
pub(super) struct Loaded {
    pub(super) columns: Vec<(String, Role)>,
    pub(super) data: Data,
    /// The names of the rows.
    pub(super) rows: Vec<String>,
    pub(super) has_problems: bool,
    /// What a model says of the file.
    pub(super) fingerprint: String,
}

/// Reads the text of a table; problems are shown.
pub(super) fn read(
    path: &Path,
    reading: &TableReading,
    messages: Option<&Messages>,
    watch: &dyn Watch,
) -> anyhow::Result<(Table, bool, String)> {
    let source = Source::without_format(path, reading.encoding)?;
    let mut options = Options::default();
    options.missing.extend(reading.missing.iter().cloned());
    let found = formats::tables::read(source.open()?, &options).with_context(|| source.cannot_read())?;
    if has_zero_bytes(&found.value) {
        return Err(anyhow::anyhow!(
            "{}: a binary file and no table; save the table as CSV, TSV or Arrow",
            path.display()
        ));
    }
    if let Some(messages) = messages {
        problems::report(&source, &found.problems, messages.message_format, messages.max_problems, watch)?;
    }
    let has_problems = found.problems.iter().any(|problem| problem.is_error());
    Ok((found.value, has_problems, source.fingerprint()?))
}

/// Text has no zero bytes, and files of other programs (spreadsheets, pictures) have many.
fn has_zero_bytes(table: &Table) -> bool {
    let is_binary = |text: &str| text.contains('\0');
    let columns = 0..table.n_columns();
    table.names().iter().any(|name| is_binary(name))
        || columns.into_iter().any(|j| texts(table, j).into_iter().flatten().any(is_binary))
}

/// Reads a table and finds out what its columns are.
pub(super) fn load(choices: &TableChoices, messages: &Messages, watch: &dyn Watch) -> anyhow::Result<Loaded> {
    let types = types(&choices.types)?;
    let (table, mut has_problems, fingerprint) =
        read(&choices.file, &choices.reading, Some(messages), watch)?;
    if table.n_rows() == 0 {
        return Err(anyhow::anyhow!(
            "{}: the table has no rows; its first line must name the columns, and each further line is a row",
            choices.file.display()
        ));
    }
    let unknown: Vec<&str> = types
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| table.column_index(name).is_none())
        .collect();
    if !unknown.is_empty() {
        return Err(Usage(format!(
            "{} declares columns that the table does not have: {}",
            choices.types.display(),
            unknown.join(", ")
        ))
        .into());
    }
    let mut columns = Vec::new();
    let mut troubles = Vec::new();
    for (j, name) in table.names().iter().enumerate() {
        let declared = types.iter().find(|(declared, _)| declared == name.as_str()).map(|(_, kind)| kind);
        let (role, found) = describe(name, &texts(&table, j), declared, !choices.raw_scale);
        troubles.extend(found);
        columns.push((name.to_string(), role));
    }
    let (data, more) = encode(&table, &columns)?;
    troubles.extend(more);
    let fatal = troubles.iter().filter(|trouble| trouble.fatal).count();
    report(&choices.file, &troubles, messages, watch)?;
    if fatal > 0 {
        return Err(anyhow::anyhow!(
            "{}: {} cannot be used as things stand; mend the table, or declare types with --types",
            choices.file.display(),
            plural(fatal, "column")
        ));
    }
    if data.columns().is_empty() {
        return Err(anyhow::anyhow!("{}: no column is left to be modelled", choices.file.display()));
    }
    has_problems |= !troubles.is_empty();
    let rows = row_names(&table, &columns);
    has_problems |= warn_of_empty_rows(&data, &rows, watch);
    Ok(Loaded { columns, data, rows, has_problems, fingerprint })
}

/// The cells of one column.
pub(super) fn texts(table: &Table, column: usize) -> Vec<Option<&str>> {
    table.column(column).iter().map(|&id| table.text(id)).collect()
}

/// The values of the modelled columns, which are looked up by name.
pub(super) fn encode(table: &Table, columns: &[(String, Role)]) -> anyhow::Result<(Data, Vec<Trouble>)> {
    let mut encoded = Vec::new();
    let mut troubles = Vec::new();
    for (name, role) in columns {
        let Role::Modelled(described) = role else { continue };
        let cells = match table.column_index(name) {
            Some(j) => texts(table, j),
            None => vec![None; table.n_rows()],
        };
        let (cells, found) = described.encode(&cells);
        troubles.extend(found);
        encoded.push(Column { name: name.clone(), kind: described.kind, cells });
    }
    Ok((Data::new(encoded)?, troubles))
}

/// The texts of the first column that names rows, or numbers from 1.
pub(super) fn row_names(table: &Table, columns: &[(String, Role)]) -> Vec<String> {
    let names = columns.iter().find(|(_, role)| *role == Role::Names);
    let column = names.and_then(|(name, _)| table.column_index(name));
    let name = |row: usize| match column.and_then(|column| table.cell(row, column)) {
        Some(name) => name.to_owned(),
        None => (row + 1).to_string(),
    };
    (0..table.n_rows()).map(name).collect()
}

fn types(path: &Path) -> anyhow::Result<Vec<(String, Declared)>> {
    if path == Path::new("auto") {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    read_types(&text).map_err(|reason| Usage(format!("{}: {reason}", path.display())).into())
}

/// Tells what is wrong with columns of a file.
pub(super) fn report(
    file: &Path,
    troubles: &[Trouble],
    messages: &Messages,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    let Messages { message_format: format, max_problems: limit } = *messages;
    watch.troubles(&Troubled { file, troubles, format, limit })
}

fn warn_of_empty_rows(data: &Data, rows: &[String], watch: &dyn Watch) -> bool {
    let empty: Vec<&str> = (0..data.n_rows())
        .filter(|&row| data.columns().iter().all(|column| column.cells.get(row).is_none()))
        .map(|row| rows[row].as_str())
        .collect();
    if let Some(first) = empty.first() {
        watch.note(&format!(
            "warning: {} without any value (the first is {first}): nothing is known about them; they are kept, with factors \
             around 0",
            plural(empty.len(), "row"),
        ));
    }
    !empty.is_empty()
}

/// What each column is, for the user to check; a long list becomes a count.
pub(super) fn note_types(loaded: &Loaded, watch: &dyn Watch) {
    const MOST: usize = 60;
    let word = |role: &Role| match role {
        Role::Modelled(described) => described.kind.to_string(),
        Role::Names => "names of rows".into(),
        Role::LeftOut(reason) => format!("left out: {reason}"),
    };
    let source = |role: &Role| match role {
        Role::Modelled(described) if described.inferred => "inferred",
        Role::Modelled(_) | Role::Names => "declared",
        Role::LeftOut(_) => "",
    };
    let inferred = loaded.columns.iter().any(|(_, role)| source(role) == "inferred");
    if loaded.columns.len() <= MOST {
        let row =
            |(name, role): &(String, Role)| vec![name.clone(), word(role), source(role).into(), levels(role)];
        let rows: Vec<Vec<String>> = loaded.columns.iter().map(row).collect();
        watch.note(&render(&["column", "type", "", "levels"], &rows));
    } else {
        let mut counts = std::collections::BTreeMap::new();
        loaded.columns.iter().for_each(|(_, role)| *counts.entry(word(role)).or_insert(0usize) += 1);
        let rows = counts.into_iter().map(|(word, n)| vec![word, n.to_string()]);
        watch.note(&render(&["type", "columns"], &rows.collect::<Vec<_>>()));
    }
    if inferred {
        watch.note(
            "note: if an inferred type is wrong, declare it in a file of lines with a name, a tab and a type, and add --types FILE\n",
        );
    }
}

/// The levels of a column from the lowest to the highest; of many only the ends.
fn levels(role: &Role) -> String {
    match role {
        Role::Modelled(Described { levels, .. }) => match levels.as_slice() {
            [] => String::new(),
            [first, _, .., last] if levels.len() > 5 => format!("{first} … {last}"),
            levels => levels.join(", "),
        },
        _ => String::new(),
    }
}
