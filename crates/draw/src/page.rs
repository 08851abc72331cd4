//! An HTML page of figures that needs nothing else: no network, no fonts, printable, usable by keyboard.

use crate::Figure;
use crate::clean::{clean, escape};
use crate::svg::{CSS, SvgStyle};
use tree::Sentence;

/// What stands above a figure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// Name of the sentence, or nothing.
    pub id: String,
    /// Running text, or nothing.
    pub text: String,
}

impl Caption {
    /// `sent_id` and `text` of a sentence; where there is no `text`, the tokens tell it.
    pub fn of_sentence(sentence: &Sentence) -> Self {
        let text = sentence.meta("text").map_or_else(|| sentence.detokenised(), str::to_owned);
        Self { id: sentence.id().unwrap_or_default().to_owned(), text }
    }
}

impl From<&str> for Caption {
    fn from(text: &str) -> Self {
        Self { id: String::new(), text: text.to_owned() }
    }
}

impl From<String> for Caption {
    fn from(text: String) -> Self {
        Self { id: String::new(), text }
    }
}

/// A whole page. For large files, write [`page_head`], one [`page_figure`] after the other, [`page_tail`].
pub fn page<C: Into<Caption>>(title: &str, figures: impl IntoIterator<Item = (C, Figure)>) -> String {
    let mut html = page_head(title);
    let mut n_figures = 0;
    for (caption, figure) in figures {
        n_figures += 1;
        html.push_str(&page_figure(n_figures, &caption.into(), &figure, &SvgStyle::default()));
    }
    html.push_str(&page_tail(n_figures));
    html
}

/// The beginning of a page, up to the first figure.
pub fn page_head(title: &str) -> String {
    let title = clean(title);
    let title = escape(&title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{PAGE_CSS}{CSS}</style>\n</head>\n<body id=\"top\">\n\
         <a class=\"skip\" href=\"#s1\">Skip to the first figure</a>\n\
         <header>\n<h1 dir=\"auto\">{title}</h1>\n\
         <p id=\"tools\" hidden><label>Show sentences with <input id=\"filter\" type=\"search\"></label> \
         <output id=\"shown\"></output></p>\n</header>\n<main>\n"
    )
}

/// One figure of a page. Numbers count from 1 and become the anchors `#s1`, `#s2`, ….
pub fn page_figure(number: usize, caption: &Caption, figure: &Figure, style: &SvgStyle) -> String {
    let (id, text) = (clean(&caption.id), clean(&caption.text));
    let (id, text) = (escape(&id), escape(&text));
    let id = if id.is_empty() { String::new() } else { format!(" <span class=\"id\">{id}</span>") };
    let svg = figure.svg(&SvgStyle { css: false, ..*style });
    // A wide picture is scrolled to where reading begins.
    let direction = if figure.is_rtl() { "rtl" } else { "ltr" };
    let next = number + 1;
    format!(
        "<figure id=\"s{number}\" tabindex=\"-1\">\n<figcaption><a href=\"#s{number}\">{number}</a>{id} \
         <bdi dir=\"auto\">{text}</bdi> <a class=\"skip\" href=\"#s{next}\">Skip to the next figure</a>\
         </figcaption>\n<div class=\"scroll\" dir=\"{direction}\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Figure {number}\">\n\
         {svg}</div>\n</figure>\n"
    )
}

/// The end of a page that has `n_figures` figures.
pub fn page_tail(n_figures: usize) -> String {
    let last = n_figures + 1;
    format!(
        "<p id=\"s{last}\" tabindex=\"-1\"><a href=\"#top\">Back to the top</a></p>\n</main>\n\
         {SCRIPT}</body>\n</html>\n"
    )
}

const PAGE_CSS: &str = "\
body{margin:0 auto;padding:1rem 1.5rem;font-family:system-ui,'Noto Sans',sans-serif;line-height:1.45;\
color:#1c1e21;background:#fff}
h1{font-size:1.4rem}
figure{margin:0 0 1.5rem;border:1px solid #d5d9e0;border-radius:6px;padding:.6rem .8rem}
figure:focus,figure:target,.scroll:focus{outline:3px solid #4a6fa5;outline-offset:1px}
figcaption{margin-bottom:.4rem}
figcaption .id{font-family:ui-monospace,monospace;font-size:.85em;color:#5c6370}
.scroll{overflow-x:auto}
.scroll svg{display:block;max-width:none}
.skip{position:absolute;left:-100vw}
.skip:focus{position:static;left:auto}
a{color:#1565c0}
[hidden]{display:none}
@media(prefers-color-scheme:dark){
body{color:#e6e6e6;background:#16181c}
figure{border-color:#3a3f47}
figcaption .id{color:#a6adb8}
a{color:#64b5f6}
}
@media print{
#tools,.skip,main>p{display:none}
figure{border:none;break-inside:avoid;padding:0}
.scroll{overflow:visible}
.scroll svg{max-width:100%;height:auto}
}
";

const SCRIPT: &str = "<script>\n\
const box=document.getElementById('filter'),shown=document.getElementById('shown');\n\
const figures=[...document.querySelectorAll('figure')];\n\
document.getElementById('tools').hidden=false;\n\
box.addEventListener('input',()=>{\n\
  const wanted=box.value.toLowerCase();let count=0;\n\
  for(const figure of figures){\n\
    const found=figure.querySelector('figcaption').textContent.toLowerCase().includes(wanted);\n\
    figure.hidden=!found;count+=found;\n\
  }\n\
  shown.textContent=wanted?count+' of '+figures.length:'';\n\
});\n\
</script>\n";
