//! Why weights can't be used.

/// Why the weights of an encoder can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncoderError {
    /// The bytes are not a weights file.
    #[error("not a weights file of a sentence encoder; make it with the scripts in `model`")]
    NotWeights,
    /// This program can't read the file's layout version.
    #[error(
        "weights file of layout {found}, this program reads layout {expected}; make it again with the scripts in `model`"
    )]
    Layout {
        /// The file's layout version.
        found: u32,
        /// The supported layout version.
        expected: u32,
    },
    /// The weights belong to another encoder, or to another version of it.
    #[error("weights of encoder `{found}`, expected `{expected}`")]
    OtherEncoder {
        /// The encoder named in the file.
        found: String,
        /// The expected encoder.
        expected: &'static str,
    },
    /// The file is too short or too long.
    #[error("weights file of {found} bytes, {expected} bytes were written; copy it again")]
    Length {
        /// Its length in bytes.
        found: usize,
        /// The length in its header.
        expected: u64,
    },
    /// The checksum is wrong.
    #[error("weights file is damaged: its checksum differs; copy it again")]
    Checksum,
    /// A section is missing or has the wrong size.
    #[error("weights file has no usable section `{section}`; make it again with the scripts in `model`")]
    Section {
        /// The name of the section.
        section: String,
    },
}
