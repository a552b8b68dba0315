//! Object storage that speaks S3: Amazon's own, and what others run in its manner. Requests name the bucket
//! in the path, which every one of them understands.

mod upload;

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use reqwest::{Method, Response, Url};
use vault::encoding::hex;
use vault::hash::sha256;

use crate::credentials::AwsCredentials;
use crate::error::{Reason, RemoteError, file};
use crate::http::{self, Http, Outgoing, Patience};
use crate::signing::{Scope, Unsigned, encoded, query_text};
use crate::{Clock, xml};

/// Where objects are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketAddress {
    /// The service, such as `https://s3.eu-central-1.amazonaws.com`.
    pub endpoint: String,
    /// Its region; most services that are not Amazon's take any.
    pub region: String,
    /// The bucket.
    pub bucket: String,
    /// What every name begins with: empty, or ending in a slash.
    pub prefix: String,
}

/// An object that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObject {
    /// Its name, without the prefix.
    pub name: String,
    /// How long it is.
    pub bytes: u64,
}

/// A client for one bucket.
pub struct Bucket {
    http: Http,
    endpoint: Url,
    address: BucketAddress,
    credentials: AwsCredentials,
    scope: Scope,
    clock: Clock,
}

/// One request before it is signed.
#[derive(Clone, Copy, Default)]
struct UnsignedRequest<'a> {
    name: Option<&'a str>,
    query: &'a [(&'a str, &'a str)],
    body: &'a [u8],
}

impl Bucket {
    /// A client for the bucket at `address`; nothing is sent yet.
    pub fn new(
        address: BucketAddress,
        credentials: AwsCredentials,
        clock: Clock,
    ) -> Result<Self, RemoteError> {
        let service = format!("bucket {} at {}", address.bucket, address.endpoint);
        let failed = |reason| RemoteError { service: service.clone(), reason };
        let endpoint = http::address(&address.endpoint).map_err(failed)?;
        let is_usable = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
        if address.bucket.is_empty() || !address.bucket.bytes().all(is_usable) {
            return Err(failed(Reason::Address("a bucket's name has letters, digits, - and . only")));
        }
        let http = Http::new(&endpoint, service)?;
        let scope = Scope { region: address.region.clone(), service: "s3" };
        Ok(Self { http, endpoint, address, credentials, scope, clock })
    }

    /// The same, waiting as long as `patience` says.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.http.patience = patience;
        self
    }

    /// Where it is.
    #[must_use]
    pub fn address(&self) -> &BucketAddress {
        &self.address
    }

    /// How people write the object `name`.
    #[must_use]
    pub fn url(&self, name: &str) -> String {
        format!("s3://{}/{}{name}", self.address.bucket, self.address.prefix)
    }

    /// The objects right below the prefix, by name.
    pub async fn list(&self) -> Result<Vec<StoredObject>, RemoteError> {
        let mut found = Vec::new();
        let mut after: Option<String> = None;
        loop {
            let mut query = vec![("list-type", "2"), ("prefix", self.address.prefix.as_str())];
            query.extend(after.as_deref().map(|token| ("continuation-token", token)));
            let asked = UnsignedRequest { query: &query, ..UnsignedRequest::default() };
            let listed = self.http.text(|| self.outgoing(Method::GET, asked)).await?;
            let objects = xml::elements(&listed, "Contents");
            found.extend(objects.into_iter().filter_map(|object| self.stored(object)));
            after = xml::text(&listed, "NextContinuationToken");
            if after.is_none() {
                found.sort_by(|a, b| a.name.cmp(&b.name));
                return Ok(found);
            }
        }
    }

    /// The object `name`, if it is there.
    pub async fn find(&self, name: &str) -> Result<Option<StoredObject>, RemoteError> {
        let asked = UnsignedRequest { name: Some(name), ..UnsignedRequest::default() };
        let found = match self.http.send(|| self.outgoing(Method::HEAD, asked)).await {
            Err(error) if error.reason.is_missing() => return Ok(None),
            found => found?,
        };
        // The length of an answer to HEAD stands in its head; its body is empty.
        let length =
            found.headers().get("content-length").and_then(|value| value.to_str().ok()?.parse().ok());
        let bytes = length.ok_or_else(|| self.http.error(Reason::Malformed("an object with a length")))?;
        Ok(Some(StoredObject { name: name.to_owned(), bytes }))
    }

    /// Writes the object `name` into the new file `to`; calls `passed` for every chunk.
    pub async fn download(&self, name: &str, to: &Path, passed: impl Fn(u64)) -> Result<u64, RemoteError> {
        let asked = UnsignedRequest { name: Some(name), ..UnsignedRequest::default() };
        let response = self.http.send(|| self.outgoing(Method::GET, asked)).await?;
        self.write(response, to, passed).await.map_err(|reason| self.http.error(reason))
    }

    /// Deletes the object `name`; one that is not there counts as deleted.
    pub async fn delete(&self, name: &str) -> Result<(), RemoteError> {
        let asked = UnsignedRequest { name: Some(name), ..UnsignedRequest::default() };
        match self.http.send(|| self.outgoing(Method::DELETE, asked)).await {
            Err(error) if error.reason.is_missing() => Ok(()),
            deleted => deleted.map(drop),
        }
    }

    fn stored(&self, object: &str) -> Option<StoredObject> {
        let name = xml::text(object, "Key")?.strip_prefix(&self.address.prefix)?.to_owned();
        let bytes = xml::text(object, "Size")?.parse().ok()?;
        (!name.is_empty() && !name.contains('/')).then_some(StoredObject { name, bytes })
    }

    fn outgoing(&self, method: Method, asked: UnsignedRequest<'_>) -> Outgoing {
        let base = self.endpoint.path().trim_end_matches('/');
        let object = asked.name.map(|name| format!("/{}{name}", self.address.prefix)).unwrap_or_default();
        let path = format!("{base}/{}{}", self.address.bucket, encoded(&object, "/"));
        let payload = hex(&sha256(&[asked.body]));
        let headers = vec![
            ("host".to_owned(), host(&self.endpoint)),
            ("x-amz-content-sha256".to_owned(), payload.clone()),
        ];
        let unsigned =
            Unsigned { method: method.as_str(), path: &path, query: asked.query, headers, payload };
        let headers = unsigned.signed(&self.credentials, &self.scope, (self.clock)());
        let mut url = self.endpoint.clone();
        url.set_path(&path);
        url.set_query((!asked.query.is_empty()).then(|| query_text(asked.query)).as_deref());
        Outgoing { method, url, headers, body: asked.body.to_vec() }
    }

    /// Writes the body of `response` into the new file `to`.
    async fn write(&self, mut response: Response, to: &Path, passed: impl Fn(u64)) -> Result<u64, Reason> {
        let mut options = fs::OpenOptions::new();
        let new = options.write(true).create_new(true).mode(0o600).open(to);
        let mut out = new.map_err(file("create", to))?;
        let mut bytes = 0;
        while let Some(chunk) = self.http.next_bytes(&mut response).await? {
            let chunk = chunk.as_ref();
            out.write_all(chunk).map_err(file("write", to))?;
            passed(chunk.len() as u64);
            bytes += chunk.len() as u64;
        }
        out.sync_all().map_err(file("write", to))?;
        Ok(bytes)
    }
}

/// The `Host` header for `url`: without the port where it is the usual one.
pub(crate) fn host(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
}
