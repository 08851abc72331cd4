//! The same bits at any number of threads.

use chain::{Schedule, Start, Stream, Sweep, Threads, Workers, sample};

use crate::toy::Swarm;

pub(crate) fn workers(n: usize) -> Workers {
    Workers::new(Threads::from_count(n)).unwrap()
}

#[test]
fn chains_have_the_same_bits_at_1_2_3_and_8_threads() {
    let schedule = Schedule { burn_in: 3, samples: 9, chains: 3, seed: 5, thin: 1 };
    let kernel = Swarm { n_items: 501 };
    let run = |workers: &Workers| sample::run(&kernel, &schedule, Start::Fresh, &mut (), workers).unwrap();
    let serial = run(&Workers::serial()).checkpoint;
    for n in [1, 2, 3, 8] {
        assert_eq!(run(&workers(n)).checkpoint, serial, "{n} threads");
    }
    assert_ne!(serial.states[0], serial.states[1]);
}

/// Blocks of 7 summed left to right are what `fold` promises, down to the last bit.
#[test]
fn fold_equals_its_definition() {
    let xs: Vec<f64> = (0..1000)
        .map(|i| (1.0 / (1.0 + Stream::new(1).item(i).rng().uniform())).powi(i as i32 % 9))
        .collect();
    let straight = xs
        .chunks(7)
        .map(|block| block.iter().fold(0.0, |sum, x| sum + x))
        .reduce(|sum, block| sum + block)
        .unwrap();
    for n in [1, 2, 3, 8] {
        let sum = workers(n).fold(xs.len(), 7, || 0.0, |sum, i| *sum += xs[i], |a, b| *a += b);
        assert_eq!(sum.to_bits(), straight.to_bits());
    }
    assert_ne!(
        straight.to_bits(),
        xs.iter().fold(0.0, |sum, x| sum + x).to_bits(),
        "the example is too easy"
    );
}

#[test]
fn map_keeps_the_order_and_fold_merges_in_order() {
    for workers in [Workers::serial(), workers(1), workers(2), workers(8)] {
        let items: Vec<usize> = (0..777).collect();
        assert_eq!(workers.map(&items, |i, &x| i + x), (0..777).map(|i| 2 * i).collect::<Vec<_>>());
        let scratch = workers.map_with(&items, Vec::<usize>::new, |memory, i, &x| {
            memory.clear();
            memory.extend([i, x]);
            memory.iter().sum::<usize>()
        });
        assert_eq!(scratch, (0..777).map(|i| 2 * i).collect::<Vec<_>>());
        let mut changed = items.clone();
        workers.map_mut_with(&mut changed, || 1, |one, i, x| *x += i * *one);
        assert_eq!(changed, scratch);
        let folded = workers.fold(777, 10, Vec::new, |list, i| list.push(i), |a, b| a.extend(b));
        assert_eq!(folded, items);
        assert_eq!(workers.fold(0, 10, || 5, |_, _| (), |_, _| ()), 5);
        assert_eq!(workers.fold(3, 0, || 0, |sum, i| *sum += i, |a, b| *a += b), 3);
        assert_eq!(workers.fold(3, usize::MAX, || 0, |sum, i| *sum += i, |a, b| *a += b), 3);
    }
}

#[test]
fn of_several_failures_the_first_item_is_reported() {
    let items: Vec<usize> = (0..1000).collect();
    for n in [1, 2, 8] {
        let fail = |i: usize| if i % 300 == 299 { Err(i) } else { Ok(()) };
        assert_eq!(workers(n).try_map(&items, |i, _| fail(i)), Err(299));
        let folded = workers(n).try_fold(1000, 16, || (), |(), i| fail(i), |(), ()| ());
        assert_eq!(folded, Err(299));
    }
}

#[test]
fn items_draw_from_their_own_streams() {
    let workers = Workers::serial();
    let sweep = Sweep::new(3, 1, 4, &workers);
    let drawn = sweep.map(&[(), ()], |_, _, rng| rng.bits());
    let stream = Stream::new(3).chain(1).sweep(4);
    assert_eq!(drawn, [stream.item(0).rng().bits(), stream.item(1).rng().bits()]);
    assert_eq!((sweep.chain(), sweep.number()), (1, 4));
}
