//! Sending a file to a bucket: in one piece if it is short, else in parts, so that no more than one part is
//! in memory and a part that failed is sent again alone. The service checks the SHA-256 of every part.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use reqwest::Method;

use super::{Bucket, UnsignedRequest};
use crate::error::{Reason, RemoteError, file};
use crate::xml;

/// The size of a part: little to send again after a failure. Services take none smaller than 5 MiB, but the last.
const PART: u64 = 8 * 1024 * 1024;
/// The most parts an object may have.
const MOST_PARTS: u64 = 10_000;

/// One part of a file: its number and where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    number: u64,
    from: u64,
    bytes: u64,
}

impl Bucket {
    /// Sends the file at `path` as the object `name`, and makes sure that all of it is there. `passed` hears of
    /// every part. If it fails, nothing of it is left in the bucket.
    pub async fn upload(&self, name: &str, path: &Path, passed: impl Fn(u64)) -> Result<u64, RemoteError> {
        let length = path.metadata().map_err(file("read", path)).map_err(|reason| self.http.error(reason))?;
        let length = length.len();
        if length <= PART {
            let whole = Span { number: 1, from: 0, bytes: length };
            self.put(name, &[], &self.read(path, whole).await?).await?;
            passed(length);
        } else {
            self.send_parts(name, path, length, passed).await?;
        }
        let found = self.find(name).await?.map_or(0, |object| object.bytes);
        if found == length {
            Ok(length)
        } else {
            Err(self.http.error(Reason::Length { expected: length, found }))
        }
    }

    async fn send_parts(
        &self,
        name: &str,
        path: &Path,
        length: u64,
        passed: impl Fn(u64),
    ) -> Result<(), RemoteError> {
        let asked = UnsignedRequest { name: Some(name), query: &[("uploads", "")], body: &[] };
        let begun = self.http.text(|| self.outgoing(Method::POST, asked)).await?;
        let id = xml::text(&begun, "UploadId").ok_or_else(|| self.malformed("the begin of an upload"))?;
        let ended = async {
            let mut tags = Vec::new();
            for span in spans(length) {
                let number = span.number.to_string();
                let query = [("partNumber", number.as_str()), ("uploadId", id.as_str())];
                tags.push((span.number, self.put(name, &query, &self.read(path, span).await?).await?));
                passed(span.bytes);
            }
            self.complete(name, &id, &tags).await
        };
        if let Err(error) = ended.await {
            let asked = UnsignedRequest { name: Some(name), query: &[("uploadId", &id)], body: &[] };
            // The first failure is the one to tell.
            let _ = self.http.send(|| self.outgoing(Method::DELETE, asked)).await;
            return Err(error);
        }
        Ok(())
    }

    /// Sends bytes, and returns the tag by which the service knows them.
    async fn put(&self, name: &str, query: &[(&str, &str)], body: &[u8]) -> Result<String, RemoteError> {
        let asked = UnsignedRequest { name: Some(name), query, body };
        let answer = self.http.send(|| self.outgoing(Method::PUT, asked)).await?;
        let tag = answer.headers().get("etag").and_then(|value| value.to_str().ok());
        tag.map(str::to_owned).ok_or_else(|| self.malformed("a part with a tag"))
    }

    async fn complete(&self, name: &str, id: &str, tags: &[(u64, String)]) -> Result<(), RemoteError> {
        let part = |(number, tag): &(u64, String)| {
            let tag = xml::escaped(tag);
            format!("<Part><PartNumber>{number}</PartNumber><ETag>{tag}</ETag></Part>")
        };
        let parts: String = tags.iter().map(part).collect();
        let body = format!("<CompleteMultipartUpload>{parts}</CompleteMultipartUpload>");
        let asked = UnsignedRequest { name: Some(name), query: &[("uploadId", id)], body: body.as_bytes() };
        let answer = self.http.text(|| self.outgoing(Method::POST, asked)).await?;
        // A failure while parts are joined comes with status 200.
        if xml::elements(&answer, "Error").is_empty() {
            return Ok(());
        }
        Err(self.http.error(Reason::Refused { status: 200, code: xml::text(&answer, "Code") }))
    }

    async fn read(&self, path: &Path, span: Span) -> Result<Vec<u8>, RemoteError> {
        let path: PathBuf = path.to_owned();
        let reading = tokio::task::spawn_blocking(move || read_span(&path, span));
        let read = reading.await.unwrap_or(Err(Reason::Malformed("read to its end")));
        read.map_err(|reason| self.http.error(reason))
    }

    fn malformed(&self, expected: &'static str) -> RemoteError {
        self.http.error(Reason::Malformed(expected))
    }
}

fn read_span(path: &Path, span: Span) -> Result<Vec<u8>, Reason> {
    let mut bytes = vec![0; usize::try_from(span.bytes).unwrap_or(usize::MAX)];
    let opened = File::open(path).map_err(file("read", path))?;
    opened.read_exact_at(&mut bytes, span.from).map_err(file("read", path))?;
    Ok(bytes)
}

/// The parts of a file of `length` bytes.
fn spans(length: u64) -> impl Iterator<Item = Span> {
    let size = PART.max(length.div_ceil(MOST_PARTS));
    let part = move |index: u64| {
        let from = index * size;
        Span { number: index + 1, from, bytes: size.min(length - from) }
    };
    (0..length.div_ceil(size)).map(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_a_file_without_gaps_and_are_never_too_many() {
        for length in [PART + 1, 2 * PART, 3 * PART + 7, MOST_PARTS * PART + 1] {
            let parts: Vec<Span> = spans(length).collect();
            assert!(parts.len() as u64 <= MOST_PARTS, "{length}");
            let mut at = 0;
            for (index, part) in parts.iter().enumerate() {
                assert_eq!((part.from, part.number), (at, index as u64 + 1));
                at += part.bytes;
            }
            assert_eq!(at, length);
        }
    }
}
