//! The stages in a row, on a language that is made up.

use chain::{Threads, Workers};
use tag::coverage::{Coverage, wanted};
use tag::crf::NOTHING_FURTHER;
use tag::hmm::{Order, Smoothing};
use tag::pipeline::{Options, Supervision, learn, train};
use tag::{Choice, Dictionary, Error, Tagged};
use tree::Text;

/// Sentences of a determiner, a noun in -o, a verb in -a and sometimes another noun; most words are not in the dictionary.
fn language(n_sentences: usize) -> Vec<Vec<(Text, &'static str)>> {
    let stems = ["kal", "mir", "tun", "bes", "lok", "fin", "dar", "pet", "gul", "sim", "hor", "wen"];
    let stem = |i: usize| stems[(i * i + 3 * i) % stems.len()];
    (0..n_sentences)
        .map(|i| {
            let mut words = vec![
                (Text::from("la"), "D"),
                (Text::from(format!("{}o", stem(i))), "N"),
                (Text::from(format!("{}a", stem(i + 1 + i / 5))), "V"),
            ];
            if i % 3 == 0 {
                words.push((Text::from("la"), "D"));
                words.push((Text::from(format!("{}o", stem(i + 2))), "N"));
            }
            words.push((Text::from("."), "P"));
            words
        })
        .collect()
}

fn words(sentences: &[Vec<(Text, &'static str)>]) -> Vec<Vec<Text>> {
    sentences.iter().map(|sentence| sentence.iter().map(|(word, _)| word.clone()).collect()).collect()
}

fn few_types() -> Dictionary {
    let pairs = [("la", "D"), (".", "P"), ("kalo", "N"), ("kala", "V"), ("miro", "N"), ("mira", "V")];
    Dictionary::from_pairs(pairs)
}

fn supervision() -> Supervision {
    Supervision { dictionary: few_types(), tagged: Vec::new(), raw: words(&language(80)) }
}

/// The share of words with the right tag.
fn accuracy(options: &Options, supervision: &Supervision) -> f64 {
    let trained = train(supervision, NOTHING_FURTHER, options, &Workers::serial()).expect("good supervision");
    let gold = language(120);
    let (mut n, mut n_right) = (0, 0);
    for (sentence, words) in gold.iter().zip(words(&gold)) {
        for ((_, gold), (tag, p)) in sentence.iter().zip(trained.tag(&words, NOTHING_FURTHER)) {
            assert!(p > 0.0 && p <= 1.0 + 1e-9);
            n += 1;
            n_right += usize::from(trained.learned.dictionary.tags().name(tag) == gold);
        }
    }
    f64::from(n_right as u32) / f64::from(n)
}

#[test]
fn six_words_teach_a_regular_language() {
    assert!(accuracy(&Options::default(), &supervision()) > 0.99);
}

#[test]
fn each_stage_can_be_left_out() {
    let all = Options { minimise: true, ..Options::default() };
    let ablations = [
        Options { propagate: None, ..all.clone() },
        Options { forms: None, ..all.clone() },
        Options { classes: None, ..all.clone() },
        Options { em: None, ..all.clone() },
        Options { last: None, ..all.clone() },
        Options { order: Order::Second, ..all.clone() },
        Options { emissions: Smoothing::Add(0.1), transitions: Smoothing::Add(0.1), ..all.clone() },
        all,
        Options::plain(),
    ];
    for options in ablations {
        assert!(accuracy(&options, &supervision()) > 0.7, "{options:?}");
    }
}

#[test]
fn tagged_sentences_alone_are_enough() {
    let mut dictionary = Dictionary::default();
    let tagged: Vec<Tagged> = language(6)
        .iter()
        .map(|sentence| Tagged {
            words: sentence.iter().map(|(word, _)| word.clone()).collect(),
            choices: sentence
                .iter()
                .map(|(_, tag)| Choice::Known(dictionary.tags_mut().insert(tag)))
                .collect(),
            weight: 1.0,
        })
        .collect();
    let supervision = Supervision { dictionary, tagged, raw: words(&language(80)) };
    assert!(accuracy(&Options::default(), &supervision) > 0.95);
}

#[test]
fn a_word_that_may_have_any_tag_does_not_decide_for_the_others() {
    let raw = ["la kalo", "la miro"].map(|text| text.split(' ').map(Text::from).collect()).to_vec();
    let dictionary = Dictionary::from_pairs([("la", "D"), ("kalo", "N")]);
    let (supervision, workers) =
        (Supervision { dictionary, raw, ..Supervision::default() }, Workers::serial());
    let learned =
        learn(&supervision, NOTHING_FURTHER, &Options::plain(), &workers).expect("good supervision");
    let auto = learned.auto_tagged(1.0, NOTHING_FURTHER, &workers);
    assert_eq!(auto[0].choices, [Choice::Known(0), Choice::Known(1)]);
    assert_eq!(auto[1].choices, [Choice::Known(0), Choice::Among([0, 1].into())]);
}

#[test]
fn known_tags_of_tokens_stay() {
    let mut supervision = supervision();
    let verb = supervision.dictionary.tags().number("V").unwrap();
    let odd = Tagged {
        words: vec!["la".into(), "kalo".into()],
        choices: vec![Choice::Any, Choice::Known(verb)],
        weight: 1.0,
    };
    supervision.tagged.push(odd);
    let workers = Workers::serial();
    let learned = learn(&supervision, NOTHING_FURTHER, &Options::default(), &workers).unwrap();
    let auto = learned.auto_tagged(0.0, NOTHING_FURTHER, &workers);
    assert_eq!(auto[0].choices[1], Choice::Known(verb));
    assert!(auto.iter().all(|sentence| sentence.words.len() == sentence.choices.len()));
    assert!(
        auto.iter().flat_map(|sentence| &sentence.choices).all(|choice| matches!(choice, Choice::Known(_)))
    );
}

#[test]
fn the_pipeline_gives_the_same_bits_on_any_number_of_threads() {
    let run = |workers: &Workers| {
        let options = Options { minimise: true, ..Options::default() };
        let trained = train(&supervision(), NOTHING_FURTHER, &options, workers).unwrap();
        let rows: Vec<_> =
            words(&language(9)).iter().map(|words| trained.posteriors(words, NOTHING_FURTHER)).collect();
        (trained.learned.tagger.hmm().clone(), rows)
    };
    let serial = run(&Workers::serial());
    for n in [1, 2, 4] {
        assert_eq!(run(&Workers::new(Threads::from_count(n)).unwrap()), serial);
    }
}

#[test]
fn further_features_reach_words_that_share_nothing_else() {
    let dictionary = Dictionary::from_pairs([("xa", "A"), ("yb", "B"), ("la", "D")]);
    let raw: Vec<Vec<Text>> =
        ["la xa", "la yb", "la pq", "la rs"].map(|s| s.split(' ').map(Text::from).collect()).to_vec();
    let further = |word: &str, visit: &mut dyn FnMut(&str)| match word {
        "xa" | "pq" => visit("one"),
        "yb" | "rs" => visit("other"),
        _ => {}
    };
    let options = Options { last: None, classes: None, ..Options::default() };
    let supervision = Supervision { dictionary, tagged: Vec::new(), raw };
    let trained = train(&supervision, &further, &options, &Workers::serial()).unwrap();
    let tag = |word: &str| trained.tag(&["la".into(), word.into()], &further)[1].0;
    assert_eq!((tag("pq"), tag("rs")), (0, 1));
}

#[test]
fn bad_supervision_is_refused_with_a_reason() {
    let error = |supervision: &Supervision| {
        learn(supervision, NOTHING_FURTHER, &Options::default(), &Workers::serial()).unwrap_err()
    };
    let no_tags = Supervision { raw: words(&language(2)), ..Supervision::default() };
    assert_eq!(error(&no_tags), Error::NoTags);
    let no_text = Supervision { dictionary: few_types(), ..Supervision::default() };
    assert_eq!(error(&no_text), Error::NoText);
    let with = |choice: Choice| Supervision {
        tagged: vec![Tagged { words: vec!["la".into()], choices: vec![choice], weight: 1.0 }],
        ..supervision()
    };
    assert_eq!(error(&with(Choice::Known(4))), Error::NoSuchTag { sentence: 1, word: 1, tag: 4, n_tags: 4 });
    assert_eq!(error(&with(Choice::Among([].into()))), Error::NoChoice { sentence: 1, word: 1 });
    let mut lengths = with(Choice::Any);
    lengths.tagged[0].choices.clear();
    assert_eq!(error(&lengths), Error::Lengths { sentence: 1, n_words: 1, n_choices: 0 });
}

#[test]
fn odd_words_and_tags_that_nobody_has_are_no_trouble() {
    let mut dictionary = few_types();
    dictionary.tags_mut().insert("NEVER");
    dictionary.insert("absent", "N");
    let raw = [vec![], vec!["—".into(), "".into(), "123".into(), "ßΩ字".into()], vec!["la".into()]];
    let supervision = Supervision { dictionary, tagged: Vec::new(), raw: raw.to_vec() };
    for options in [Options::default(), Options { minimise: true, ..Options::default() }, Options::plain()] {
        let trained = train(&supervision, NOTHING_FURTHER, &options, &Workers::serial()).unwrap();
        assert_eq!(trained.tag(&raw[1], NOTHING_FURTHER).len(), 4);
        assert!(trained.tag(&[], NOTHING_FURTHER).is_empty());
        assert_eq!(trained.tag(&["\u{301}".into()], NOTHING_FURTHER).len(), 1);
    }
}

#[test]
fn an_empty_dictionary_with_a_tag_set_gives_even_guesses() {
    let mut dictionary = Dictionary::default();
    dictionary.tags_mut().insert("A");
    dictionary.tags_mut().insert("B");
    let supervision = Supervision { dictionary, tagged: Vec::new(), raw: words(&language(3)) };
    assert!(learn(&supervision, NOTHING_FURTHER, &Options::default(), &Workers::serial()).is_ok());
}

#[test]
fn coverage_counts_tokens_and_pairs() {
    let dictionary = Dictionary::from_pairs([("la", "D"), ("kalo", "N"), ("kalo", "V")]);
    let known = |tags: &[u32]| tags.iter().map(|&tag| Choice::Known(tag)).collect();
    let sentence = Tagged {
        words: ["la", "kalo", "la", "miro", "la"].map(Text::from).to_vec(),
        choices: known(&[0, 1, 0, 1, 2]),
        weight: 1.0,
    };
    let coverage = Coverage::new(&dictionary, &[sentence]);
    assert_eq!((coverage.n_tokens, coverage.n_covered, coverage.n_right), (5, 4, 3));
    // la/D, la/V, kalo/N, miro/N.
    assert_eq!((coverage.n_pairs, coverage.n_pairs_right), (4, 2));
    assert_eq!(coverage.recall(), 0.5);
    assert_eq!(Coverage::new(&dictionary, &[]).coverage(), 0.0);
}

#[test]
fn the_words_that_are_wanted_are_frequent_and_uncertain() {
    let learned = learn(&supervision(), NOTHING_FURTHER, &Options::default(), &Workers::serial()).unwrap();
    let list = wanted(&learned, 5);
    assert_eq!(list.len(), 5);
    assert!(list.windows(2).all(|pair| pair[0].value() >= pair[1].value()));
    assert!(list.iter().all(|word| learned.dictionary.get(&word.word).is_none()));
    assert!(list.iter().all(|word| (word.tags.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-6));
}

#[test]
fn em_keeps_to_what_a_dictionary_prefers() {
    let mut dictionary =
        Dictionary::from_pairs([("la", "D"), ("gato", "N"), ("corre", "V"), ("fish", "N"), ("fish", "V")]);
    let noun = dictionary.tags().number("N").unwrap();
    dictionary.count("fish", noun, 8.0);
    let sentence = |text: &str| -> Vec<Text> { text.split(' ').map(Text::from).collect() };
    // Where it stands, everything but the dictionary says that it is a verb.
    let raw = ["la gato corre", "la gato fish"].map(sentence).into_iter().cycle().take(40).collect();
    let supervision = Supervision { dictionary, tagged: Vec::new(), raw };
    let probability = |prefer: f64| {
        let em = Some(tag::hmm::Em { iterations: 10, ..tag::hmm::Em::default() });
        let options = Options { prefer, em, last: None, ..Options::default() };
        let learned = learn(&supervision, NOTHING_FURTHER, &options, &Workers::serial()).unwrap();
        let rows = learned.tagger.posteriors(&sentence("la gato fish"), &[], NOTHING_FURTHER);
        rows[2].iter().find(|(tag, _)| *tag == noun).map_or(0.0, |(_, p)| *p)
    };
    let [held, free] = [10.0, 0.0].map(probability);
    assert!(held > 10.0 * free, "{held} {free}");
}

#[test]
fn a_text_of_which_every_tag_is_as_good_as_the_other_can_be_learned_from() {
    let dictionary = Dictionary::from_pairs([("a", "N"), ("a", "V"), ("b", "N"), ("b", "V")]);
    let raw = vec![vec![Text::from("a"), Text::from("b")]; 3];
    let supervision = Supervision { dictionary, tagged: Vec::new(), raw };
    let trained = train(&supervision, NOTHING_FURTHER, &Options::default(), &Workers::serial()).unwrap();
    assert!(trained.crf.is_some());
}
