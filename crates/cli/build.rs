//! Leaves unwind tables out of a program that aborts on panics.
//!
//! Nobody reads them: nothing unwinds, and a backtrace of a stripped program names nothing. They are a twelfth of it, and the compiler
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
    }
}
