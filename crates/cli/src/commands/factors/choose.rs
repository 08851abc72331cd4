//! Numbers of factors side by side.

use treelet::table::render;
use treelet::{FactorChoice, JudgedModel};

pub(super) fn text(choice: &FactorChoice) -> String {
    let mut headings = vec!["factors", "hidden cells", "se"];
    if choice.models.iter().any(|model| model.waic.is_some()) {
        headings.extend(["WAIC (elpd)", "se", "doubtful", "LOO (elpd)", "se", "doubtful"]);
    }
    let mut text = render(&headings, &choice.models.iter().map(row).collect::<Vec<_>>());
    if let Some(best) = choice.best {
        text.push_str(&format!(
            "\nHidden cells: mean log-probability, higher is better. Best: {best}. A smaller number within one standard error of it\n\
             predicts as well.\n"
        ));
    }
    text
}

fn row(model: &JudgedModel) -> Vec<String> {
    let mut cells = vec![
        model.factors.to_string(),
        format!("{:.4}", model.mean),
        format!("{:.4}", model.held_out.se / model.held_out.cells.max(1) as f64),
    ];
    for score in model.waic.iter().chain(&model.loo) {
        cells.push(format!("{:.1}", score.total));
        cells.push(format!("{:.1}", score.se));
        cells.push(score.doubtful.to_string());
    }
    cells
}
