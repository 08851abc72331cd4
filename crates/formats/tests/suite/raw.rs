//! Running text becomes sentences of tokens: golden examples in many scripts.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::conllu;
use formats::raw::{Lines, Options, RawReader};

/// Tokens joined by spaces, a line per sentence.
fn cut_with(text: &str, options: &Options) -> String {
    let sentences = RawReader::new(text.as_bytes(), options).map(|read| read.unwrap().value);
    let forms = sentences
        .filter(|sentence| !sentence.tokens.is_empty())
        .map(|sentence| sentence.words().map(|word| word.form.to_string()).collect::<Vec<_>>().join(" "));
    forms.collect::<Vec<_>>().join("\n")
}

fn check(text: &str, expected: &str) {
    assert_eq!(cut_with(&format!("{text}\n"), &Options::default()), expected);
}

#[test]
fn apostrophes_and_hyphens_inside_words_stay() {
    check("Don't ask my mother-in-law, l'homme.", "Don't ask my mother-in-law , l'homme .");
    check("the dogs' food, ‘so’ 'tis said", "the dogs' food , ‘ so ’ 'tis said");
    check("He said 'yes' twice.", "He said ' yes ' twice .");
    check("ka ʻōlelo Hawaiʻi, mbo'e, o‘zbek, ñe'ẽ", "ka ʻōlelo Hawaiʻi , mbo'e , o‘zbek , ñe'ẽ");
    check("col·legi AT&T b/c EU:n", "col·legi AT&T b/c EU:n");
    check("Vor- und Nachteile -- wirklich", "Vor- und Nachteile -- wirklich");
}

#[test]
fn numbers_dates_and_times_stay_whole_and_ranges_do_not() {
    check("3.14 1,000 10:30 12/05/99 2020-01-02 1/2", "3.14 1,000 10:30 12/05/99 2020-01-02 1/2");
    check("5-10 people, 3rd, 50% of $5.50.", "5 - 10 people , 3rd , 50 % of $ 5.50 .");
    check("am 3. mai", "am 3. mai");
    check("٣٫١٤ و१,०००", "٣٫١٤ و१,०००");
}

#[test]
fn addresses_names_tags_and_faces_stay_whole() {
    check(
        "See http://a.org/b?c=d. Mail me@x.org, @you #tag #1 :-) 👩🏽‍🚀👍",
        "See http://a.org/b?c=d .\nMail me@x.org , @you #tag # 1 :-) 👩🏽‍🚀 👍",
    );
    check("(www.x.org) x.com:) ok", "( www.x.org ) x.com :) ok");
    check("Great! :) Next.", "Great ! :)\nNext .");
}

#[test]
fn abbreviations_and_initials_keep_their_period_and_end_nothing() {
    check("J. R. R. Tolkien met Dr. Smith.", "J. R. R. Tolkien met Dr. Smith .");
    check("The U.S. Army, e.g. here, J.Smith.", "The U.S. Army , e.g. here , J. Smith .");
    check("This is plan B.", "This is plan B .");
    check("Ó rí i. Ó lọ.", "Ó rí i .\nÓ lọ .");
    let options = Options { abbreviations: vec!["Kpl.".into(), "z.Bsp".into()], ..Options::default() };
    assert_eq!(cut_with("Kpl. Ama z.Bsp. Dr. No\n", &options), "Kpl. Ama z.Bsp. Dr .\nNo");
}

#[test]
fn runs_of_the_same_mark_are_one_token_and_brackets_and_quotes_are_single() {
    check("What?!! Well... yes… ((“x”)) ``y''", "What ? !!\nWell ... yes … ( ( “ x ” ) ) `` y ''");
}

#[test]
fn sentences_take_closing_marks_along_and_do_not_end_before_small_letters() {
    check(
        "\"Go!\" he said. (So.) “Why?” Ann asked.",
        "\" Go ! \" he said .\n( So . )\n“ Why ? ”\nAnn asked .",
    );
    check("« Bonjour ! » Il part.", "« Bonjour ! »\nIl part .");
    check("1. First. 2. Second.", "1 . First .\n2 . Second .");
    check("In 1995. Then version 2.0 came.", "In 1995 .\nThen version 2.0 came .");
}

#[test]
fn many_scripts_are_cut_by_their_own_punctuation() {
    check("كيف حالك؟ أنا بخير، شكرا.", "كيف حالك ؟\nأنا بخير ، شكرا .");
    check("यह घर है। वह क्‍या है॥", "यह घर है ।\nवह क्‍या है ॥");
    check("ሰላም፣ እንዴት ነህ። ደህና ነኝ፧", "ሰላም ፣ እንዴት ነህ ።\nደህና ነኝ ፧");
    check("Τι κάνεις; Καλά.", "Τι κάνεις ;\nΚαλά .");
    check("Նա գնաց: Ինչո՞ւ։ Այո։", "Նա գնաց :\nԻնչո՞ւ ։\nԱյո ։");
    check("ის მოვიდა. მერე წავიდა.", "ის მოვიდა .\nმერე წავიდა .");
    check("„Да“, сказал он. ‹Нет›!", "„ Да “ , сказал он .\n‹ Нет › !");
    check("צה\"ל של ד׳ו.", "צה\"ל של ד׳ו .");
    check("안녕하세요. 네!", "안녕하세요 .\n네 !");
    check("می‌روم؟ بله۔", "می‌روم ؟\nبله ۔");
}

#[test]
fn scripts_without_spaces_give_han_characters_and_runs_and_one_warning() {
    check("我爱你。他（也）爱「你」！好", "我 爱 你 。\n他 （ 也 ） 爱 「 你 」 ！\n好");
    check("東京タワーへ行く。", "東 京 タワー へ 行 く 。");
    check("ภาษาไทย ๑๒ คำ", "ภาษาไทย ๑๒ คำ");
    check("བོད་སྐད། ဗမာစာ။ ភាសា\u{200B}ខ្មែរ។", "བོད་སྐད །\nဗမာစာ ။\nភាសា ខ្មែរ ។");
    let text = "abc\nd ภาษา\n\n中\n";
    let read: Vec<_> = RawReader::new(text.as_bytes(), &Options::default()).map(Result::unwrap).collect();
    let problems: Vec<String> =
        read.iter().flat_map(|read| &read.problems).map(|problem| problem.to_string()).collect();
    assert_eq!(
        problems,
        [
            "line 2, column 3: warning[no-dictionary]: text in a script without spaces (Thai); each run of letters is a token; there is no dictionary here; put spaces or zero-width spaces between words"
        ]
    );
}

#[test]
fn zero_width_spaces_separate_tokens_and_are_not_in_the_text() {
    let text = "ភាសា\u{200B}ខ្មែរ\n";
    let read = RawReader::new(text.as_bytes(), &Options::default()).next().unwrap().unwrap();
    assert_eq!(read.value.meta("text"), Some("ភាសាខ្មែរ"));
    assert_eq!(read.value.n_words(), 2);
}

#[test]
fn clitics_and_hyphens_are_split_if_asked_for() {
    let options = Options { split_clitics: true, split_hyphens: true, ..Options::default() };
    let text = "L’homme qu'il n'a vu doesn't like Ann's well-known d'Artagnan-like n't\n";
    let expected = "L’ homme qu' il n' a vu does n't like Ann 's well - known d' Artagnan - like n't";
    assert_eq!(cut_with(text, &options), expected);
}

#[test]
fn ordinal_numbers_keep_their_period_if_asked_for() {
    let options = Options { ordinals: true, ..Options::default() };
    assert_eq!(
        cut_with("Am 17. Dezember 1995. Im 6. Stock.\n", &options),
        "Am 17. Dezember 1995 .\nIm 6. Stock ."
    );
}

#[test]
fn a_sentence_is_written_as_conllu_with_text_and_paragraphs() {
    let text = "One \t two,\nthree. Four\u{3000}!\n\n \n\nFive\n";
    let mut out = Vec::new();
    let mut lines = Vec::new();
    for read in RawReader::new(text.as_bytes(), &Options::default()) {
        let read = read.unwrap();
        assert_eq!(read.problems, []);
        lines.push(read.line);
        conllu::write(&read.value, &mut out).unwrap();
    }
    let expected = "# newpar\n# text = One two, three.\n1 One _\n2 two SpaceAfter=No\n3 , _\n4 three SpaceAfter=No\n5 . _\n\n# text = Four !\n1 Four _\n2 ! _\n\n# newpar\n# text = Five\n1 Five _\n\n";
    let out = String::from_utf8(out).unwrap().replace("\t_\t_\t_\t_\t_\t_\t_\t", "\t");
    let short: String = out.lines().map(|line| line.replace('\t', " ") + "\n").collect();
    assert_eq!(short, expected);
    assert_eq!(lines, [1, 2, 6]);
}

#[test]
fn lines_are_sentences_if_asked_for() {
    let options = Options { lines: Lines::Sentences, ..Options::default() };
    let text = "One. Two\nthree\n\nFour! Five\n";
    assert_eq!(cut_with(text, &options), "One . Two\nthree\nFour ! Five");
    let read = RawReader::new(text.as_bytes(), &options).map(|read| read.unwrap());
    let starts: Vec<_> = read.map(|read| (read.line, read.value.comments[0] == "# newpar")).collect();
    assert_eq!(starts, [(1, true), (2, false), (4, true)]);
}
