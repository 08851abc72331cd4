//! The numbers of Morfessor 2.0.6 on eighteen words, visited in the order of the list.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use segment::*;

const WORDS: [(u64, &str); 18] = [
    (9, "walk"),
    (4, "walks"),
    (3, "walked"),
    (5, "walking"),
    (8, "talk"),
    (2, "talks"),
    (4, "talked"),
    (6, "talking"),
    (7, "jump"),
    (3, "jumps"),
    (1, "jumping"),
    (2, "re-walk"),
    (1, "untalked"),
    (1, "unjumped"),
    (3, "singing"),
    (5, "sing"),
    (4, "king"),
    (2, "kings"),
];

const WHOLE_KING: &str = "walk; walk s; walk ed; walk ing; talk; talk s; talk ed; talk ing; jump; jump s; jump ing; \
                          re - walk; un talk ed; un jump ed; s ing ing; s ing; king; king s";

fn settings() -> segment::Options {
    segment::Options { order: Order::List, dampening: Dampening::None, ..segment::Options::default() }
}

fn batch(settings: &segment::Options, annotations: &[Annotation]) -> Trained {
    train(&WORDS, annotations, settings, &mut |_| true).unwrap()
}

fn check(trained: &Trained, n_epochs: usize, corpus: f64, lexicon: f64, annotations: f64, expected: &str) {
    let found: Vec<String> = trained.model.words.iter().map(|word| word.morphs().join(" ")).collect();
    assert_eq!(found.join("; "), expected);
    assert_eq!(trained.costs.len() - 1, n_epochs);
    let cost = trained.cost;
    for (found, expected) in [(cost.corpus, corpus), (cost.lexicon, lexicon), (cost.annotations, annotations)]
    {
        assert!((found - expected).abs() < 1e-8, "{found} should be {expected}");
    }
}

#[test]
fn recursive_splitting_gives_the_costs_of_the_original() {
    check(&batch(&settings(), &[]), 3, 394.501839697, 103.436681516, 0.0, WHOLE_KING);
    let split_king = WHOLE_KING.replace("king; king s", "k ing; k ing s");
    let lighter = segment::Options { corpus_weight: 0.3, ..settings() };
    check(&batch(&lighter, &[]), 2, 143.290461087, 92.413693948, 0.0, &split_king);
    let types = segment::Options { dampening: Dampening::Ones, min_count: 2, ..settings() };
    let frequent = split_king.replace(" jump ing;", "").replace(" un talk ed; un jump ed;", "");
    check(&batch(&types, &[]), 2, 103.829272745, 85.020256084, 0.0, &frequent);
    let tied = segment::Options { no_split: NoSplit::parse("al|ng").unwrap(), ..lighter };
    check(&batch(&tied, &[]), 2, 143.290461087, 92.413693948, 0.0, &split_king);
}

#[test]
fn training_by_viterbi_gives_the_costs_of_the_original() {
    let whole = "walk; walks; walked; walking; talk; talks; talked; talking; jump; jumps; jumping; r e - walk; untalked; \
                 unjumped; singing; sing; king; kings";
    let by = |add_count| segment::Options {
        corpus_weight: 0.5,
        method: Method::Viterbi(Viterbi { add_count, ..Viterbi::default() }),
        ..settings()
    };
    check(&batch(&by(0.0), &[]), 2, 196.837446744, 325.310736191, 0.0, whole);
    let smooth = whole.replace("r e", "re");
    check(&batch(&by(1.0), &[]), 2, 189.902102187, 326.342135125, 0.0, &smooth);
}

#[test]
fn annotations_cost_what_they_do_in_the_original() {
    let annotation = |word: &str, analyses: &[&str]| Annotation {
        word: word.to_owned(),
        analyses: analyses.iter().map(|analysis| analysis.split(' ').map(str::to_owned).collect()).collect(),
    };
    let annotations = [
        annotation("walking", &["walk ing"]),
        annotation("talks", &["talk s", "tal ks"]),
        annotation("jumped", &["jump ed"]),
    ];
    let with_jumped = |expected: &str| expected.to_owned() + "; jump ed";
    let split_king = WHOLE_KING.replace("king; king s", "k ing; k ing s");
    let trained = batch(&settings(), &annotations);
    check(&trained, 2, 413.932106910, 92.413693948, 907.134492372, &with_jumped(&split_king));
    let light = segment::Options { annotation_weight: Some(2.0), ..settings() };
    let trained = batch(&light, &annotations);
    check(&trained, 2, 401.375472033, 103.436681516, 77.807945988, &with_jumped(WHOLE_KING));
}

#[test]
fn online_training_gives_the_costs_of_the_original() {
    let tokens: Vec<(u64, &str)> =
        WORDS.iter().flat_map(|&(count, word)| vec![(1, word); count as usize]).collect();
    let trained = train_online(&tokens, &[], &settings(), &mut |_| true).unwrap();
    check(&trained, 1, 394.501839697, 103.436681516, 0.0, WHOLE_KING);
}

#[test]
fn new_words_are_cut_as_by_the_original() {
    let segmenter = Segmenter::new(&batch(&settings(), &[]).model).unwrap();
    let n_best = |word: &str, add_count: f64| {
        let viterbi = Viterbi { add_count, ..Viterbi::default() };
        let found = segmenter.n_best(word, 3, &viterbi);
        found.iter().map(|one| format!("{} {:.6}", one.morphs.join("+"), one.cost)).collect::<Vec<_>>()
    };
    let plain = ["re+walk+ing 9.754357", "r+e+walk+ing 101.557204", "re+walk+i+n+g 152.175274"];
    assert_eq!(n_best("rewalking", 0.0), plain);
    let smooth = ["re+walk+ing 9.279604", "re+wal+king 26.992558", "rewal+king 29.394095"];
    assert_eq!(n_best("rewalking", 1.0), smooth);
    assert_eq!(n_best("xyz", 0.0), ["x+y+z 51.168975"]);
    assert_eq!(n_best("xyz", 0.5)[0], "xyz 19.932431");
    let halves = ["talk+ing+s 7.530951", "talk+ings 23.216591", "tal+king+s 24.192698"];
    assert_eq!(n_best("talkings", 0.5), halves);
}
