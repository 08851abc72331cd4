//! Colours, dashes and sizes of letters.

/// The style sheet of all charts.
///
/// The eight colours stand out from the paper by a contrast of at least 3 to 1, light and dark, and differ
/// from each other for readers who lack one kind of cones. Each has its own dashes all the same.
pub const CSS: &str = "\
.plot{font-family:system-ui,'Noto Sans','Noto Sans Arabic','Noto Sans Hebrew','Noto Sans Devanagari',\
'Noto Sans CJK SC','Noto Sans CJK JP','Noto Sans CJK KR',sans-serif;direction:ltr}
.plot text{fill:#1c1e21;stroke:none}
.plot .paper{fill:#fff}
.plot .title{font-size:15px;font-weight:600}
.plot .label{font-size:13px}
.plot .name{font-size:12px}
.plot .tick{font-size:12px;fill:#4b515b;font-variant-numeric:tabular-nums}
.plot .note{font-size:12px;fill:#5c6370;font-style:italic}
.plot .none{font-size:15px;fill:#5c6370}
.plot path{fill:none}
.plot .grid{stroke:#e4e7ec;stroke-width:1}
.plot .axis{stroke:#6b717b;stroke-width:1}
.plot .line{stroke:currentColor;stroke-width:1.7;stroke-linejoin:round}
.plot .thin{stroke-width:1.2}
.plot .thick{stroke-width:2.6}
.plot .band{fill:currentColor;fill-opacity:.16}
.plot .bar{fill:currentColor;fill-opacity:.75;stroke:#fff;stroke-width:1}
.plot .bar.pale{fill-opacity:.25;stroke:none}
.plot .box{fill:currentColor;fill-opacity:.2;stroke:currentColor;stroke-width:1.7}
.plot .mean{fill:#fff;stroke:currentColor;stroke-width:1.7}
.plot .dots{stroke:currentColor;stroke-width:5;stroke-linecap:round}
.plot .dots.big{stroke-width:6;stroke-opacity:.75}
.plot .d2 .dash{stroke-dasharray:8 4}
.plot .d3 .dash{stroke-dasharray:2 3}
.plot .d4 .dash{stroke-dasharray:9 3 2 3}
.plot .d5 .dash{stroke-dasharray:14 4}
.plot .d6 .dash{stroke-dasharray:5 2}
.plot .d7 .dash{stroke-dasharray:9 3 2 3 2 3}
.plot .d8 .dash{stroke-dasharray:1 5 7 5}
.plot .c1{color:#045dae}
.plot .c2{color:#d65e00}
.plot .c3{color:#009069}
.plot .c4{color:#c062ae}
.plot .c5{color:#8c520a}
.plot .c6{color:#4698e7}
.plot .c7{color:#222221}
.plot .c8{color:#8a1c3c}
@media screen and (prefers-color-scheme:dark){
.plot text{fill:#e6e6e6}
.plot .paper{fill:#16181c}
.plot .tick{fill:#b4bac4}
.plot .note,.plot .none{fill:#a6adb8}
.plot .grid{stroke:#2c3037}
.plot .axis{stroke:#8a909a}
.plot .bar{stroke:#16181c}
.plot .mean{fill:#16181c}
.plot .band{fill-opacity:.26}
.plot .c1{color:#4479c8}
.plot .c2{color:#ea8648}
.plot .c3{color:#3dce99}
.plot .c4{color:#d38bcd}
.plot .c5{color:#dfbe21}
.plot .c6{color:#a7dbff}
.plot .c7{color:#f2f3f2}
.plot .c8{color:#af7dff}
}
";

/// The style sheet of the rest of a page.
pub(super) const PAGE_CSS: &str = "\
body{margin:0 auto;max-width:62rem;padding:1rem 1.5rem;font-family:system-ui,'Noto Sans',sans-serif;\
line-height:1.45;color:#1c1e21;background:#fff}
h1{font-size:1.5rem;line-height:1.25}
h2{font-size:1.2rem;margin:2rem 0 .5rem;line-height:1.25}
h1,h2,p,td,caption{overflow-wrap:anywhere}
p{max-width:46rem;margin:.5rem 0}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0;list-style:none}
a{color:#1565c0}
.row{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start;margin:.8rem 0}
figure{margin:0;max-width:100%;border:1px solid #d5d9e0;border-radius:6px;overflow:hidden}
figure>svg{display:block;max-width:100%;height:auto}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:.95rem}
caption{text-align:start;font-weight:600;padding:.3rem 0}
th,td{padding:.25rem .8rem;border-bottom:1px solid #d5d9e0;text-align:start;vertical-align:top}
thead th{border-bottom:2px solid #8a909a}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
@media screen and (prefers-color-scheme:dark){
body{color:#e6e6e6;background:#16181c}
figure,th,td{border-color:#3a3f47}
a{color:#64b5f6}
}
@media print{
body{max-width:none;padding:0}
nav{display:none}
figure{border:none;break-inside:avoid}
h2{break-after:avoid}
tr{break-inside:avoid}
.scroll{overflow:visible}
}
";

#[cfg(test)]
mod tests {
    use super::super::series::N_STYLES;
    use super::*;

    type Colour = [f64; 3];

    /// Linear light of `#rrggbb`.
    fn linear(hex: &str) -> Colour {
        [0, 2, 4].map(|at| {
            let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// The paper and the eight colours of the light and of the dark sheet.
    fn sheets() -> [(Colour, Vec<Colour>); 2] {
        let (light, dark) = CSS.split_once("@media").unwrap();
        [("fff", "ffffff", light), ("16181c", "16181c", dark)].map(|(paper, hex, sheet)| {
            assert!(sheet.contains(&format!(".paper{{fill:#{paper}}}")));
            let colour = |n: usize| {
                let rule = format!(".plot .c{n}{{color:#");
                linear(sheet.split_once(&rule).unwrap().1)
            };
            (linear(hex), (1..=N_STYLES).map(colour).collect())
        })
    }

    fn times(matrix: [[f64; 3]; 3], colour: Colour) -> Colour {
        matrix.map(|row| row.iter().zip(colour).map(|(a, b)| a * b).sum::<f64>())
    }

    /// Coordinates in which distances are about as large as they look (Ottosson's OKLab, 2020).
    fn perceived(colour: Colour) -> Colour {
        const TO_CONES: [[f64; 3]; 3] = [
            [0.412_221, 0.536_333, 0.051_446],
            [0.211_903, 0.680_700, 0.107_397],
            [0.088_302, 0.281_719, 0.629_979],
        ];
        const TO_LAB: [[f64; 3]; 3] = [
            [0.210_454, 0.793_618, -0.004_072],
            [1.977_998, -2.428_592, 0.450_594],
            [0.025_904, 0.782_772, -0.808_676],
        ];
        times(TO_LAB, times(TO_CONES, colour).map(|cone| cone.max(0.0).cbrt()))
    }

    /// How a colour looks to readers with all cones, and to those who lack the long, middle or short ones
    /// (Machado, Oliveira & Fernandes, 2009, severity 1).
    const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    #[test]
    fn colours_stand_out_from_the_paper() {
        let luminance = |[r, g, b]: Colour| 0.2126 * r + 0.7152 * g + 0.0722 * b;
        for (paper, colours) in sheets() {
            for colour in colours {
                let (one, other) = (luminance(paper) + 0.05, luminance(colour) + 0.05);
                assert!(one.max(other) / one.min(other) >= 3.0, "{colour:?}");
            }
        }
    }

    #[test]
    fn colours_differ_for_colour_blind_readers() {
        for (_, colours) in sheets() {
            for eye in EYES {
                let seen = |colour: &Colour| perceived(times(eye, *colour).map(|part| part.clamp(0.0, 1.0)));
                let seen: Vec<Colour> = colours.iter().map(seen).collect();
                for (i, a) in seen.iter().enumerate() {
                    for b in &seen[..i] {
                        let distance = a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt();
                        assert!(distance > 0.085, "colour {}: {distance}", i + 1);
                    }
                }
            }
        }
    }
}
