use super::*;

/// If this fails, the algorithm has changed and no old seed gives its old result: think twice.
#[test]
fn numbers_of_an_address_never_change() {
    let first = |stream: Stream| stream.rng().bits();
    let sweep = Stream::new(7).chain(1).sweep(12);
    let found = [
        first(Stream::new(0)),
        first(Stream::new(7)),
        first(sweep),
        first(sweep.item(345)),
        first(sweep.item(345).purpose("beta")),
        first(sweep.item(345).tag(3)),
        first(sweep.purpose("a name longer than eight bytes")),
    ];
    let known = [
        0xdbda69a7ebe99ac6,
        0x4514af8d7c22bfcd,
        0x90a9f2514249089a,
        0x879387f6b4c57fe0,
        0x5b367678637fb126,
        0xfc67e07079015c2e,
        0xfc15c0af20674f38,
    ];
    assert_eq!(found, known);
}

#[test]
fn uniform_numbers_of_an_address_never_change() {
    let mut rng = Stream::new(1).chain(2).sweep(3).item(4).rng();
    let found = (rng.uniform(), rng.uniform_open(), rng.below(1000), rng.below(7));
    assert_eq!(found, (0.5926518256263918, 0.9613800329213585, 67, 0));
}

#[test]
fn levels_and_names_are_kept_apart() {
    let root = Stream::new(5);
    let streams = [
        root,
        root.chain(1),
        root.sweep(1),
        root.item(1),
        root.tag(1),
        root.purpose(""),
        root.purpose("\0"),
        root.purpose("ab").purpose("c"),
        root.purpose("a").purpose("bc"),
        root.purpose("abc"),
        root.chain(1).sweep(2),
        root.chain(2).sweep(1),
        root.sweep(2).chain(1),
        Stream::new(1),
    ];
    for (i, a) in streams.iter().enumerate() {
        for b in &streams[i + 1..] {
            assert_ne!(a, b);
        }
    }
}

/// First numbers of neighbouring addresses: uniform, and uncorrelated with their neighbours.
#[test]
fn neighbouring_streams_look_independent() {
    let n = 40_000;
    for address in [
        (|i| Stream::new(i as u64)) as fn(usize) -> Stream,
        |i| Stream::new(3).chain(i as u32),
        |i| Stream::new(3).chain(0).sweep(i as u64),
        |i| Stream::new(3).chain(0).sweep(1).item(i),
        |i| Stream::new(3).tag(1 << (i % 64)).tag((i / 64) as u64),
    ] {
        let xs: Vec<f64> = (0..n).map(|i| address(i).rng().uniform() - 0.5).collect();
        let mean = xs.iter().sum::<f64>() / n as f64;
        let covariance = xs.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / n as f64;
        let variance = xs.iter().map(|x| x * x).sum::<f64>() / n as f64;
        // Standard errors: √(1/12n), 1/12√n, √(1/180n).
        let root = (n as f64).sqrt();
        assert!(mean.abs() * root * 12f64.sqrt() < 4.0, "mean {mean}");
        assert!(covariance.abs() * root * 12.0 < 4.0, "covariance {covariance}");
        assert!((variance - 1.0 / 12.0).abs() * root * 180f64.sqrt() < 4.0, "variance {variance}");
    }
}

/// Each of the 64 bits of a first number flips half of the time when one bit of the address flips.
#[test]
fn one_bit_of_an_address_changes_half_of_the_bits() {
    let n: u64 = 2_000;
    for bit in 0..64 {
        let flips: u32 = (0..n)
            .map(|i| {
                let [a, b] = [i, i ^ (1 << bit)].map(|item| Stream::new(9).item(item as usize).rng().bits());
                (a ^ b).count_ones()
            })
            .sum();
        let z = (f64::from(flips) - 32.0 * n as f64) / (16.0 * n as f64).sqrt();
        assert!(z.abs() < 4.5, "bit {bit}: z = {z}");
    }
}

#[test]
fn below_is_uniform_and_stays_below() {
    let mut rng = Stream::new(11).rng();
    let mut counts = [0u32; 7];
    for _ in 0..70_000 {
        counts[rng.below(7)] += 1;
    }
    let chi_square: f64 = counts.iter().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
    assert!(crate::special::chi_square_tail(chi_square, 6.0) > 1e-3, "{counts:?}");
    assert_eq!((rng.below(0), rng.below(1)), (0, 0));
    // Three quarters of 2⁶⁴: without rejection every third number would come twice as often as the others.
    let n = (3u64 << 62) as usize;
    let thirds = (0..18_000).filter(|_| rng.below(n).is_multiple_of(3)).count() as f64;
    assert!((thirds - 6_000.0).abs() < 4.0 * 4_000f64.sqrt(), "{thirds}");
}

#[test]
fn uniform_numbers_stay_in_their_intervals() {
    let mut rng = Stream::new(12).rng();
    for _ in 0..10_000 {
        assert!((0.0..1.0).contains(&rng.uniform()));
        let open = rng.uniform_open();
        assert!(open > 0.0 && open < 1.0);
    }
    assert!(!rng.bernoulli(0.0) && rng.bernoulli(1.0) && !rng.bernoulli(f64::NAN));
}

#[test]
fn all_orders_of_a_shuffle_are_equally_likely() {
    let mut rng = Stream::new(13).rng();
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..24_000 {
        let mut items = [0, 1, 2, 3];
        rng.shuffle(&mut items);
        *counts.entry(items).or_insert(0u32) += 1;
    }
    let chi_square: f64 = counts.values().map(|&n| (f64::from(n) - 1e3).powi(2) / 1e3).sum();
    assert_eq!(counts.len(), 24);
    assert!(crate::special::chi_square_tail(chi_square, 23.0) > 1e-3, "{chi_square}");
}
