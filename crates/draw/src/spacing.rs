//! How far columns are apart, so that every label has room on its own line.

use crate::columns::{Column, Columns, n_levels};
use crate::constituency::TreeLayout;
use crate::diagram::{Diagram, LabelKind, LabelRow, WordLabel};
use crate::layout::{GroupPlace, Layout, LinkPlace, Metrics, Stretch, StubPlace};
use crate::levels::Touch;
use crate::measure::to_units;
use tree::PutInOrder;

/// Widths of columns and gaps, which only grow, and the ports of arcs relative to their columns.
pub(crate) struct Spacing {
    columns: Columns,
    link_levels: Vec<usize>,
    widths: Vec<i64>,
    /// The gap after each column.
    gaps: Vec<i64>,
    /// Offset of each link's head and dependent in their columns.
    link_ports: Vec<(i64, i64)>,
    stub_ports: Vec<i64>,
    tree: Option<TreeAbove>,
}

/// The tree over the words, as if nothing else needed room.
struct TreeAbove {
    layout: TreeLayout,
    widths: Vec<i64>,
    /// Where its words stand.
    leaves: Vec<i64>,
}

/// A column and a place in it.
type Place = (usize, i64);

/// The least distance of two places.
struct Need {
    lo: Place,
    hi: Place,
    distance: i64,
}

impl Spacing {
    pub(crate) fn new(diagram: &Diagram, columns: &Columns, metrics: &Metrics) -> Self {
        let link_levels = columns.link_levels(diagram, Touch::Allowed);
        let ports = ports(columns, &link_levels);
        let mut widths: Vec<i64> = columns
            .columns
            .iter()
            .zip(&ports)
            .map(|(&column, ports)| content(diagram, column, metrics).max(span(ports.len(), metrics)))
            .collect();
        // A group over one column cannot be stretched later.
        for (&(lo, hi), group) in columns.groups.iter().zip(&diagram.groups) {
            if lo == hi {
                widths[lo] = widths[lo].max((metrics.label)(&group.caption()) + metrics.label_pad);
            }
        }
        let gap = |pair: &[Column]| match pair {
            [Column::Word(_), Column::Word(_)] => metrics.word_gap,
            _ => metrics.edge_gap,
        };
        let mut spacing = Self {
            gaps: columns.columns.windows(2).map(gap).collect(),
            link_ports: vec![(0, 0); columns.links.len()],
            stub_ports: vec![0; columns.stubs.len()],
            tree: TreeAbove::new(diagram, metrics),
            widths,
            link_levels,
            columns: columns.clone(),
        };
        for (column, ports) in ports.iter().enumerate() {
            spacing.place_ports(column, ports, metrics);
        }
        spacing
    }

    fn place_ports(&mut self, column: usize, ports: &[Port], metrics: &Metrics) {
        let first = (self.widths[column] - span(ports.len(), metrics)) / 2;
        for (index, port) in ports.iter().enumerate() {
            let offset = first + to_units(index) * metrics.port_gap;
            match *port {
                Port::Head(link) => self.link_ports[link].0 = offset,
                Port::Dependent(link) => self.link_ports[link].1 = offset,
                Port::Stub(stub) => self.stub_ports[stub] = offset,
            }
        }
    }

    /// Widens gaps until each label has room on its own line; short arcs first, so that what they gain is
    /// there for the arcs above them.
    pub(crate) fn widen_for_labels(&mut self, diagram: &Diagram, metrics: &Metrics) {
        let mut needs = Vec::new();
        for (index, link) in diagram.links.iter().enumerate() {
            let (head, dependent) = self.columns.links[index];
            let (head_port, dependent_port) = self.link_ports[index];
            let (lo, hi) = if head < dependent {
                ((head, head_port), (dependent, dependent_port))
            } else {
                ((dependent, dependent_port), (head, head_port))
            };
            let distance = (metrics.label)(&link.caption()) + metrics.label_pad;
            needs.push(Need { lo, hi, distance });
        }
        for (index, group) in diagram.groups.iter().enumerate() {
            let (lo, hi) = self.columns.groups[index];
            let distance = (metrics.label)(&group.caption()) + metrics.label_pad;
            needs.push(Need { lo: (lo, 0), hi: (hi, self.widths[hi]), distance });
        }
        needs.extend(self.stub_needs(diagram, metrics));
        needs.extend(diagram.rows.iter().flat_map(|row| self.row_needs(row, metrics)));
        needs.extend(self.tree_needs());
        needs.order_by_key(|need| (need.hi.0 - need.lo.0, need.lo.0));
        for need in &needs {
            self.widen(need);
        }
    }

    /// Labels of neighbouring stubs stand in one row.
    fn stub_needs(&self, diagram: &Diagram, metrics: &Metrics) -> Vec<Need> {
        let mut order: Vec<usize> = (0..diagram.stubs.len()).collect();
        order.order_by_key(|&stub| (self.columns.stubs[stub], self.stub_ports[stub]));
        let width = |stub: usize| (metrics.label)(&diagram.stubs[stub].caption());
        let end = |stub: usize| (self.columns.stubs[stub], self.stub_ports[stub]);
        let pairs = order.windows(2).map(|pair| (pair[0], pair[1]));
        let distance = |a, b| (width(a) + width(b)) / 2 + metrics.label_pad;
        pairs.map(|(a, b)| Need { lo: end(a), hi: end(b), distance: distance(a, b) }).collect()
    }

    /// Labels of neighbouring words stand in one row, each in the middle of its word.
    fn row_needs(&self, row: &LabelRow, metrics: &Metrics) -> Vec<Need> {
        let ends: Vec<(Place, i64)> =
            row.by_word().map(|run| (self.middle(run[0].word), run_width(run, metrics))).collect();
        let distance = |one: i64, next: i64| (one + next + 1) / 2 + metrics.label_pad;
        let need = |pair: &[(Place, i64)]| Need {
            lo: pair[0].0,
            hi: pair[1].0,
            distance: distance(pair[0].1, pair[1].1),
        };
        ends.windows(2).map(need).collect()
    }

    /// Words are at least as far apart as the tree above them has them.
    fn tree_needs(&self) -> Vec<Need> {
        let leaves = self.tree.as_ref().map_or(&[][..], |tree| &tree.leaves);
        let need = |(word, pair): (usize, &[i64])| Need {
            lo: self.middle(word),
            hi: self.middle(word + 1),
            distance: pair[1] - pair[0],
        };
        leaves.windows(2).enumerate().map(need).collect()
    }

    fn middle(&self, word: usize) -> Place {
        let column = self.columns.words[word];
        (column, self.widths[column] / 2)
    }

    /// Distributes what is missing evenly over the gaps between two places.
    fn widen(&mut self, need: &Need) {
        let (lo, hi) = (need.lo, need.hi);
        let columns: i64 = self.widths[lo.0..hi.0].iter().sum();
        let gaps: i64 = self.gaps[lo.0..hi.0].iter().sum();
        let missing = need.distance - (columns + gaps + hi.1 - lo.1);
        if missing <= 0 {
            return;
        }
        let n_gaps = to_units(hi.0 - lo.0);
        if n_gaps > 0 {
            let each = (missing + n_gaps - 1) / n_gaps;
            self.gaps[lo.0..hi.0].iter_mut().for_each(|gap| *gap += each);
        }
    }

    pub(crate) fn place(self, diagram: &Diagram, metrics: &Metrics) -> Layout {
        let mut lo = Vec::with_capacity(self.widths.len());
        let mut x = 0;
        for (column, width) in self.widths.iter().enumerate() {
            lo.push(x);
            x += width + self.gaps.get(column).copied().unwrap_or(0);
        }
        let stretch = |column: usize| Stretch { lo: lo[column], width: self.widths[column] };
        let words: Vec<Stretch> = self.columns.words.iter().map(|&column| stretch(column)).collect();
        let link = |index: usize| {
            let (head, dependent) = self.columns.links[index];
            let (head, dependent) =
                (lo[head] + self.link_ports[index].0, lo[dependent] + self.link_ports[index].1);
            let width = (metrics.label)(&diagram.links[index].caption());
            let label = Stretch::centred((head + dependent + 1) / 2, width);
            LinkPlace { level: self.link_levels[index], head, dependent, label }
        };
        let stub = |index: usize| {
            let x = lo[self.columns.stubs[index]] + self.stub_ports[index];
            let width = (metrics.label)(&diagram.stubs[index].caption());
            StubPlace { x, label: Stretch::centred(x, width) }
        };
        let group_levels = self.columns.group_levels(diagram);
        let group = |index: usize| {
            let (first, last) = self.columns.groups[index];
            let line = Stretch { lo: lo[first], width: stretch(last).hi() - lo[first] };
            let label = Stretch::centred(line.middle(), (metrics.label)(&diagram.groups[index].caption()));
            GroupPlace { level: group_levels[index], line, label }
        };
        let levels_of = |below: bool| {
            let levels = diagram.links.iter().zip(&self.link_levels);
            let side: Vec<usize> =
                levels.filter(|(link, _)| link.kind.is_below() == below).map(|(_, &level)| level).collect();
            n_levels(&side)
        };
        let rows = diagram.rows.iter().map(|row| row_places(row, &words, metrics)).collect();
        Layout {
            rows,
            nodes: self.tree.as_ref().map_or_else(Vec::new, |tree| tree.over(&words)),
            node_rows: self.tree.as_ref().map_or_else(Vec::new, |tree| tree.layout.row.clone()),
            words,
            links: (0..diagram.links.len()).map(link).collect(),
            stubs: (0..diagram.stubs.len()).map(stub).collect(),
            groups: (0..diagram.groups.len()).map(group).collect(),
            width: 0,
            n_link_levels: levels_of(false),
            n_below_levels: levels_of(true),
            n_group_levels: n_levels(&group_levels),
        }
    }
}

impl TreeAbove {
    fn new(diagram: &Diagram, metrics: &Metrics) -> Option<Self> {
        let (tree, node) = (diagram.tree.as_ref()?, metrics.node?);
        let width = |label: &str, is_word: bool| if is_word { (metrics.form)(label) } else { node(label) };
        let widths: Vec<i64> = tree.nodes.iter().map(|node| width(&node.label, node.is_word)).collect();
        let layout = TreeLayout::new(tree, &widths, metrics.word_gap, true);
        let is_leaf = tree.nodes.iter().zip(&layout.x).filter(|(node, _)| node.is_word);
        let leaves = is_leaf.map(|(_, &x)| x).collect();
        Some(Self { layout, widths, leaves })
    }

    /// The tree stretched to where the words came to stand. Distances only grow, so nothing meets.
    fn over(&self, words: &[Stretch]) -> Vec<Stretch> {
        let words: Vec<i64> = words.iter().map(|word| word.middle()).collect();
        let moved = |x: i64| {
            let next = self.leaves.partition_point(|&leaf| leaf <= x);
            match (next.checked_sub(1), next < self.leaves.len()) {
                (Some(at), true) => {
                    let (from, to) = (self.leaves[next] - self.leaves[at], words[next] - words[at]);
                    words[at] + (x - self.leaves[at]) * to / from
                }
                (Some(last), false) => x - self.leaves[last] + words[last],
                (None, true) => x - self.leaves[0] + words[0],
                (None, false) => x,
            }
        };
        self.layout.x.iter().zip(&self.widths).map(|(&x, &width)| Stretch::centred(moved(x), width)).collect()
    }
}

/// All labels of one word, side by side.
fn run_width(run: &[WordLabel], metrics: &Metrics) -> i64 {
    let labels: i64 = run.iter().map(|label| label_width(label, metrics)).sum();
    labels + (to_units(run.len()) - 1) * metrics.port_gap
}

fn label_width(label: &WordLabel, metrics: &Metrics) -> i64 {
    let around = if label.kind == LabelKind::Sense { metrics.box_pad } else { 0 };
    (metrics.label)(&label.caption()) + around
}

fn row_places(row: &LabelRow, words: &[Stretch], metrics: &Metrics) -> Vec<Stretch> {
    let mut places = Vec::with_capacity(row.labels.len());
    for run in row.by_word() {
        let mut x = Stretch::centred(words[run[0].word].middle(), run_width(run, metrics)).lo;
        for label in run {
            let width = label_width(label, metrics);
            places.push(Stretch { lo: x, width });
            x += width + metrics.port_gap;
        }
    }
    places
}

/// One end of an arc at a column.
#[derive(Clone, Copy, Debug)]
enum Port {
    Head(usize),
    Dependent(usize),
    Stub(usize),
}

/// Side, distance and level of the other end.
type PortKey = (i64, i64, i64);

/// The ports of each column from left to right: arcs to the left, the shortest first, then stubs, then arcs
/// to the right, the longest first. So no leg crosses an arc that ends at the same column.
fn ports(columns: &Columns, link_levels: &[usize]) -> Vec<Vec<Port>> {
    let mut ports: Vec<Vec<(PortKey, Port)>> = vec![Vec::new(); columns.columns.len()];
    for (index, &(head, dependent)) in columns.links.iter().enumerate() {
        let level = to_units(link_levels[index]);
        let key = |here: usize, there: usize| {
            let distance = to_units(here.abs_diff(there));
            if there < here { (0, distance, level) } else { (2, -distance, -level) }
        };
        ports[head].push((key(head, dependent), Port::Head(index)));
        ports[dependent].push((key(dependent, head), Port::Dependent(index)));
    }
    for (index, &column) in columns.stubs.iter().enumerate() {
        ports[column].push(((1, 0, to_units(index)), Port::Stub(index)));
    }
    for ports in &mut ports {
        ports.order_by_key(|&(key, _)| key);
    }
    ports.into_iter().map(|ports| ports.into_iter().map(|(_, port)| port).collect()).collect()
}

fn span(n_ports: usize, metrics: &Metrics) -> i64 {
    if n_ports == 0 { 0 } else { (to_units(n_ports) - 1) * metrics.port_gap + 1 }
}

fn content(diagram: &Diagram, column: Column, metrics: &Metrics) -> i64 {
    match column {
        Column::Word(word) => {
            let word = &diagram.words[word];
            (metrics.form)(&word.form).max((metrics.tag)(&word.tag))
        }
        Column::Before(_) | Column::After(_) => 0,
    }
}
