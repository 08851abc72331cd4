//! Scalars per sweep.

use std::io;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::{Memory, Observer, Progress, Stop};

/// Records named scalars, and the log joint density, after every sweep of every chain.
#[derive(Debug)]
pub struct Trace<F> {
    name: String,
    columns: Vec<String>,
    read: F,
    rows: Vec<TraceRow>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TraceRow {
    chain: u32,
    sweep: u64,
    kept: bool,
    values: Vec<f64>,
}

/// The column every trace has; NaN where the kernel does not know it.
const LOG_JOINT: &str = "log_joint";

impl<F> Trace<F> {
    /// `read` gives the value of each column; missing ones become NaN and further ones are dropped.
    pub fn new<S>(name: &str, columns: &[&str], read: F) -> Trace<F>
    where
        F: FnMut(&S) -> Vec<f64>,
    {
        let columns = [LOG_JOINT].iter().chain(columns).map(|&column| column.to_owned()).collect();
        Trace { name: name.to_owned(), columns, read, rows: Vec::new() }
    }

    /// The names of the columns, `log_joint` first.
    pub fn names(&self) -> &[String] {
        &self.columns
    }

    /// The kept values of a column, one series per chain; empty if there is no such column.
    pub fn kept(&self, column: &str) -> Vec<Vec<f64>> {
        self.series(column, |row| row.kept)
    }

    /// All values of a column including burn-in, one series per chain.
    pub fn all(&self, column: &str) -> Vec<Vec<f64>> {
        self.series(column, |_| true)
    }

    fn series(&self, column: &str, wanted: impl Fn(&TraceRow) -> bool) -> Vec<Vec<f64>> {
        let Some(column) = self.columns.iter().position(|name| name == column) else { return Vec::new() };
        let n_chains = self.rows.iter().map(|row| row.chain as usize + 1).max().unwrap_or(0);
        let mut series = vec![Vec::new(); n_chains];
        for row in self.rows.iter().filter(|row| wanted(row)) {
            series[row.chain as usize].push(row.values[column]);
        }
        series
    }

    /// Writes a table with one line per sweep and chain, separated by tabs.
    pub fn write_tsv(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.write(out, "\t")
    }

    /// Writes the same table separated by commas. Column names must not contain any.
    pub fn write_csv(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.write(out, ",")
    }

    /// Numbers are written with as many digits as are needed to read back the same bits.
    fn write(&self, out: &mut dyn io::Write, separator: &str) -> io::Result<()> {
        write!(out, "chain{separator}sweep{separator}kept")?;
        self.columns.iter().try_for_each(|name| write!(out, "{separator}{name}"))?;
        writeln!(out)?;
        for row in &self.rows {
            write!(out, "{}{separator}{}{separator}{}", row.chain, row.sweep, u8::from(row.kept))?;
            row.values.iter().try_for_each(|value| write!(out, "{separator}{value}"))?;
            writeln!(out)?;
        }
        Ok(())
    }
}

/// The place of the columns' names in the memory.
fn columns_of(name: &str) -> String {
    format!("{name}: columns")
}

impl<S, F: FnMut(&S) -> Vec<f64>> Observer<S> for Trace<F> {
    fn after_sweep(&mut self, at: &Progress, state: &S) -> io::Result<ControlFlow<Stop>> {
        let mut values = vec![at.log_joint.unwrap_or(f64::NAN)];
        values.extend((self.read)(state));
        values.resize(self.columns.len(), f64::NAN);
        self.rows.push(TraceRow { chain: at.chain, sweep: at.sweep, kept: at.kept, values });
        Ok(ControlFlow::Continue(()))
    }

    fn remember(&self, memory: &mut Memory) -> io::Result<()> {
        memory.put(&self.name, &self.rows)?;
        memory.put(&columns_of(&self.name), &self.columns)
    }

    /// Columns are found again by their names; those that the first part of the run did not have are NaN there.
    fn recall(&mut self, memory: &Memory) -> io::Result<()> {
        self.rows = memory.get(&self.name)?;
        let before: Vec<String> = match memory.get(&columns_of(&self.name)) {
            // Checkpoints of old have no names.
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.columns.clone(),
            columns => columns?,
        };
        let places: Vec<Option<usize>> =
            self.columns.iter().map(|column| before.iter().position(|name| name == column)).collect();
        for row in &mut self.rows {
            let value = |place: &Option<usize>| place.and_then(|at| row.values.get(at)).copied();
            row.values = places.iter().map(|place| value(place).unwrap_or(f64::NAN)).collect();
        }
        Ok(())
    }
}
