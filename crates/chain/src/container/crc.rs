//! CRC-64 with the polynomial of ECMA-182, reflected: the checksum of `xz` files.

/// The checksum of some bytes.
pub fn crc64(bytes: &[u8]) -> u64 {
    let mut words = bytes.chunks_exact(8);
    let mut crc = !0;
    for word in &mut words {
        // Eight bytes at a time: table k moves a byte over the k bytes that follow it.
        let word = crc ^ u64::from_le_bytes(std::array::from_fn(|i| word[i]));
        crc = (0..8).fold(0, |sum, i| sum ^ TABLES[7 - i][(word >> (8 * i)) as usize & 0xFF]);
    }
    !words.remainder().iter().fold(crc, |crc, &byte| step(crc, byte))
}

const POLYNOMIAL: u64 = 0xC96C_5795_D787_0F42;

static TABLES: [[u64; 256]; 8] = tables();

fn step(crc: u64, byte: u8) -> u64 {
    TABLES[0][(crc as u8 ^ byte) as usize] ^ (crc >> 8)
}

const fn tables() -> [[u64; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ (if crc & 1 == 1 { POLYNOMIAL } else { 0 });
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut k = 1;
    while k < 8 {
        let mut byte = 0;
        while byte < 256 {
            let crc = tables[k - 1][byte];
            tables[k][byte] = tables[0][crc as usize & 0xFF] ^ (crc >> 8);
            byte += 1;
        }
        k += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of the catalogue of CRCs, for CRC-64/XZ.
    #[test]
    fn nine_digits_have_the_published_checksum() {
        assert_eq!(crc64(b"123456789"), 0x995D_C9BB_DF19_39FA);
        assert_eq!(crc64(b""), 0);
    }

    #[test]
    fn eight_bytes_at_a_time_equals_one_at_a_time() {
        let bytes: Vec<u8> = (0..100u32).map(|i| (i * i * 7 + 3) as u8).collect();
        for n in 0..bytes.len() {
            let slow = !bytes[..n].iter().fold(!0, |crc, &byte| step(crc, byte));
            assert_eq!(crc64(&bytes[..n]), slow);
        }
    }
}
