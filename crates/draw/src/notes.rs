//! What stands in words below a picture.

use crate::canvas::{Ink, TextPiece, TextStyle, write_line};
use crate::diagram::{Diagram, Note};
use crate::measure::{to_units, wrap};

/// Relations of entities and predicates as sentences, for a picture that has no rows for them.
pub(crate) fn write_told(diagram: &Diagram, style: &TextStyle, out: &mut String) {
    for relation in diagram.relations() {
        write_wrapped(&relation, Ink::Relation, style, out);
    }
    for predicate in diagram.predicates() {
        write_wrapped(&predicate, Ink::Label, style, out);
    }
}

/// Entities as sentences, for a picture that has no room for their names.
pub(crate) fn write_entities(diagram: &Diagram, style: &TextStyle, out: &mut String) {
    for entity in diagram.entities() {
        write_wrapped(&entity, Ink::Entity, style, out);
    }
}

/// What has no place in the picture.
pub(crate) fn write_notes(diagram: &Diagram, style: &TextStyle, out: &mut String) {
    for note in &diagram.notes {
        let ink = if matches!(note, Note::Fault(_)) { Ink::Forbidden } else { Ink::Faint };
        write_wrapped(&format!("{} {}", note.sign(), note.text()), ink, style, out);
    }
}

/// Lines after the first begin with two blanks.
fn write_wrapped(text: &str, ink: Ink, style: &TextStyle, out: &mut String) {
    let most = style.width.map_or(i64::MAX, |width| to_units(width.saturating_sub(2)));
    for (index, line) in wrap(text, most, crate::measure::cells).into_iter().enumerate() {
        let indent = if index > 0 { "  " } else { "" };
        write_line(&[TextPiece::new(format!("{indent}{line}"), ink)], style, out);
    }
}
