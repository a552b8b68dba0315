//! Why weights cannot be used.

/// Why the weights of an encoder cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncoderError {
    /// The bytes do not begin as a weights file does.
    #[error("not a weights file of a sentence encoder; make it with the scripts in `model`")]
    NotWeights,
    /// The layout is one that this program does not read.
    #[error(
        "weights file of layout {found}, this program reads layout {expected}; make it again with the scripts in `model`"
    )]
    Layout {
        /// The layout of the file.
        found: u32,
        /// The layout that is read.
        expected: u32,
    },
    /// The weights belong to another encoder, or to another version of it.
    #[error("weights of encoder `{found}`, expected `{expected}`")]
    OtherEncoder {
        /// The encoder that the file names.
        found: String,
        /// The encoder that was asked for.
        expected: &'static str,
    },
    /// The file was cut short, or something was added to it.
    #[error("weights file of {found} bytes, {expected} bytes were written; copy it again")]
    Length {
        /// How many bytes there are.
        found: usize,
        /// How many the header says.
        expected: u64,
    },
    /// The bytes are not those that were written.
    #[error("weights file is damaged: its checksum differs; copy it again")]
    Checksum,
    /// A part is missing or has the wrong size.
    #[error("weights file has no usable section `{section}`; make it again with the scripts in `model`")]
    Section {
        /// The name of the part.
        section: String,
    },
}
