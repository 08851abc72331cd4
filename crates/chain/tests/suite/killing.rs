//! A run that is killed goes on as if nothing had happened.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use chain::{Rng, Stream, container};

const SWEEPS: &str = "600";

/// The example beside this test; built now if only the tests were asked for.
fn killable() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let name = format!("killable{}", std::env::consts::EXE_SUFFIX);
    let path = tests.parent().unwrap().parent().unwrap().join("examples").join(name);
    if !path.exists() {
        let release = path.components().any(|part| part.as_os_str() == "release");
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "chain", "--example", "killable", "--target-dir"]);
        build.arg(path.ancestors().nth(3).unwrap()).args(release.then_some("--release"));
        assert!(build.status().unwrap().success(), "cannot build the example");
    }
    path
}

fn command(file: &Path, threads: &str) -> Command {
    let mut command = Command::new(killable());
    command.arg(file).args([SWEEPS, threads]).stdout(Stdio::piped());
    command
}

fn finish(file: &Path, threads: &str) -> String {
    let output = command(file, threads).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// The sweep of the checkpoint on disk, 0 if there is none. A checkpoint that is not whole fails the test.
fn saved_sweep(file: &Path) -> u64 {
    let Ok(bytes) = std::fs::read(file) else { return 0 };
    let (header, _) = container::open(&bytes).expect("a whole checkpoint at any time");
    header.notes["sweep"].parse().unwrap()
}

/// Kills the run at a moment after `sweep` has been saved; false if it was done before.
fn kill_after(file: &Path, sweep: u64, pause: Duration, threads: &str) -> bool {
    let mut child = command(file, threads).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while saved_sweep(file) < sweep && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < patience, "no progress");
        std::thread::yield_now();
    }
    // A moment that has nothing to do with the rhythm of saving.
    let moment = Instant::now() + pause;
    while Instant::now() < moment {
        std::hint::spin_loop();
    }
    let running = child.try_wait().unwrap().is_none();
    // On Unix this is SIGKILL, which no process can catch.
    child.kill().unwrap();
    child.wait().unwrap();
    running
}

/// Kills one run three times on its way; the number of times it was still alive.
fn kill_thrice(file: &Path, rng: &mut Rng) -> usize {
    let mut kill = |(nth, threads): (u64, &str)| {
        let sweep = 150 * nth + rng.below(100) as u64;
        let pause = Duration::from_micros(rng.below(5_000) as u64);
        kill_after(file, sweep, pause, threads)
    };
    [(0, "2"), (1, "1"), (2, "3")].into_iter().filter(|&round| kill(round)).count()
}

#[test]
fn a_run_killed_at_random_moments_resumes_and_equals_the_straight_run() {
    let folder = tempfile::tempdir().unwrap();
    let straight = finish(&folder.path().join("straight.ckpt"), "1");
    let mut rng = Stream::new(31).rng();
    // On a machine so busy that this process sleeps through a whole run, it is tried again.
    let file = (0..10)
        .map(|i| folder.path().join(format!("killed-{i}.ckpt")))
        .find(|file| kill_thrice(file, &mut rng) > 0)
        .expect("no run lived long enough to be killed");
    assert_eq!(finish(&file, "2"), straight);
    assert_eq!(finish(&file, "1"), straight, "and a finished run has nothing left to do");
}
