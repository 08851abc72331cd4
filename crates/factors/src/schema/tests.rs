use proptest::prelude::*;

use super::*;
use crate::{Cells, Value};

fn column(texts: &[&'static str]) -> Vec<Option<&'static str>> {
    texts.iter().map(|text| (!text.is_empty()).then_some(*text)).collect()
}

fn kind_of(texts: &[&'static str], declared: Option<&str>) -> Result<Kind, String> {
    let declared: Option<Declared> = declared.map(|text| text.parse().unwrap());
    match describe("x", &column(texts), declared.as_ref(), true) {
        (Role::Modelled(described), _) => Ok(described.kind),
        (role, troubles) => Err(troubles.first().map_or(format!("{role:?}"), Trouble::to_string)),
    }
}

#[test]
fn kinds_are_inferred_from_the_values() {
    assert_eq!(kind_of(&["0", "1", "1", ""], None), Ok(Kind::Binary));
    assert_eq!(kind_of(&["yes", "no", "no", "yes"], None), Ok(Kind::Binary));
    assert_eq!(kind_of(&["1", "2", "3", "3", "2.0"], None), Ok(Kind::Ordinal(3)));
    assert_eq!(kind_of(&["0", "2", "30", "5", "0"], None), Ok(Kind::Count));
    assert_eq!(kind_of(&["17", "42", "30", "55"], None), Ok(Kind::Continuous));
    assert_eq!(kind_of(&["-1", "0", "5"], None), Ok(Kind::Continuous));
    assert_eq!(kind_of(&["1.5", "2", "-3e2"], None), Ok(Kind::Continuous));
    assert_eq!(kind_of(&["1,5", "2,25", "3"], None), Ok(Kind::Continuous));
    assert_eq!(kind_of(&["inf", "fin", "inf", "part"], None), Ok(Kind::Categorical(3)));
    assert_eq!(kind_of(&["inf", "fin", "inf", "fin"], None), Ok(Kind::Binary));
    assert_eq!(kind_of(&["1", "1.0", "2", "2"], None), Ok(Kind::Binary));
    assert_eq!(kind_of(&["SOV", "SVO", "VSO", "SOV"], None), Ok(Kind::Categorical(3)));
}

#[test]
fn bad_columns_are_named_with_their_row_and_advice() {
    let says = |texts: &[&'static str], declared, words: &str| {
        let message = kind_of(texts, declared).unwrap_err();
        assert!(message.contains(words) && message.starts_with("column x"), "{message}");
    };
    says(&["3", "3", ""], None, "all its values are the same");
    says(&["3", "3.0", ""], None, "all its values are the same");
    says(&["3", "3.0", ""], Some("ordinal"), "all its values are the same");
    says(&["1", "inf"], None, "row 2: inf is infinite");
    says(&["", ""], None, "no value at all");
    says(&["1", "-2", "3"], Some("count"), "row 2: -2 is below 0");
    says(&["1", "2", "3.5"], Some("count"), "row 3: 3.5 is no whole number");
    says(&["1", "inf", "3"], None, "row 2: inf is infinite");
    says(&["1", "2", "NaN"], Some("continuous"), "row 3: \"NaN\" is no number");
    says(&["1", "x", "3"], Some("continuous"), "row 2: \"x\" is no number");
    says(&["1", "2", "3"], Some("binary"), "3 different values");
    says(&["low", "high", "mid"], Some("ordinal"), "order of texts cannot be guessed");
    says(&["1", "9", "3"], Some("ordinal(1-7)"), "row 2: \"9\" is not among the declared levels");
}

#[test]
fn a_level_seen_once_is_reported_and_kept() {
    let (role, troubles) = describe("x", &column(&["a", "a", "b", "c", "c"]), None, true);
    assert!(matches!(role, Role::Modelled(Described { kind: Kind::Categorical(3), .. })));
    assert_eq!(troubles.len(), 1);
    assert!(!troubles[0].fatal && troubles[0].to_string().contains("row 3: \"b\" is seen only once"));
}

#[test]
fn one_text_among_numbers_is_pointed_out() {
    let (role, troubles) = describe("x", &column(&["1", "2", "2", "?", "1", "7", "7"]), None, true);
    assert!(matches!(role, Role::Modelled(Described { kind: Kind::Categorical(4), .. })));
    assert!(troubles[0].to_string().contains("row 4: \"?\" is no number, though most"), "{troubles:?}");
    assert!(troubles[0].message.contains("--missing ?") && !troubles[0].fatal);
}

#[test]
fn declared_levels_have_the_order_they_were_given() {
    let declared: Declared = "ordinal(low<mid<high)".parse().unwrap();
    let cells = column(&["high", "", "low", "high", "mid", "mid", "low"]);
    let (Role::Modelled(described), _) = describe("x", &cells, Some(&declared), true) else { panic!() };
    let (values, troubles) = described.encode(&column(&["low", "mid", "high", "none", ""]));
    assert_eq!(values, Cells::Levels(vec![0, 1, 2, crate::MISSING, crate::MISSING]));
    assert!(troubles[0].to_string().contains("row 4: \"none\" does not fit"), "{troubles:?}");
}

#[test]
fn files_of_types_are_json_or_lines() {
    let json = read_types(r#"{"rows": 3, "columns": {"a": "ordinal(0-6)", "b": "count"}}"#).unwrap();
    assert_eq!(
        json,
        [("a".into(), Declared::Ordinal(Some(Levels::Range(0, 6)))), ("b".into(), Declared::Count)]
    );
    let lines = read_types("# my types\na\tordinal(0-6)\n\nb\tcount\n").unwrap();
    assert_eq!(json, lines);
    assert_eq!(read_types(r#"{"c": "categorical(x,y)"}"#).unwrap().len(), 1);
    assert!(read_types("a count").unwrap_err().contains("line 1"));
    assert!(read_types("a\tcontinous").unwrap_err().contains("is no type"));
    assert!(read_types("{").unwrap_err().contains("no JSON"));
    assert!(read_types(r#"{"c": "ordinal(3-1)"}"#).unwrap_err().contains("between 2 and 1000"));
    assert_eq!("ordinal(-2-2)".parse(), Ok(Declared::Ordinal(Some(Levels::Range(-2, 2)))));
}

#[test]
fn predictions_are_written_so_that_the_column_can_be_read_again() {
    let predicted = |mean: f64, probabilities: &[f64]| crate::Prediction {
        row: 0,
        column: 0,
        mean,
        median: mean.floor(),
        interval: [0.0; 2],
        quartiles: [0.0; 2],
        probabilities: probabilities.to_vec(),
    };
    let described = |texts: &[&'static str], declared: &str| {
        let declared: Declared = declared.parse().unwrap();
        let (Role::Modelled(described), _) = describe("x", &column(texts), Some(&declared), true) else {
            panic!()
        };
        described
    };
    let count = described(&["0", "3", "4"], "count");
    // A count is its median, which is one of them.
    assert_eq!(count.text(&predicted(2.6, &[])), "2");
    let number = described(&["1,5", "2,5", "3,5"], "continuous");
    assert_eq!(number.text(&predicted(1.25, &[])), "3,75");
    let level = described(&["no", "yes", "no"], "binary");
    assert_eq!(level.text(&predicted(0.7, &[0.3, 0.7])), "yes");
    // A tie is the first of them.
    assert_eq!(level.text(&predicted(0.5, &[0.5, 0.5])), "no");
}

#[test]
fn means_of_levels_are_those_of_their_numbers() {
    let described = |texts: &[&'static str], declared: &str| {
        let (Role::Modelled(described), _) =
            describe("x", &column(texts), Some(&declared.parse().unwrap()), true)
        else {
            panic!()
        };
        described
    };
    let mean = |described: &Described, mean: f64, probabilities: &[f64]| {
        let probabilities = probabilities.to_vec();
        let prediction = crate::Prediction {
            row: 0,
            column: 0,
            mean,
            median: 0.0,
            interval: [0.0; 2],
            quartiles: [0.0; 2],
            probabilities,
        };
        described.level_mean(&prediction)
    };
    let uneven = described(&["1", "2", "5", "1", "2", "5"], "ordinal(1<2<5)");
    // 0.2 · 1 + 0.5 · 2 + 0.3 · 5, where the place has the mean 0.5 + 2 · 0.3.
    assert!((mean(&uneven, 1.1, &[0.2, 0.5, 0.3]).unwrap() - 2.7).abs() < 1e-12);
    // Of a stack whose mean is 0.2 of a place higher, on the way from 2 to 5.
    assert!((mean(&uneven, 1.3, &[0.2, 0.5, 0.3]).unwrap() - 3.3).abs() < 1e-12);
    let words = described(&["low", "high", "low", "high"], "ordinal(low<high)");
    assert_eq!(mean(&words, 0.5, &[0.5, 0.5]), None);
    let comma = described(&["0,5", "1,5", "0,5", "1,5"], "ordinal");
    assert!((mean(&comma, 0.25, &[0.75, 0.25]).unwrap() - 0.75).abs() < 1e-12);
}

proptest! {
    #[test]
    fn any_texts_are_described_and_encoded_without_a_panic(
        texts in prop::collection::vec(prop::option::of("[0-9a-c.,\\-]{0,4}"), 0..30),
        declared in prop::option::of(prop::sample::select(vec![
            "continuous", "count", "binary", "ordinal", "categorical", "ordinal(0-9)", "id", "ignore",
        ])),
    ) {
        let cells: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        let declared: Option<Declared> = declared.map(|text| text.parse().unwrap());
        if let (Role::Modelled(described), troubles) = describe("x", &cells, declared.as_ref(), true) {
            prop_assert!(!troubles.iter().any(|t| t.fatal));
            let (values, troubles) = described.encode(&cells);
            prop_assert!(troubles.is_empty(), "what was described fits: {:?}", troubles);
            prop_assert!(values.fit(described.kind));
            for (row, cell) in cells.iter().enumerate() {
                prop_assert_eq!(cell.is_some(), values.get(row).is_some());
            }
        }
    }

    #[test]
    fn whatever_is_predicted_can_be_read_again(
        mean in -1.0..1.0f64,
        exponent in 0..300,
        count in any::<u32>(),
        comma in any::<bool>(),
    ) {
        let texts = if comma { ["1,5", "2,25", "1000000"] } else { ["1.5", "2.25", "1000000"] };
        let cells: Vec<Option<&str>> = texts.iter().map(|text| Some(*text)).collect();
        let mean = mean * 10f64.powi(exponent);
        let median = f64::from(count);
        let prediction =
            crate::Prediction { row: 0, column: 0, mean, median, interval: [0.0; 2],
            quartiles: [0.0; 2], probabilities: Vec::new() };
        for (cells, declared) in [(cells.as_slice(), "continuous"), (&[Some("0"), Some("7")], "count")] {
            let (role, _) = describe("x", cells, Some(&declared.parse().unwrap()), true);
            let Role::Modelled(described) = role else { panic!() };
            let text = described.text(&prediction);
            let (values, troubles) = described.encode(&[Some(&text)]);
            prop_assert!(troubles.is_empty() && text.len() < 26, "{text} {troubles:?}");
            let wanted = if declared == "count" { median } else { mean };
            let found = values.get(0).unwrap().number();
            prop_assert!((found - wanted).abs() <= 1e-6 * (1.0 + wanted.abs()), "{text}: {found} {wanted}");
        }
    }

    #[test]
    fn numbers_keep_their_values(numbers in prop::collection::vec(-1e6f64..1e6, 3..20)) {
        let texts: Vec<String> = numbers.iter().map(f64::to_string).collect();
        let cells: Vec<Option<&str>> = texts.iter().map(|text| Some(text.as_str())).collect();
        let (role, _) = describe("x", &cells, Some(&Declared::Continuous), true);
        if let Role::Modelled(described) = role {
            let (values, _) = described.encode(&cells);
            for (row, x) in numbers.iter().enumerate() {
                let Some(Value::Number(value)) = values.get(row) else { panic!() };
                prop_assert!((described.unscaled(value) - x).abs() < 1e-6);
            }
        }
    }
}
