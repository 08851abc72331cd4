//! Feature templates, as they stand in a file that people read.
//!
//! A line is a kind of part, `:` and slots, for instance `arc: h.tag h+1.tag m.form +distance`. A slot is a role, how
//! many words to the right or left of it, and an attribute. Every feature has the direction of the arc in it; with
//! `+distance` there is a second one with the length of the arc as well. `b` stands for every word between.

use super::attributes::{ATTRIBUTES, Attribute};
use tree::PutInOrder;

/// The templates that are used if no others are given.
pub const DEFAULT_TEMPLATES: &str = include_str!("templates.txt");

/// What a feature is a feature of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TemplateKind {
    /// A head and its dependent.
    Arc,
    /// A head, a dependent, and the next dependent nearer to the head.
    Sibling,
    /// The head of a head, the head, its dependent.
    Grandparent,
    /// An arc whose relation is sought, when the tree is known.
    Label,
}

const KINDS: [(&str, TemplateKind); 4] = [
    ("arc", TemplateKind::Arc),
    ("sibling", TemplateKind::Sibling),
    ("grandparent", TemplateKind::Grandparent),
    ("label", TemplateKind::Label),
];

impl TemplateKind {
    /// The letters of the roles, in the order in which positions are given.
    pub(super) fn roles(self) -> &'static [char] {
        match self {
            TemplateKind::Arc => &['h', 'm'],
            TemplateKind::Sibling => &['h', 's', 'm'],
            TemplateKind::Grandparent => &['g', 'h', 'm'],
            TemplateKind::Label => &['h', 'm', 'g', 's', 'l', 'r'],
        }
    }
}

/// One attribute of one word near one role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) role: usize,
    pub(super) offset: isize,
    pub(super) attribute: Attribute,
}

/// Attributes that make one feature together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template {
    pub(super) slots: Vec<Slot>,
    /// The attribute of each word between, if the template asks for it.
    pub(super) between: Option<Attribute>,
    pub(super) distance: bool,
    /// What tells features of this template from those of all others.
    pub(super) salt: u64,
}

/// All templates, by kind.
#[derive(Debug, Clone, Default)]
pub(super) struct Templates {
    pub(super) arc: Vec<Template>,
    pub(super) between: Vec<Template>,
    pub(super) sibling: Vec<Template>,
    pub(super) grandparent: Vec<Template>,
    pub(super) label: Vec<Template>,
}

/// What is wrong with a template file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TemplateError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what could stand there.
    pub what: String,
}

impl Templates {
    /// Reads a file of templates. Those with `+distance` come first in each list.
    pub(super) fn read(text: &str) -> Result<Templates, TemplateError> {
        let mut templates = Templates::default();
        for (at, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let error = |what: String| TemplateError { line: at + 1, what };
            let (kind, template) = template(line).map_err(error)?;
            if template.between.is_some() && kind != TemplateKind::Arc {
                return Err(error("`b` has a meaning in templates of arcs only".into()));
            }
            templates.of(kind, template.between.is_some()).push(template);
        }
        for list in
            [&mut templates.arc, &mut templates.sibling, &mut templates.grandparent, &mut templates.label]
        {
            list.order_by_key(|template| !template.distance);
        }
        Ok(templates)
    }

    /// Leaves out templates with attributes that are not wanted.
    pub(super) fn retain(&mut self, wanted: impl Fn(Attribute) -> bool) {
        for list in
            [&mut self.arc, &mut self.between, &mut self.sibling, &mut self.grandparent, &mut self.label]
        {
            list.retain(|template| {
                let slots = template.slots.iter().map(|slot| slot.attribute);
                slots.chain(template.between).all(&wanted)
            });
        }
    }

    /// Whether some template has an attribute.
    pub(super) fn mentions(&self, attribute: Attribute) -> bool {
        let lists = [&self.arc, &self.between, &self.sibling, &self.grandparent, &self.label];
        lists.into_iter().flatten().any(|template| {
            template.between == Some(attribute)
                || template.slots.iter().any(|slot| slot.attribute == attribute)
        })
    }

    fn of(&mut self, kind: TemplateKind, between: bool) -> &mut Vec<Template> {
        match kind {
            TemplateKind::Arc if between => &mut self.between,
            TemplateKind::Arc => &mut self.arc,
            TemplateKind::Sibling => &mut self.sibling,
            TemplateKind::Grandparent => &mut self.grandparent,
            TemplateKind::Label => &mut self.label,
        }
    }
}

fn template(line: &str) -> Result<(TemplateKind, Template), String> {
    let names = || KINDS.map(|(name, _)| name).join(", ");
    let (name, rest) = line.split_once(':').ok_or_else(|| format!("no `:` after a kind ({})", names()))?;
    let found = KINDS.iter().find(|(kind, _)| *kind == name.trim());
    let &(_, kind) = found.ok_or_else(|| format!("`{}` is no kind; there are {}", name.trim(), names()))?;
    // Spaces do not matter, so that salts do not depend on them either.
    let slots: Vec<&str> = rest.split_whitespace().collect();
    let salt = features::Hash::new(2).chars(format!("{} {}", name.trim(), slots.join(" ")).chars()).finish();
    let mut template = Template { slots: Vec::new(), between: None, distance: false, salt };
    for text in slots {
        match text.strip_prefix("b.") {
            _ if text == "+distance" => template.distance = true,
            Some(name) => template.between = Some(attribute(name)?),
            None => template.slots.push(slot(text, kind)?),
        }
    }
    if template.slots.is_empty() {
        return Err("a template needs a slot such as m.tag".into());
    }
    Ok((kind, template))
}

/// `h+1.tag`
fn slot(text: &str, kind: TemplateKind) -> Result<Slot, String> {
    let wrong = || format!("`{text}` is no slot; write a role, an offset and an attribute, as in h+1.tag");
    let (place, name) = text.split_once('.').ok_or_else(wrong)?;
    let mut chars = place.chars();
    let letter = chars.next().ok_or_else(wrong)?;
    let role = kind.roles().iter().position(|&role| role == letter).ok_or_else(|| {
        let roles: String = kind.roles().iter().map(|role| format!(" {role}")).collect();
        format!("`{letter}` is no role here; there are{roles}")
    })?;
    let offset = match chars.as_str() {
        "" => 0,
        offset => offset.parse().map_err(|_| wrong())?,
    };
    Ok(Slot { role, offset, attribute: attribute(name)? })
}

fn attribute(name: &str) -> Result<Attribute, String> {
    let found = ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|&(_, attribute)| attribute);
    let known = || ATTRIBUTES.map(|(name, _)| name).join(", ");
    found.ok_or_else(|| format!("`{name}` is no attribute; there are {}", known()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_templates_can_be_read() {
        let templates = Templates::read(DEFAULT_TEMPLATES).unwrap();
        for list in
            [&templates.arc, &templates.between, &templates.sibling, &templates.grandparent, &templates.label]
        {
            assert!(!list.is_empty());
            let salts: std::collections::BTreeSet<u64> = list.iter().map(|template| template.salt).collect();
            assert_eq!(salts.len(), list.len(), "a template stands twice");
        }
    }

    #[test]
    fn a_template_is_read_as_it_is_written() {
        let templates = Templates::read("# a remark\narc: h.tag m-2.form +distance # another\n").unwrap();
        let slots = &templates.arc[0].slots;
        assert_eq!(slots[0], Slot { role: 0, offset: 0, attribute: Attribute::Tag });
        assert_eq!(slots[1], Slot { role: 1, offset: -2, attribute: Attribute::Form });
        assert!(templates.arc[0].distance);
    }

    #[test]
    fn every_mistake_is_named_with_its_line() {
        for (text, part) in [
            ("arc h.tag", "no `:`"),
            ("\n\nark: h.tag", "line 3: `ark` is no kind"),
            ("arc: g.tag", "`g` is no role"),
            ("arc: h.colour", "`colour` is no attribute"),
            ("arc: h+x.tag", "is no slot"),
            ("arc: h", "is no slot"),
            ("arc:", "needs a slot"),
            ("label: h.tag b.tag", "arcs only"),
        ] {
            let error = Templates::read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
