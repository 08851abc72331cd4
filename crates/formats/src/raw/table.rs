//! What is known about characters and words, as data: everything that a reader of another language may want
//! to look at or change stands here.

/// Marks that end a sentence only if a space, or the end of the paragraph, follows.
pub(super) const ENDS_BEFORE_SPACE: &str = ".!?…‥‼⁇⁈⁉";

/// Marks that end a sentence wherever they stand.
#[rustfmt::skip]
pub(super) const ENDS: &[(&str, &str)] = &[
    ("Han, Kana", "。．！？｡"),
    ("Arabic script", "؟۔؞"),
    ("Syriac", "܀܁܂"),
    ("Armenian", "։"),
    ("Greek", "\u{37E}"),
    ("Brahmic scripts of India", "।॥"),
    ("Sinhala", "෴"),
    ("Santali, Meetei, Lepcha", "᱾᱿꯫᰻᰼"),
    ("Ethiopic", "።፧፨"),
    ("Tibetan", "།༎༏༐༑༔"),
    ("Myanmar", "။"),
    ("Khmer", "។៕"),
    ("Mongolian", "᠃᠉"),
    ("Javanese, Balinese", "꧉᭟᭞"),
    ("N'Ko", "߹"),
    ("Vai, Bamum, Lisu", "꘎꘏꛳꛷꓿"),
    ("Canadian syllabics", "᙮"),
];

/// Marks that end a sentence after a letter between two others, and before a space: in Greek a semicolon asks
/// a question, and the Armenian full stop is often typed as a colon.
#[rustfmt::skip]
pub(super) const ENDS_AFTER: &[(char, char, char)] = &[
    (';', '\u{370}',  '\u{3FF}'),
    (';', '\u{1F00}', '\u{1FFF}'),
    (':', '\u{531}',  '\u{588}'),
];

/// Letters that Unicode calls small although sentences start with them: Georgian, first and last.
pub(super) const NOT_SMALL: (char, char) = ('\u{10D0}', '\u{10FF}');

/// Brackets that open; quotation marks are in [`QUOTES`], because languages disagree on which of them open.
pub(super) const OPENING: &str = "([{⟨〈《「『【〔〖〘〚（［｛｟｢¿¡༺༼";

/// Brackets that close.
pub(super) const CLOSING: &str = ")]}⟩〉》」』】〕〗〙〛）］｝｠｣༻༽";

/// Quotation marks: closing if they touch what stands before them, opening otherwise.
pub(super) const QUOTES: &str = "\"“”„‟«»‹›‚‛〝〞〟＂`";

/// Apostrophes and single quotation marks; between letters they are part of the word.
pub(super) const APOSTROPHES: &str = "'’‘＇´";

/// Hyphens; between letters they are part of the word. Dashes are not among them.
pub(super) const HYPHENS: &str = "-‐‑־֊᐀";

/// Other characters that are part of a word between two letters: Catalan l·l, AT&T, Hebrew gershayim.
pub(super) const INSIDE_WORDS: &str = "·‧&״׳";

/// Characters that belong to the word they touch although they are neither letters nor marks: Armenian
/// intonation is written on a vowel inside the word, joiners and direction marks are not seen at all.
pub(super) const LIKE_MARKS: &str = concat!(
    "՛՜՞",
    "\u{AD}\u{200C}\u{200D}\u{200E}\u{200F}\u{2060}\u{FEFF}\u{61C}",
    "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}",
);

/// Characters that are part of a number between two digits: 3.14, 1,000, 10:30, 1/2, 1'000.
pub(super) const INSIDE_NUMBERS: &str = ".,:/'’·٫٬．，：";

/// Scripts that put no spaces between words, with the ranges of their characters. Digits and the marks in
/// the lists above are not meant, although some lie in these ranges.
#[rustfmt::skip]
pub(super) const WITHOUT_SPACES: &[(Script, u32, u32)] = &[
    (Script::Thai,     0x0E01,  0x0E4E),
    (Script::Lao,      0x0E81,  0x0EDF),
    (Script::Tibetan,  0x0F00,  0x0FDA),
    (Script::Myanmar,  0x1000,  0x1049),
    (Script::Myanmar,  0x1050,  0x109F),
    (Script::Khmer,    0x1780,  0x17DD),
    (Script::NewTaiLue,0x1980,  0x19DF),
    (Script::TaiTham,  0x1A20,  0x1AAD),
    (Script::Han,      0x2E80,  0x2FD5),
    (Script::Han,      0x3005,  0x3007),
    (Script::Han,      0x3021,  0x3029),
    (Script::Han,      0x3038,  0x303B),
    (Script::Hiragana, 0x3041,  0x309F),
    (Script::Katakana, 0x30A1,  0x30FA),
    (Script::Katakana, 0x30FC,  0x30FF),
    (Script::Katakana, 0x31F0,  0x31FF),
    (Script::Han,      0x3400,  0x4DBF),
    (Script::Han,      0x4E00,  0x9FFF),
    (Script::Javanese, 0xA980,  0xA9DF),
    (Script::Myanmar,  0xA9E0,  0xA9FE),
    (Script::Myanmar,  0xAA60,  0xAA7F),
    (Script::Han,      0xF900,  0xFAD9),
    (Script::Katakana, 0xFF66,  0xFF9F),
    (Script::Han,      0x20000, 0x3347F),
];

/// A script without spaces between words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Han,
    Hiragana,
    Javanese,
    Katakana,
    Khmer,
    Lao,
    Myanmar,
    NewTaiLue,
    TaiTham,
    Thai,
    Tibetan,
}

/// Marks inside the ranges of [`WITHOUT_SPACES`] that end no sentence but are no part of a word either.
pub(super) const OTHER_MARKS: &str = "၊៖༈༄༅๏๚๛꧈꧊꧋";

/// Pictures, first and last of each range.
#[rustfmt::skip]
pub(super) const EMOJI: &[(u32, u32)] = &[
    (0x231A, 0x231B), (0x23E9, 0x23FA), (0x2600, 0x27BF), (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B55),
    (0x1F000, 0x1F1E5), (0x1F200, 0x1FAFF),
];

/// Faces typed with punctuation; the longest that fits is taken.
#[rustfmt::skip]
pub(super) const EMOTICONS: &[&str] = &[
    ":)", ":-)", ":=)", "=)", ":))", ":)))", ":-))", ":]", ":-]", ":3", ":>", ":D", ":-D", "=D", "xD", "XD",
    ":(", ":-(", "=(", ":((", ":[", ":<", ":'(", ":’(", ":'-(", ";)", ";-)", ";D", ";P", ";-P",
    ":P", ":-P", ":p", ":-p", "=P", "=p", ":O", ":-O", ":o", ":-o", ":/", ":-/", ":\\", ":-\\", ":|", ":-|",
    ":*", ":-*", ":$", ":S", ":s", "<3", "</3", "^^", "^_^", "^.^", "-_-", "o_O", "O_o", "o.O", "T_T", ">:(",
    ">:)", "¯\\_(ツ)_/¯",
];

/// What the faces start with, so that they are looked for only there.
pub(super) const EMOTICON_STARTS: &str = ":;=xX<>^-oOT¯";

/// Abbreviations that keep their period and end no sentence, without the period. Single letters and letters
/// with periods between them (e.g., U.S.A.) need no entry.
#[rustfmt::skip]
pub(super) const ABBREVIATIONS: &[&str] = &[
    // English
    "Mr", "Mrs", "Ms", "Dr", "Prof", "Rev", "Hon", "Gen", "Col", "Capt", "Lt", "Sgt", "Sen", "Rep", "Gov", "St",
    "Jr", "Sr", "Ph.D", "Inc", "Ltd", "Corp", "Co", "vs", "approx", "Ave", "Blvd",
    "Jan", "Feb", "Aug", "Sept", "Oct", "Nov", "Dec",
    // many languages
    "etc", "cf", "al", "fig", "Fig", "vol", "Vol", "pp", "ed", "eds",
    // German
    "bzw", "ca", "usw", "Nr", "Str", "vgl", "evtl", "ggf", "inkl", "sog", "Mio", "Mrd",
    // French, Italian, Portuguese, Spanish
    "Mme", "Mlle", "Sig", "Sra", "Dra", "Ud", "Uds", "Exmo",
    // Russian and neighbours
    "гг", "им", "ім", "ул", "руб", "тыс", "млн", "млрд", "трлн", "стр",
    // Greek, Georgian
    "χλμ", "αρ", "κτλ", "მაგ", "ინგლ", "ლათ", "ბერძნ",
];

/// Small letters that are often words by themselves, as in Yoruba: before a capital, a period after them is
/// the end of a sentence.
pub(super) const SMALL_VOWELS: &str = "aáàâãäāăǎạeéèêẽëēĕěẹiíìîĩïīĭǐịoóòôõöōŏǒọuúùûũüūŭǔụɛɔəɪʊɩʋæø";

/// Clitics that are split off if asked for: those that end in an apostrophe stand before their word, the
/// others after it.
#[rustfmt::skip]
pub(super) const CLITICS: &[&str] = &[
    "n't", "'s", "'re", "'ve", "'ll", "'d", "'m",
    "l'", "d'", "j'", "m'", "t'", "s'", "c'", "n'", "qu'", "jusqu'", "lorsqu'", "puisqu'",
    "un'", "dell'", "all'", "nell'", "sull'", "dall'", "quest'", "quell'",
];
