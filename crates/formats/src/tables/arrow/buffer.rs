//! Buffers of a batch, packed or not.

use super::Wrong;
use std::borrow::Cow;
use std::io::Read;

/// How buffers are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Lz4,
    Zstd,
}

impl Packing {
    pub(super) fn of(codec: u8) -> Result<Self, Wrong> {
        match codec {
            0 => Ok(Self::Lz4),
            1 => Ok(Self::Zstd),
            _ => Err("a batch is packed in a way that is not known".into()),
        }
    }

    /// More than this a byte cannot have been.
    fn largest_growth(self) -> usize {
        match self {
            Self::Lz4 => 256,
            Self::Zstd => 40_000,
        }
    }
}

/// The bytes of a buffer. Packed ones begin with their length, which is −1 where packing was not worth it.
pub(super) fn unpacked(buffer: &[u8], packing: Option<Packing>) -> Result<Cow<'_, [u8]>, Wrong> {
    let Some(packing) = packing.filter(|_| !buffer.is_empty()) else { return Ok(buffer.into()) };
    let (length, packed) = buffer.split_first_chunk().ok_or("a packed buffer does not say its length")?;
    let length = i64::from_le_bytes(*length);
    if length == -1 {
        return Ok(packed.into());
    }
    let length = usize::try_from(length).map_err(|_| "a packed buffer has a negative length")?;
    if length > packed.len().saturating_mul(packing.largest_growth()).saturating_add(1 << 16) {
        return Err("a compressed buffer claims to be larger than it can be".into());
    }
    let mut bytes = Vec::with_capacity(length);
    let n_read = match packing {
        Packing::Lz4 => {
            lz4_flex::frame::FrameDecoder::new(packed).take(length as u64 + 1).read_to_end(&mut bytes)
        }
        Packing::Zstd => zstd::Decoder::with_buffer(packed)
            .and_then(|decoder| decoder.take(length as u64 + 1).read_to_end(&mut bytes)),
    };
    match n_read {
        Ok(n_read) if n_read == length => Ok(bytes.into()),
        Ok(_) => Err("a packed buffer has another length than it says".into()),
        Err(error) => Err(format!("a packed buffer is broken: {error}").into()),
    }
}

/// Whether a bit is set.
pub(super) fn bit(bytes: &[u8], place: usize) -> bool {
    bytes[place / 8] >> (place % 8) & 1 == 1
}
