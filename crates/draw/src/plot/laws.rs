//! Laws of charts: whatever the data, there is a picture, it is well-formed, and it says what it leaves out.

use super::*;
use proptest::prelude::*;

/// Checks that tags are balanced, attributes quoted, special characters escaped, and numbers finite.
fn check_xml(xml: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml.trim_start_matches("<!DOCTYPE html>");
    while let Some(at) = rest.find('<') {
        check_characters(&rest[..at])?;
        let end = rest[at..].find('>').ok_or("a tag does not end")? + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let opened = open.pop();
            if opened != Some(name) {
                return Err(format!("</{name}> ends {opened:?}"));
            }
            continue;
        }
        let (name, attributes) = tag.trim_end_matches('/').split_once([' ', '\n']).unwrap_or((tag, ""));
        check_attributes(attributes)?;
        let is_void = tag.ends_with('/') || name == "meta";
        if !is_void {
            open.push(name);
        }
    }
    check_characters(rest)?;
    if open.is_empty() { Ok(()) } else { Err(format!("left open: {open:?}")) }
}

fn check_attributes(attributes: &str) -> Result<(), String> {
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").ok_or_else(|| format!("no value: {rest}"))?;
        let (value, after) = value.split_once('"').ok_or_else(|| format!("not quoted: {rest}"))?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !is_name || value.contains("NaN") || value.contains("inf") {
            return Err(format!("{name}=\"{value}\""));
        }
        check_characters(value)?;
        rest = after.trim_start();
    }
    Ok(())
}

fn check_characters(text: &str) -> Result<(), String> {
    if text.contains(|c: char| c == '<' || (c.is_control() && c != '\n')) {
        return Err(format!("not allowed: {text:?}"));
    }
    let entities = ["amp;", "lt;", "gt;", "quot;", "#39;"];
    let is_entity = |after: &str| entities.iter().any(|entity| after.starts_with(entity));
    let is_escaped = text.split('&').skip(1).all(is_entity);
    if is_escaped { Ok(()) } else { Err(format!("not escaped: {text:?}")) }
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..10.0f64,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1e-310]),
    ]
}

fn numbers() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(number(), 0..30)
}

fn points() -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((number(), number()), 0..30)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), any::<String>(), "[<>&\"' a-cשلام日]{0,60}"]
}

fn mark() -> impl Strategy<Value = Mark> {
    prop_oneof![
        (text(), points(), prop::option::of(points())).prop_map(|(name, points, band)| Mark::Line {
            name,
            points,
            band
        }),
        (text(), numbers(), prop::option::of(0usize..30))
            .prop_map(|(name, values, bins)| Mark::Bars { name, bins: histogram(&values, bins) }),
        (text(), numbers())
            .prop_map(|(name, heights)| { Mark::Steps { name, bins: Histogram::of_categories(&heights) } }),
        (text(), points(), prop::option::of(number())).prop_map(|(name, points, band)| Mark::Stems {
            name,
            points,
            band
        }),
        (text(), prop::collection::vec((number(), numbers()), 0..4)).prop_map(|(name, boxes)| {
            let boxes = boxes.iter().map(|(at, values)| (*at, box_summary(values))).collect();
            Mark::Boxes { name, boxes }
        }),
        (text(), points()).prop_map(|(name, points)| Mark::Points { name, points }),
        (text(), any::<bool>(), number()).prop_map(|(name, lies, at)| {
            Mark::Rule { name, way: if lies { Way::Horizontal } else { Way::Vertical }, at }
        }),
    ]
}

fn axis() -> impl Strategy<Value = Axis> {
    let ticks =
        prop_oneof![Just(Ticks::Auto), prop::collection::vec((number(), text()), 0..9).prop_map(Ticks::At)];
    let bound = || prop::option::of(number());
    (text(), any::<bool>(), ticks, bound(), bound()).prop_map(|(label, is_log, ticks, from, to)| {
        let scale = if is_log { Scale::Log } else { Scale::Linear };
        Axis { label, scale, ticks, from, to }
    })
}

fn chart() -> impl Strategy<Value = Chart> {
    let marks = prop::collection::vec(mark(), 0..5);
    (text(), axis(), axis(), marks, any::<bool>()).prop_map(|(title, x, y, marks, is_shown)| {
        let legend = if is_shown { Legend::Above } else { Legend::Hidden };
        Chart { title, x, y, marks, legend }
    })
}

/// The style sheet has characters that are none of a picture's business.
fn without_sheet(svg: &str) -> String {
    svg.replace(CSS, "")
}

proptest! {
    #[test]
    fn any_chart_is_a_well_formed_picture(chart in chart(), width in 0u32..900, height in 0u32..900) {
        let svg = chart.to_svg(width, height);
        prop_assert_eq!(check_xml(&without_sheet(&svg)), Ok(()));
    }

    #[test]
    fn any_page_is_well_formed(chart in chart(), words in prop::collection::vec(text(), 6)) {
        let [title, heading, text, caption, head, cell] = words.try_into().unwrap();
        let table = Table { caption, header: vec![head], rows: vec![vec![cell.clone(), cell], vec![]] };
        let section = Section { heading, text, parts: vec![chart.into(), table.into()] };
        let html = page(&title, &[section.clone(), section.clone(), section]);
        let html = html.replace(style::PAGE_CSS, "");
        prop_assert_eq!(check_xml(&without_sheet(&html)), Ok(()));
        prop_assert!(!html.contains("<script") && !html.contains("src="));
    }

    #[test]
    fn each_point_is_drawn_or_counted(points in points(), is_log in any::<bool>()) {
        let axis = if is_log { Axis::log("") } else { Axis::new("") };
        let marks = vec![Mark::Points { name: String::new(), points: points.clone() }];
        let chart = Chart { x: axis.clone(), y: axis, marks, ..Chart::default() };
        let shown = shape::Shapes::new(&chart);
        let shape::Shape::Points(drawn) = &shown.shapes[0] else { unreachable!() };
        prop_assert_eq!(drawn.len() + shown.n_left_out, points.len());
        let svg = chart.to_svg(300, 200);
        prop_assert_eq!(svg.contains("not shown"), shown.n_left_out > 0);
        prop_assert_eq!(svg.contains("no data"), drawn.is_empty());
    }
}

#[test]
fn the_checker_finds_what_is_wrong() {
    for bad in
        ["<a>", "<a></b>", "<a b=c/>", "<a>&nbsp;</a>", "<a b=\"NaN\"/>", "</a>", "<a b=\"<\"/>", "a & b"]
    {
        assert!(check_xml(bad).is_err(), "{bad}");
    }
    assert_eq!(check_xml("<a b=\"c &lt; d\" e=\"\"><f/>&amp;</a>"), Ok(()));
}

fn notes(chart: &Chart) -> (bool, bool) {
    let svg = chart.to_svg(300, 200);
    check_xml(&without_sheet(&svg)).unwrap();
    (svg.contains(">no data<"), svg.contains(" not shown<"))
}

#[test]
fn a_chart_of_nothing_says_so() {
    assert_eq!(notes(&Chart::default()), (true, false));
    let trace = |values: &[f64]| Chart { marks: vec![Mark::trace("a", values)], ..Chart::default() };
    assert_eq!(notes(&trace(&[])), (true, false));
    assert_eq!(notes(&trace(&[f64::NAN])), (true, true));
    assert_eq!(notes(&trace(&[1.0])), (false, false));
    assert_eq!(notes(&trace(&[1.0; 4])), (false, false));
    assert!(
        trace(&[1.0, f64::NAN, f64::INFINITY, 2.0, f64::NEG_INFINITY]).to_svg(9, 9).contains("3 values not")
    );
    assert!(trace(&[1.0, f64::NAN]).to_svg(9, 9).contains(">1 value not shown<"));
}

#[test]
fn a_logarithmic_axis_leaves_out_what_is_not_positive() {
    let marks = vec![Mark::trace("a", &[-1.0, 0.0, 1.0, 10.0])];
    let chart = Chart { y: Axis::log("y"), marks, ..Chart::default() };
    assert!(chart.to_svg(300, 200).contains("2 values not shown"));
    let boxes = vec![(1.0, box_summary(&[-1.0, 2.0, 3.0]))];
    let marks = vec![Mark::Boxes { name: String::new(), boxes }];
    let chart = Chart { y: Axis::log("y"), marks, ..Chart::default() };
    let svg = chart.to_svg(300, 200);
    assert!(svg.contains("3 values not shown") && svg.contains("no data"));
}

#[test]
fn what_a_histogram_or_a_box_left_out_is_counted() {
    let values = [1.0, 2.0, f64::NAN, 2.5];
    let boxes = vec![(1.0, box_summary(&values)), (2.0, box_summary(&[f64::NAN]))];
    let marks = vec![
        Mark::Bars { name: String::new(), bins: histogram(&values, None) },
        Mark::Boxes { name: String::new(), boxes },
    ];
    assert_eq!(shape::Shapes::new(&Chart { marks, ..Chart::default() }).n_left_out, 3);
}

#[test]
fn a_picture_has_the_size_that_was_asked_for_if_it_can() {
    let size = |chart: &Chart, width, height| {
        let svg = chart.to_svg(width, height);
        let attribute = |name: &str| {
            let value = svg.split_once(&format!(" {name}=\"")).unwrap().1.split_once('"').unwrap().0;
            value.parse::<f64>().unwrap()
        };
        (attribute("width"), attribute("height"))
    };
    let mut chart = Chart { marks: vec![Mark::trace("a", &[1.0, 2.0])], ..Chart::default() };
    assert_eq!(size(&chart, 480, 300), (480.0, 300.0));
    let (width, height) = size(&chart, 0, 0);
    assert!(width > 100.0 && height > 100.0);
    chart.marks = (0..60).map(|n| Mark::trace(format!("a name of some length {n}"), &[1.0])).collect();
    assert!(size(&chart, 480, 300).1 > 300.0);
}

#[test]
fn a_long_trace_makes_a_small_picture() {
    let values: Vec<f64> = (0..200_000).map(|n| f64::from(n * 7919 % 1009)).collect();
    let chart = Chart { marks: vec![Mark::trace("", &values)], ..Chart::default() };
    assert!(chart.to_svg(500, 300).len() < 40_000);
}
