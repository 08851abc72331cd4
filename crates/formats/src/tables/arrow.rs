//! Tables from the file and stream formats of Arrow.

use super::arrow_cells::{Cells, is_readable};
use super::arrow_messages::{FoundMessage, messages};
use super::names::{Repair, unique_names};
use super::table::Builder;
use super::{Options, Table};
use crate::{Problem, Read};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::MetadataVersion;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tree::Place;

/// Reads the table of a whole file.
pub(super) fn read(bytes: Vec<u8>, options: &Options) -> Read<Table> {
    let bytes = Buffer::from_vec(bytes);
    let (found, wrong) = messages(&bytes);
    let mut problems: Vec<Problem> = wrong.map(broken).into_iter().collect();
    let value = match schema(&found) {
        Ok(schema) => table(schema, &found, &bytes, options, &mut problems),
        Err(wrong) => {
            problems.push(broken(wrong));
            Table::default()
        }
    };
    Read { value, line: 0, problems }
}

fn schema(found: &[FoundMessage]) -> Result<SchemaRef, String> {
    let schema = found.first().and_then(|found| found.message.header_as_schema());
    let schema = schema.ok_or("it does not begin with a description of the columns")?;
    guarded(|| try_fb_to_schema(schema)).map(Arc::new)
}

fn table(
    schema: SchemaRef,
    found: &[FoundMessage],
    bytes: &Buffer,
    options: &Options,
    problems: &mut Vec<Problem>,
) -> Table {
    let (names, repairs) = unique_names(schema.fields().iter().map(|field| field.name().as_str()));
    problems.extend(repairs.into_iter().map(|repair| name_problem(repair, &schema, &names)));
    problems.extend(type_problems(&schema, &names));
    let mut builder = Builder::new(names);
    let mut batches = Batches::new(schema);
    for found in found.iter().skip(1) {
        let body = bytes.slice_with_length(found.body.start, found.body.len());
        match guarded(|| batches.decode(found, &body)) {
            Ok(Some(batch)) => append(&mut builder, &batch, &batches.readable, options),
            Ok(None) => {}
            // What was read before is whole; later batches may refer to what could not be read.
            Err(wrong) => {
                problems.push(broken(wrong));
                break;
            }
        }
    }
    builder.finish()
}

/// Columns are filled up at the end, so those that cannot be read are missing.
fn append(builder: &mut Builder, batch: &RecordBatch, readable: &[usize], options: &Options) {
    let mut cells = Cells { interner: &mut builder.interner, options, written: String::new() };
    for (&column, array) in readable.iter().zip(batch.columns()) {
        builder.columns[column].extend(cells.ids(array));
    }
    builder.n_rows += batch.num_rows();
}

/// What the messages so far define.
struct Batches {
    schema: SchemaRef,
    /// Columns whose cells have texts; the others are not decoded.
    readable: Vec<usize>,
    dictionaries: HashMap<i64, ArrayRef>,
}

impl Batches {
    fn new(schema: SchemaRef) -> Self {
        let columns = schema.fields().iter().enumerate();
        let readable =
            columns.filter(|(_, field)| is_readable(field.data_type())).map(|(column, _)| column).collect();
        Self { schema, readable, dictionaries: HashMap::new() }
    }

    fn decode(&mut self, found: &FoundMessage, body: &Buffer) -> Result<Option<RecordBatch>, ArrowError> {
        let version: MetadataVersion = found.message.version();
        let Self { schema, readable, dictionaries } = self;
        if let Some(dictionary) = found.message.header_as_dictionary_batch() {
            return read_dictionary(body, dictionary, schema, dictionaries, &version).map(|()| None);
        }
        let Some(batch) = found.message.header_as_record_batch() else { return Ok(None) };
        read_record_batch(body, batch, Arc::clone(schema), dictionaries, Some(readable), &version).map(Some)
    }
}

/// Runs a part of the decoder. It takes some kinds of broken files for bugs of its caller and panics.
fn guarded<T>(decode: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(decoded) => decoded.map_err(|error| error.to_string()),
        Err(_) => Err("a batch contradicts the description of the columns".into()),
    }
}

fn broken(wrong: impl std::fmt::Display) -> Problem {
    Problem::error(
        "arrow-broken",
        Place::line(0),
        format!("the Arrow file is broken: {wrong}"),
        "write it again; what comes before this is read",
    )
}

fn name_problem(repair: Repair, schema: &Schema, names: &[smol_str::SmolStr]) -> Problem {
    let (Repair::Unnamed { column } | Repair::Duplicate { column }) = repair;
    super::names::problem(repair, Place::line(0), schema.field(column).name(), &names[column])
}

fn type_problems(schema: &Schema, names: &[smol_str::SmolStr]) -> Vec<Problem> {
    let columns = names.iter().zip(schema.fields());
    let unreadable = columns.filter(|(_, field)| !is_readable(field.data_type()));
    let problem = |(name, field): (_, &Arc<arrow_schema::Field>)| {
        Problem::error(
            "arrow-type",
            Place::line(0),
            format!("column `{name}` has type {}; its cells are read as missing", field.data_type()),
            "write it as numbers, texts or logical values, or leave it out of the file",
        )
    };
    unreadable.map(problem).collect()
}
