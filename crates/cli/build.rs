//! Leaves unwind tables out of a program that aborts on panics, and packs its addresses.
//!
//! Nobody reads the tables: nothing unwinds, and a backtrace of a stripped program names nothing. They are a twelfth of it, and the compiler
//! keeps them because the standard library was compiled with them. With the feature `foma` panics are caught, so there they stay.

fn main() {
    println!("cargo:rerun-if-changed=no-unwind-tables.ld");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    let catches_panics = std::env::var_os("CARGO_FEATURE_FOMA").is_some();
    // For linkers that take no scripts.
    println!("cargo:rerun-if-env-changed=TREELET_KEEP_UNWIND_TABLES");
    let is_kept = std::env::var_os("TREELET_KEEP_UNWIND_TABLES").is_some();
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") && !catches_panics && !is_kept {
        let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo:rustc-link-arg-bins=-Wl,-T,{folder}/no-unwind-tables.ld");
        println!("cargo:rustc-link-arg-bins=-Wl,--no-eh-frame-hdr");
        if packs_relocations() {
            println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
}

/// Whether the program is built for this machine, and its C library reads packed addresses, as glibc does from 2.36 on. Whoever
/// takes it to machines with an older one sets `TREELET_PLAIN_RELOCATIONS`.
fn packs_relocations() -> bool {
    println!("cargo:rerun-if-env-changed=TREELET_PLAIN_RELOCATIONS");
    if std::env::var_os("TREELET_PLAIN_RELOCATIONS").is_some() {
        return false;
    }
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    if variable("HOST") != variable("TARGET") || variable("CARGO_CFG_TARGET_ENV") != "gnu" {
        return false;
    }
    let asked = std::process::Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let Ok(answer) = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()) else {
        return false;
    };
    let mut numbers = answer.trim().trim_start_matches("glibc ").split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= (2, 36),
        _ => false,
    }
}
