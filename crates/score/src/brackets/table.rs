//! EVALB's own table, letter for letter.

use super::{Report, Row, Summary};
use std::fmt::{self, Write as _};

const HEAD: &str = "  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
";
const LINE: &str = "============================================================================\n";

impl Report {
    /// The text EVALB prints: a row for each sentence, the totals, and the two summaries.
    pub fn table(&self) -> String {
        let mut text = String::with_capacity(HEAD.len() + 80 * (self.rows.len() + 40));
        text.push_str(HEAD);
        text.push_str(LINE);
        // Writing into a string cannot fail.
        let _ = self.rows.iter().try_for_each(|row| write!(text, "{row}"));
        text.push_str(LINE);
        let _ = self.write_totals(&mut text);
        text
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

impl fmt::Display for Row {
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
