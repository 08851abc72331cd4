//! EVALB's own table, letter for letter.

use super::{BracketReport, BracketRow, Summary};
use std::fmt::{self, Write as _};

const HEAD: &str = "  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
";
const LINE: &str = "============================================================================\n";

/// Whose table is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// The releases since 2008.
    #[default]
    Recent,
    /// The release that printed the example which still comes with the program. It has no FMeasure, prints the length
    /// of a sentence as its number of words even if it was not compared, and prints the number of *sentences without
    /// crossing brackets* where the total of crossing brackets should be.
    Old,
}

impl BracketReport {
    /// The text EVALB prints: a row for each sentence, the totals, and the two summaries.
    pub fn table(&self) -> String {
        self.table_as(Layout::Recent)
    }

    /// The text that a release of EVALB prints.
    pub fn table_as(&self, layout: Layout) -> String {
        let mut text = String::with_capacity(HEAD.len() + 80 * (self.rows.len() + 40));
        text.push_str(HEAD);
        text.push_str(LINE);
        // Writing into a string cannot fail.
        let _ = match layout {
            Layout::Recent => self.rows.iter().try_for_each(|row| write!(text, "{row}")),
            Layout::Old => self.rows.iter().try_for_each(|row| write!(text, "{}", as_of_old(row))),
        };
        text.push_str(LINE);
        let _ = match layout {
            Layout::Recent => self.write_totals(&mut text),
            Layout::Old => self.write_old_totals(&mut text),
        };
        text
    }

    fn write_old_totals(&self, text: &mut String) -> fmt::Result {
        let all = &self.all;
        if all.brackets.gold > 0 && all.brackets.system > 0 {
            let (recall, precision, brackets) = (all.recall(), all.precision(), all.brackets);
            write!(text, "                {recall:6.2} {precision:6.2} {:6}", brackets.matched)?;
            write!(text, " {:6} {:4}  {:5}", brackets.gold, brackets.system, all.no_crossing)?;
        }
        writeln!(text, "  {:5} {:5}   {:6.2}", all.words, all.correct_tags, all.tag_accuracy())?;
        let without_f = |summary: &Summary| {
            let lines = summary.to_string();
            let kept = lines.split_inclusive('\n').filter(|line| !line.starts_with("Bracketing FMeasure"));
            kept.collect::<String>()
        };
        write!(text, "=== Summary ===\n\n-- All --\n{}", without_f(all))?;
        write!(text, "\n-- len<={} --\n{}", self.cutoff_length, without_f(&self.short))
    }

    fn write_totals(&self, text: &mut String) -> fmt::Result {
        let all = &self.all;
        if all.brackets.gold > 0 && all.brackets.system > 0 {
            let (recall, precision, brackets) = (all.recall(), all.precision(), all.brackets);
            write!(text, "                {recall:6.2} {precision:6.2} {:6}", brackets.matched)?;
            write!(text, " {:5} {:5}  {:5}", brackets.gold, brackets.system, all.crossing)?;
        }
        writeln!(text, "  {:5} {:5}   {:6.2}", all.words, all.correct_tags, all.tag_accuracy())?;
        write!(text, "=== Summary ===\n\n-- All --\n{all}")?;
        write!(text, "\n-- len<={} --\n{}", self.cutoff_length, self.short)
    }
}

fn as_of_old(row: &BracketRow) -> BracketRow {
    let words = if row.status.code() == 0 { row.words } else { row.length };
    BracketRow { words, ..row.clone() }
}

impl fmt::Display for BracketRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:4}  {:3}    {}  ", self.id, self.length, self.status.code())?;
        write!(f, "{:6.2} {:6.2}   {:3}", self.recall(), self.precision(), self.brackets.matched)?;
        write!(f, "    {:3}  {:3}    {:3}", self.brackets.gold, self.brackets.system, self.crossing)?;
        writeln!(f, "   {:4}  {:4}   {:6.2}", self.words, self.correct_tags, self.tag_accuracy())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Number of sentence        = {:6}", self.sentences)?;
        writeln!(f, "Number of Error sentence  = {:6}", self.errors)?;
        writeln!(f, "Number of Skip  sentence  = {:6}", self.skipped)?;
        writeln!(f, "Number of Valid sentence  = {:6}", self.valid())?;
        writeln!(f, "Bracketing Recall         = {:6.2}", self.recall())?;
        writeln!(f, "Bracketing Precision      = {:6.2}", self.precision())?;
        // The program divides 0 by 0 when nothing matches, and prints what its machine makes of that.
        match self.brackets.matched {
            0 => writeln!(f, "Bracketing FMeasure       =   -nan")?,
            _ => writeln!(f, "Bracketing FMeasure       = {:6.2}", self.f1())?,
        }
        writeln!(f, "Complete match            = {:6.2}", self.complete_match())?;
        writeln!(f, "Average crossing          = {:6.2}", self.average_crossing())?;
        writeln!(f, "No crossing               = {:6.2}", self.no_crossing_share())?;
        writeln!(f, "2 or less crossing        = {:6.2}", self.two_or_less_crossing_share())?;
        writeln!(f, "Tagging accuracy          = {:6.2}", self.tag_accuracy())
    }
}
