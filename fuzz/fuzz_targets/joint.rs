#![no_main]

use formats::detect::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| treelet_fuzz::read_write_read(Format::Joint, data));
