#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| treelet_fuzz::convert_everywhere(data));
