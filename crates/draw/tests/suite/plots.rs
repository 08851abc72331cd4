//! A small chart as it is written.

use draw::plot::{Axis, CSS, Chart, Mark, Way, box_summary, histogram};
use expect_test::{Expect, expect};

/// Checks the picture without its style sheet.
fn check(chart: &Chart, expected: Expect) {
    let svg = chart.to_svg(300, 200);
    assert!(svg.contains(CSS));
    expected.assert_eq(&svg.replace(&format!("<style>\n{CSS}</style>\n"), ""));
}

#[test]
fn a_line_with_a_gap_and_a_rule() {
    let points = vec![(0.0, 1.0), (1.0, 3.0), (2.0, f64::NAN), (3.0, 2.0), (4.0, 5.0)];
    let band = Some(vec![(0.5, 1.5), (2.0, 4.0)]);
    let chart = Chart {
        title: "F1 < 5 & \"rising\"".into(),
        x: Axis::new("sweep"),
        y: Axis::new("F1"),
        marks: vec![
            Mark::Line { name: "chain".into(), points, band },
            Mark::Rule { name: "mean".into(), way: Way::Horizontal, at: 2.75 },
        ],
        ..Chart::default()
    };
    check(
        &chart,
        expect![[r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" width="300" height="213" viewBox="0 0 300 213">
        <title>F1 &lt; 5 &amp; &quot;rising&quot;</title>
        <desc>Horizontal: sweep. Vertical: F1. chain, mean</desc>
        <rect class="paper" width="300" height="213"/>
        <text class="title" x="10" y="24">F1 &lt; 5 &amp; &quot;rising&quot;</text>
        <g class="c1 d1">
        <rect class="band" x="10" y="34" width="26" height="11"/>
        <path class="line dash" d="M10 39.5L36 39.5"/>
        </g>
        <text class="name" x="42" y="44">chain</text>
        <g class="c2 d2">
        <path class="line dash" d="M92 39.5L118 39.5"/>
        </g>
        <text class="name" x="124" y="44">mean</text>
        <path class="grid" d="M50.5 59L50.5 149"/>
        <path class="grid" d="M106.8 59L106.8 149"/>
        <path class="grid" d="M163 59L163 149"/>
        <path class="grid" d="M219.2 59L219.2 149"/>
        <path class="grid" d="M275.5 59L275.5 149"/>
        <path class="grid" d="M46 117.6L280 117.6"/>
        <path class="grid" d="M46 81.3L280 81.3"/>
        <svg x="45" y="58" width="236" height="92" viewBox="45 58 236 92">
        <g class="c1 d1">
        <path class="band" d="M50.5 144.9L106.8 117.6L106.8 81.3L50.5 126.7Z"/>
        <path class="line dash" d="M50.5 135.8L106.8 99.5"/>
        <path class="line dash" d="M219.2 117.6L275.5 63.1"/>
        </g>
        <g class="c2 d2">
        <path class="line dash" d="M46 104L280 104"/>
        </g>
        </svg>
        <g class="c1 d1">
        <path class="dots" d="M50.5 135.8h0M106.8 99.5h0M219.3 117.6h0M275.5 63.1h0"/>
        </g>
        <path class="axis" d="M46 59L46 149"/>
        <path class="axis" d="M46 149L280 149"/>
        <text class="tick" x="39" y="121.6" text-anchor="end">2</text>
        <text class="tick" x="39" y="85.3" text-anchor="end">4</text>
        <text class="tick" x="50.5" y="165" text-anchor="middle">0</text>
        <text class="tick" x="106.8" y="165" text-anchor="middle">1</text>
        <text class="tick" x="163" y="165" text-anchor="middle">2</text>
        <text class="tick" x="219.2" y="165" text-anchor="middle">3</text>
        <text class="tick" x="275.5" y="165" text-anchor="middle">4</text>
        <text class="label" x="163" y="183" text-anchor="middle">sweep</text>
        <text class="label" x="21" y="104" text-anchor="middle" transform="rotate(-90 21 104)">F1</text>
        <text class="note" x="10" y="204">1 value not shown</text>
        </svg>
    "#]],
    );
}

#[test]
fn bars_and_a_box() {
    let values = [1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 9.0];
    let chart = Chart {
        marks: vec![
            Mark::Bars { name: "values".into(), bins: histogram(&values, Some(4)) },
            Mark::Boxes { name: String::new(), boxes: vec![(6.0, box_summary(&values))] },
        ],
        ..Chart::default()
    };
    check(
        &chart,
        expect![[r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" width="300" height="200" viewBox="0 0 300 200">
        <title>Chart</title>
        <desc>Horizontal: values. Vertical: values. values</desc>
        <rect class="paper" width="300" height="200"/>
        <g class="c1 d1">
        <rect class="bar pale" x="10" y="14.5" width="26" height="10"/>
        <path class="line dash" d="M10 14.5L36 14.5L36 24.5L10 24.5Z"/>
        </g>
        <text class="name" x="42" y="24">values</text>
        <path class="grid" d="M60.6 39L60.6 176"/>
        <path class="grid" d="M121.9 39L121.9 176"/>
        <path class="grid" d="M183.1 39L183.1 176"/>
        <path class="grid" d="M244.4 39L244.4 176"/>
        <path class="grid" d="M25 176L280 176"/>
        <path class="grid" d="M25 103.5L280 103.5"/>
        <svg x="24" y="38" width="257" height="139" viewBox="24 38 257 139">
        <g class="c1 d1">
        <rect class="bar" x="29.9" y="132.5" width="61.3" height="43.5"><title>1 – 3: 3</title></rect>
        <rect class="bar" x="91.2" y="132.5" width="61.3" height="43.5"><title>3 – 5: 3</title></rect>
        <rect class="bar" x="213.8" y="161.5" width="61.3" height="14.5"><title>7 – 9: 1</title></rect>
        </g>
        <g class="c2 d2">
        <path class="line" d="M183.1 147L183.1 161.5"/>
        <path class="line" d="M178.6 161.5L187.7 161.5"/>
        <path class="line" d="M183.1 132.5L183.1 132.5"/>
        <path class="line" d="M178.6 132.5L187.7 132.5"/>
        <rect class="box" x="174" y="132.5" width="18.4" height="14.5"><title>median 3, quartiles 2 and 3, whiskers 1 and 3, mean 3.28571, 7 values</title></rect>
        <path class="line thick" d="M174 132.5L192.3 132.5"/>
        <path class="mean" d="M183.1 123.4L188.1 128.4L183.1 133.4L178.1 128.4Z"/>
        </g>
        </svg>
        <g class="c2 d2">
        <path class="dots" d="M183.1 45.5h0"/>
        </g>
        <path class="axis" d="M25 39L25 176"/>
        <path class="axis" d="M25 176L280 176"/>
        <text class="tick" x="18" y="180" text-anchor="end">0</text>
        <text class="tick" x="18" y="107.5" text-anchor="end">5</text>
        <text class="tick" x="60.6" y="192" text-anchor="middle">2</text>
        <text class="tick" x="121.9" y="192" text-anchor="middle">4</text>
        <text class="tick" x="183.1" y="192" text-anchor="middle">6</text>
        <text class="tick" x="244.4" y="192" text-anchor="middle">8</text>
        </svg>
    "#]],
    );
}
