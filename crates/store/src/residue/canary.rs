//! The self-test: random text, planted in every form and searched for like everything else.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use domain::Text;
use vault::encoding::hex;
use vault::randomness::{Randomness, RandomnessError, random_bytes};

use super::compiled_needles::{CHUNK, all_forms};
use super::needle::SearchTarget;

const START: &str = "selfhood-canary-";
/// The ending of temporary files, so that the clean-up after a crash removes a canary too.
const END: &str = ".selfhood-tmp";

/// Random text generated for one scan.
pub(super) struct Canary {
    /// Long, with everything that makes forms differ: capitals, accents, quotes, a space.
    long: String,
    /// Too short to be searched for in raw bytes.
    short: String,
}

/// A planted canary file, removed on drop.
pub(super) struct Planted(PathBuf);

impl Canary {
    pub(super) fn generate(randomness: &dyn Randomness) -> Result<Self, RandomnessError> {
        let tag = hex(&random_bytes::<16>(randomness)?);
        let short: String = tag.chars().take(4).collect();
        Ok(Self { long: format!("Zoë's \"Canário\" {tag}"), short: format!("ж{short}") })
    }

    pub(super) fn words(&self) -> [SearchTarget; 2] {
        [&self.long, &self.short].map(|words| SearchTarget::Words(Text::new(words.as_str())))
    }

    /// Writes every form into a new file in `folder`, so that one of them crosses a chunk boundary.
    pub(super) fn plant(&self, folder: &Path) -> io::Result<Planted> {
        let name: String = self.long.chars().rev().take(16).collect();
        let path = folder.join(format!("{START}{name}{END}"));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        let planted = Planted(path);
        file.write_all(&self.seeds())?;
        Ok(planted)
    }

    fn seeds(&self) -> Vec<u8> {
        let mut seeds = format!("{} ", self.short).into_bytes();
        let half = self.long.len() / 2;
        seeds.resize(CHUNK - half, b'\n');
        for form in all_forms(&self.long) {
            seeds.extend(form);
            seeds.push(b'\n');
        }
        seeds
    }
}

impl Planted {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Planted {
    fn drop(&mut self) {
        // A canary that can't be removed contains no personal data; `doctor` reports it.
        let _ = fs::remove_file(&self.0);
    }
}

/// Whether `path` is named like a canary.
pub(super) fn is_canary(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.starts_with(START) && name.ends_with(END)
}
