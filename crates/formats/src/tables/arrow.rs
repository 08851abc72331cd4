//! Tables in the file and the stream format of Arrow IPC; Feather files of version 2 are the former.
//!
//! A file is a sequence of messages, each of which says what it holds and is followed by its data: first a description of
//! the columns, then dictionaries, and batches of rows, column after column. Whatever the bytes are, nothing is believed that
//! they cannot hold. After <https://arrow.apache.org/docs/format/Columnar.html>.

mod batch;
mod buffer;
mod cells;
mod flat;
mod message;
mod schema;

use super::names::{Repair, unique_names};
use super::table::Builder;
use super::{Options, Table};
use crate::{Problem, Read};
use batch::{Batches, Cut};
use message::{Content, Message, messages};
use schema::Schema;
use smol_str::SmolStr;
use tree::Place;

/// Why something cannot be read.
type Wrong = std::borrow::Cow<'static, str>;

/// Reads the table of a whole file.
pub(super) fn read(bytes: &[u8], options: &Options) -> Read<Table> {
    let (found, wrong) = messages(bytes);
    let mut problems: Vec<Problem> = wrong.map(broken).into_iter().collect();
    let value = match schema(&found) {
        Ok(schema) => table(&schema, &found, options, &mut problems),
        Err(wrong) => {
            problems.push(broken(wrong));
            Table::default()
        }
    };
    Read { value, line: 0, problems }
}

fn schema(found: &[Message<'_>]) -> Result<Schema, Wrong> {
    match found.first().map(|message| &message.content) {
        Some(Content::Schema(schema)) => Schema::read(schema),
        _ => Err("it does not begin with a description of the columns".into()),
    }
}

fn table(schema: &Schema, found: &[Message<'_>], options: &Options, problems: &mut Vec<Problem>) -> Table {
    let (names, repairs) = unique_names(schema.columns.iter().map(|column| column.name.as_str()));
    problems.extend(repairs.into_iter().map(|repair| name_problem(repair, schema, &names)));
    problems.extend(type_problems(schema, &names));
    let mut builder = Builder::new(names);
    let mut batches = Batches::new(schema, options);
    for message in found.iter().skip(1) {
        // What was read before is whole; later batches may refer to what could not be read.
        if let Err(wrong) = add(message, &mut batches, &mut builder) {
            problems.push(broken(wrong));
            break;
        }
    }
    builder.finish()
}

fn add(message: &Message<'_>, batches: &mut Batches<'_>, builder: &mut Builder) -> Result<(), Wrong> {
    match &message.content {
        Content::Dictionary { id, is_more, batch } => {
            let cut = Cut::new(batch, message)?;
            batches.define(*id, *is_more, cut, &mut builder.interner)
        }
        Content::Rows(batch) => {
            let cut = Cut::new(batch, message)?;
            let n_rows = cut.n_rows;
            let columns = batches.columns(cut, &mut builder.interner)?;
            // Columns are filled up at the end, so those that cannot be read are missing.
            for (column, ids) in columns {
                builder.columns[column].extend(ids);
            }
            builder.n_rows += n_rows;
            Ok(())
        }
        Content::Schema(_) | Content::Other => Ok(()),
    }
}

fn broken(wrong: Wrong) -> Problem {
    Problem::error(
        "arrow-broken",
        Place::line(0),
        format!("the Arrow file is broken: {wrong}"),
        "write it again; what comes before this is read",
    )
}

fn name_problem(repair: Repair, schema: &Schema, names: &[SmolStr]) -> Problem {
    let (Repair::Unnamed { column } | Repair::Duplicate { column }) = repair;
    super::names::problem(repair, Place::line(0), &schema.columns[column].name, &names[column])
}

fn type_problems(schema: &Schema, names: &[SmolStr]) -> Vec<Problem> {
    let columns = names.iter().zip(&schema.columns);
    let unreadable = columns.filter(|(_, column)| column.values().is_none());
    let problem = |(name, column): (_, &schema::ArrowColumn)| {
        Problem::error(
            "arrow-type",
            Place::line(0),
            format!("column `{name}` has type {}; its cells are read as missing", column.type_name()),
            "write it as numbers, texts or logical values, or leave it out of the file",
        )
    };
    unreadable.map(problem).collect()
}
