//! Zip archives, read within bounds and written the same each time.
//!
//! Names never become paths here. An archive with a name that leaves its folder, a link, too many entries, or more in
//! it than its size can hold is refused before anything of it is read; what an entry really unpacks to is counted too.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::Broken;

/// How much an archive may hold.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Entries.
    pub entries: usize,
    /// Bytes of all entries, unpacked.
    pub bytes: u64,
    /// How many times its packed size an entry may have.
    pub ratio: u64,
}

impl Limits {
    /// For files at the machine: exports of years of talk.
    pub const LARGE: Self = Self { entries: 10_000, bytes: 1 << 30, ratio: 100 };
    /// For files that come with a request, which are held in memory.
    pub const SMALL: Self = Self { entries: 1_000, bytes: 64 << 20, ratio: 100 };
}

/// How the record at the end of an archive begins, where in it the number of entries stands, and how far from the end it
/// begins at most.
const END_MARK: &[u8] = b"PK\x05\x06";
const END_COUNT: usize = 10;
const END_AT_MOST: u64 = 22 + 65_535;
/// Below this an entry may be packed as well as it likes.
const WORTH_COUNTING: u64 = 1 << 20;
const REFUSED: &str = "it was not unpacked; make the archive again from files you trust";

/// An archive that passed the checks.
pub struct Archive<R> {
    zip: ZipArchive<R>,
    names: Vec<(usize, String)>,
    limits: Limits,
    unpacked: u64,
}

impl<R: Read + Seek> Archive<R> {
    /// Opens an archive and checks all of its entries.
    pub fn open(mut source: R, limits: Limits) -> Result<Self, Broken> {
        let listed = listed_entries(&mut source)
            .map_err(|error| Broken::at("the archive", error.to_string(), REFUSED))?;
        let mut zip = ZipArchive::new(source).map_err(|error| broken("the archive", &error))?;
        if listed.is_some_and(|listed| listed != zip.len()) {
            return Err(Broken::at("the archive", "two entries have the same name", REFUSED));
        }
        if zip.len() > limits.entries {
            let what = format!("it has {} entries, and {} are the most", zip.len(), limits.entries);
            return Err(Broken::at("the archive", what, REFUSED));
        }
        let (mut names, mut total) = (Vec::new(), 0_u64);
        for index in 0..zip.len() {
            let entry =
                zip.by_index_raw(index).map_err(|error| broken(&format!("entry {}", index + 1), &error))?;
            let name =
                entry.name().map_err(|error| broken(&format!("entry {}", index + 1), &error))?.into_owned();
            let wrong = |what: &str| Broken::at(format!("entry {}", index + 1), what, REFUSED);
            check_name(&name).map_err(&wrong)?;
            if entry.is_symlink() {
                return Err(wrong("it is a link"));
            }
            if entry.encrypted() {
                let way_out = "unpack it with its password first, and import the folder";
                return Err(Broken::at(format!("entry {}", index + 1), "it is encrypted", way_out));
            }
            total = total.saturating_add(entry.size());
            if total > limits.bytes {
                return Err(wrong(&format!("the archive unpacks to more than {} bytes", limits.bytes)));
            }
            if entry.size() > WORTH_COUNTING && entry.size() / limits.ratio > entry.compressed_size() {
                return Err(wrong(&format!("it unpacks to more than {} times its size", limits.ratio)));
            }
            if !entry.is_dir() {
                names.push((index, name));
            }
        }
        names.sort_by(|a, b| a.1.cmp(&b.1));
        Ok(Self { zip, names, limits, unpacked: 0 })
    }

    /// The names of its files, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.names.iter().map(|(_, name)| name.clone()).collect()
    }

    /// Reads a file of it, counting what it unpacks to.
    pub fn entry<'a>(
        &'a mut self,
        name: &str,
    ) -> Result<BufReader<Counted<'a, impl Read + use<'a, R>>>, Broken> {
        let index = self.names.iter().find(|(_, own)| own == name).map(|(index, _)| *index);
        let index = index.ok_or_else(|| Broken::at(name, "there is no such entry", REFUSED))?;
        let file = self.zip.by_index(index).map_err(|error| broken(name, &error))?;
        let most = file.compressed_size().saturating_mul(self.limits.ratio).max(WORTH_COUNTING);
        let counted =
            Counted { inner: file, of_entry: most, unpacked: &mut self.unpacked, most: self.limits.bytes };
        Ok(BufReader::with_capacity(64 << 10, counted))
    }

    /// A whole file of it.
    pub fn bytes(&mut self, name: &str) -> Result<Vec<u8>, Broken> {
        let mut bytes = Vec::new();
        self.entry(name)?
            .read_to_end(&mut bytes)
            .map_err(|error| Broken::at(name, error.to_string(), REFUSED))?;
        Ok(bytes)
    }
}

/// How many entries the end of the archive says it has. The reader knows one of each name, so a difference is an entry
/// that another program may read in its place. `None` where the end is of another form.
fn listed_entries<R: Read + Seek>(source: &mut R) -> io::Result<Option<usize>> {
    let length = source.seek(SeekFrom::End(0))?;
    source.seek(SeekFrom::Start(length.saturating_sub(END_AT_MOST)))?;
    let mut end = Vec::new();
    source.read_to_end(&mut end)?;
    source.rewind()?;
    let at = end.windows(END_MARK.len()).rposition(|window| window == END_MARK);
    let count = at.and_then(|at| end.get(at + END_COUNT..)?.first_chunk().copied()).map(u16::from_le_bytes);
    // The greatest number stands for one that is written elsewhere.
    Ok(count.filter(|count| *count < u16::MAX).map(usize::from))
}

/// Counts what an entry really unpacks to, whatever the archive says.
pub struct Counted<'c, R> {
    inner: R,
    of_entry: u64,
    unpacked: &'c mut u64,
    most: u64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let bytes = read as u64;
        *self.unpacked = self.unpacked.saturating_add(bytes);
        if *self.unpacked > self.most || bytes > self.of_entry {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "it unpacks to more than its size can hold",
            ));
        }
        self.of_entry -= bytes;
        Ok(read)
    }
}

/// Whether a name stays within its folder.
fn check_name(name: &str) -> Result<(), &'static str> {
    let is_absolute = name.starts_with(['/', '\\']) || name.get(1..2) == Some(":");
    if is_absolute {
        return Err("its name is an absolute path");
    }
    if name.split(['/', '\\']).any(|part| part == "..") {
        return Err("its name leaves its folder (`..`)");
    }
    if name.contains(['\\', '\0']) || name.is_empty() {
        return Err("its name has characters no path may have");
    }
    Ok(())
}

fn broken(place: &str, error: &ZipError) -> Broken {
    let what = if let ZipError::Io(error) = error {
        format!("it can't be read ({})", error.kind())
    } else if let ZipError::UnsupportedArchive(what) = error {
        format!("it is packed in a way that can't be read ({what})")
    } else {
        "this is not a zip archive, or a damaged one".to_owned()
    };
    Broken::at(place, what, "download it again, or unpack it and import the folder")
}

/// Writes an archive whose bytes depend on nothing but its files.
pub struct ArchiveWriter<W: Write + Seek>(ZipWriter<W>);

impl<W: Write + Seek> ArchiveWriter<W> {
    /// Begins an archive.
    pub fn new(to: W) -> Self {
        Self(ZipWriter::new(to))
    }

    /// Adds a file.
    pub fn add(&mut self, name: &str, content: &mut dyn Read) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        self.0.start_file(name, options).map_err(io::Error::from)?;
        io::copy(content, &mut self.0).map(drop)
    }

    /// Ends the archive.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish().map_err(io::Error::from)
    }
}
