//! The table of word-piece vectors, read in place from the bytes compiled into the program.

use std::sync::OnceLock;

use serde::Deserialize;

use super::{DIMENSIONS, Piece};

static MODEL: &[u8] = include_bytes!("../../../../model/model.safetensors");

/// The int8 codes of a piece, as bytes, and the value of one step; `None` if the number is not a piece.
#[must_use]
pub(super) fn piece_row(piece: Piece) -> Option<(&'static [u8; DIMENSIONS], f32)> {
    let table = table();
    let codes = table.rows.get(usize::from(piece.0))?;
    let scale = table.scales.get(usize::from(piece.0))?;
    Some((codes, f32::from_le_bytes(*scale)))
}

struct Table {
    rows: &'static [[u8; DIMENSIONS]],
    scales: &'static [[u8; 4]],
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| read(MODEL).unwrap_or(Table { rows: &[], scales: &[] }))
}

/// The offsets of the two tensors, as in the safetensors header.
#[derive(Deserialize)]
struct Header {
    embeddings: Tensor,
    scales: Tensor,
}

#[derive(Deserialize)]
struct Tensor {
    data_offsets: (usize, usize),
}

/// Reads the safetensors layout: a length, a JSON header of that length, then the tensors' bytes.
fn read(file: &'static [u8]) -> Option<Table> {
    let (length, rest) = file.split_first_chunk::<8>()?;
    let (header, data) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let header: Header = serde_json::from_slice(header).ok()?;
    let tensor = |place: &Tensor| data.get(place.data_offsets.0..place.data_offsets.1);
    let (rows, _) = tensor(&header.embeddings)?.as_chunks::<DIMENSIONS>();
    let (scales, _) = tensor(&header.scales)?.as_chunks::<4>();
    Some(Table { rows, scales })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiled_in_model_has_a_row_and_a_scale_for_every_piece() {
        let table = read(MODEL).expect("a readable model file");
        assert_eq!((table.rows.len(), table.scales.len()), (30_522, 30_522));
        assert!(table.rows.iter().flatten().all(|code| code.cast_signed() != i8::MIN));
    }

    #[test]
    fn a_file_cut_short_is_refused_rather_than_read_wrongly() {
        for length in [0, 7, 8, 100, MODEL.len() - 1] {
            assert!(read(&MODEL[..length]).is_none(), "{length} bytes");
        }
    }
}
