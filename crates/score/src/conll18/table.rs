//! The tables of the reference program, letter for letter.

use super::{Evaluation, Metric};
use std::fmt::Write as _;

impl Evaluation {
    /// Precision, recall, F1 and accuracy on aligned words, in percent: what the program prints with `-v`.
    pub fn scores_table(&self) -> String {
        let mut text = String::from("Metric     | Precision |    Recall |  F1 Score | AligndAcc\n");
        text.push_str("-----------+-----------+-----------+-----------+-----------\n");
        for metric in Metric::ALL {
            let score = self[metric];
            let [p, r, f] = [score.precision(), score.recall(), score.f1()].map(|ratio| 100.0 * ratio);
            // Writing into a string cannot fail.
            let _ = write!(text, "{:11}|{p:10.2} |{r:10.2} |{f:10.2} |", metric.name());
            let _ = match score.aligned_accuracy() {
                Some(accuracy) => writeln!(text, "{:10.2}", 100.0 * accuracy),
                None => writeln!(text),
            };
        }
        text
    }

    /// Correct, gold, system and aligned: what the program prints with `-v -c`.
    pub fn counts_table(&self) -> String {
        let mut text = String::from("Metric     | Correct   |      Gold | Predicted | Aligned\n");
        text.push_str("-----------+-----------+-----------+-----------+-----------\n");
        for metric in Metric::ALL {
            let score = self[metric];
            let (correct, gold, system) = (score.correct, score.gold, score.system);
            let _ = write!(text, "{:11}|{correct:10} |{gold:10} |{system:10} |", metric.name());
            let _ = match score
                .aligned
                .filter(|&aligned| aligned > 0)
                .or((metric == Metric::Words).then_some(correct))
            {
                Some(aligned) => writeln!(text, "{aligned:10}"),
                None => writeln!(text, "{:10}", ""),
            };
        }
        text
    }
}
