//! What is wrong with columns of a table.

use crate::terminal::Terminal;
use treelet::PutInOrder;
use treelet::options::MessageFormat;
use treelet::watch::Troubled;

/// Shows troubles as they are wanted; what must be mended comes first.
pub(crate) fn show(found: &Troubled<'_>, terminal: &Terminal) -> anyhow::Result<()> {
    let Troubled { file, troubles, format, limit } = *found;
    let n_shown = if limit == 0 { troubles.len() } else { limit.min(troubles.len()) };
    let mut ordered: Vec<_> = troubles.iter().collect();
    ordered.order_by_key(|trouble| !trouble.fatal);
    for trouble in &ordered[..n_shown] {
        let severity = if trouble.fatal { "error" } else { "warning" };
        match format {
            MessageFormat::Human if trouble.fatal => terminal.error(&trouble.to_string()),
            MessageFormat::Human => terminal.note(&format!("warning: {trouble}")),
            MessageFormat::Short => terminal.stderr(&format!("{}: {severity}: {trouble}", file.display())),
            MessageFormat::Json => {
                let line = serde_json::json!({
                    "file": file.display().to_string(),
                    "name": trouble.column,
                    "row": trouble.row,
                    "severity": severity,
                    "message": trouble.message,
                });
                terminal.print(&format!("{line}\n"))?;
            }
        }
    }
    if n_shown < troubles.len() {
        terminal.note(&format!("{} more; --max-problems 0 shows all", troubles.len() - n_shown));
    }
    Ok(())
}
