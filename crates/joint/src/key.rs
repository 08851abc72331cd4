//! Features as numbers.

/// The key of a feature: a template and what stands in its places.
#[inline]
pub(crate) fn key(template: u32, parts: &[u32]) -> u64 {
    parts.iter().fold(mix(0x51_7C_C1_B7, template), |key, &part| mix(key, part))
}

/// Takes one more number into a key.
#[inline]
pub(crate) fn mix(key: u64, part: u32) -> u64 {
    let mixed = (key ^ u64::from(part).wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 31)
}
