//! A chart put together: title, legend, axes, marks, note.

use super::labels;
use super::layout::{LABEL_SIZE, MARGIN, PlotLayout, ROW, TITLE_ROW};
use super::legend;
use super::marks::Pen;
use super::series::{Series, series};
use super::shape::{Shape, Shapes};
use super::style::CSS;
use super::surface::{Anchor, Area, Surface};
use super::text::fit;
use super::{Chart, Scale};
use crate::clean::clean;

/// Whose style sheet a picture uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sheet {
    /// Its own.
    Own,
    /// That of the page it stands on.
    OfPage,
}

/// The chart as SVG.
pub(super) fn svg(chart: &Chart, width: u32, height: u32, sheet: Sheet) -> String {
    let shapes = Shapes::new(chart);
    let (series, of_mark) = series(chart);
    let layout = PlotLayout::new(chart, &shapes, &series, (width, height));
    let css = if sheet == Sheet::Own { CSS } else { "" };
    let title = clean(&chart.title);
    let title = if title.is_empty() { "Chart" } else { &title };
    let mut svg = Surface::new(layout.width, layout.height, title, &description(chart), css);
    draw_heading(&layout, &series, &mut svg);
    draw_grid(&layout, &mut svg);
    draw_marks(&layout, &shapes, &series, &of_mark, &mut svg);
    draw_axes(chart, &layout, &mut svg);
    if shapes.is_empty() {
        let Area { x, y, width, height } = layout.frame;
        svg.text("none", (x + width / 2.0, y + height / 2.0 + 5.0), Anchor::Middle, "no data");
    }
    draw_note(&layout, shapes.n_left_out, &mut svg);
    svg.finish()
}

/// What a screen reader says after the title.
fn description(chart: &Chart) -> String {
    let axis =
        |name: &str, label: &str| format!("{name}: {}. ", if label.is_empty() { "values" } else { label });
    let mut text = axis("Horizontal", &chart.x.label) + &axis("Vertical", &chart.y.label);
    let names: Vec<&str> =
        chart.marks.iter().map(|mark| mark.name()).filter(|name| !name.is_empty()).collect();
    text.push_str(&names.join(", "));
    clean(text.trim_end())
}

fn draw_heading(layout: &PlotLayout, series: &[Series<'_>], svg: &mut Surface) {
    for (row, line) in layout.title.iter().enumerate() {
        let y = MARGIN + row as f64 * TITLE_ROW + 14.0;
        svg.text("title", (MARGIN, y), Anchor::Left, line);
    }
    legend::draw(&layout.legend, series, (MARGIN, layout.legend_top()), svg);
}

fn draw_grid(layout: &PlotLayout, svg: &mut Surface) {
    let frame = layout.frame;
    for (value, _) in &layout.x_ticks.labels {
        let x = layout.x.at(*value);
        svg.line("grid", (x, frame.y), (x, frame.bottom()));
    }
    for (value, _) in &layout.y_ticks.labels {
        let y = layout.y.at(*value);
        svg.line("grid", (frame.x, y), (frame.right(), y));
    }
}

fn draw_marks(
    layout: &PlotLayout,
    shapes: &Shapes,
    series: &[Series<'_>],
    of_mark: &[usize],
    svg: &mut Surface,
) {
    let n_bars = shapes.shapes.iter().filter(|shape| matches!(shape, Shape::Bars(_))).count();
    let Area { x, y, width, height } = layout.frame;
    // Half of a line on the border would be cut without this pixel.
    svg.open_clip(Area { x: x - 1.0, y: y - 1.0, width: width + 2.0, height: height + 2.0 });
    let (box_gap, bars_overlap) = (shapes.box_gap(), n_bars > 1);
    let mut pen = Pen { svg, x: layout.x, y: layout.y, box_gap, bars_overlap };
    for (shape, &index) in shapes.shapes.iter().zip(of_mark) {
        pen.svg.open(&series[index].class);
        pen.draw(shape);
        pen.svg.close();
    }
    pen.svg.close_clip();
    for (shape, &index) in shapes.shapes.iter().zip(of_mark).filter(|(shape, _)| shape.has_dots()) {
        pen.svg.open(&series[index].class);
        pen.draw_dots(shape);
        pen.svg.close();
    }
}

fn draw_axes(chart: &Chart, layout: &PlotLayout, svg: &mut Surface) {
    let frame = layout.frame;
    svg.line("axis", (frame.x, frame.y), (frame.x, frame.bottom()));
    svg.line("axis", (frame.x, frame.bottom()), (frame.right(), frame.bottom()));
    if layout.y.scale == Scale::Linear && layout.y.domain.0 < 0.0 && layout.y.domain.1 > 0.0 {
        svg.line("axis zero", (frame.x, layout.y.base()), (frame.right(), layout.y.base()));
    }
    draw_labels(layout, svg);
    let x_label = fit(&clean(&chart.x.label), layout.width - 2.0 * MARGIN, LABEL_SIZE);
    let below = frame.bottom() + layout.x_ticks.room_below() + 15.0;
    svg.text("label", (frame.x + frame.width / 2.0, below), Anchor::Middle, &x_label);
    let y_label = fit(&clean(&chart.y.label), layout.height - 2.0 * MARGIN, LABEL_SIZE);
    let middle = frame.y + frame.height / 2.0;
    svg.turned_text("label", (MARGIN + 11.0, middle), Anchor::Middle, &y_label, -90);
}

fn draw_labels(layout: &PlotLayout, svg: &mut Surface) {
    let frame = layout.frame;
    for (value, lines) in &layout.y_ticks.labels {
        let y = layout.y.at(*value) + 4.0;
        lines.iter().for_each(|line| svg.text("tick", (frame.x - labels::GAP, y), Anchor::Right, line));
    }
    for (value, lines) in &layout.x_ticks.labels {
        let x = layout.x.at(*value);
        for (row, line) in lines.iter().enumerate() {
            let y = frame.bottom() + 16.0 + row as f64 * labels::LINE;
            if layout.x_ticks.are_turned {
                svg.turned_text("tick", (x + 3.0, y - 2.0), Anchor::Right, line, labels::TURN);
            } else {
                svg.text("tick", (x, y), Anchor::Middle, line);
            }
        }
    }
}

fn draw_note(layout: &PlotLayout, n_left_out: usize, svg: &mut Surface) {
    let note = match n_left_out {
        0 => return,
        1 => "1 value not shown".to_owned(),
        n => format!("{n} values not shown"),
    };
    svg.text("note", (MARGIN, layout.height - ROW + 10.0), Anchor::Left, &note);
}
