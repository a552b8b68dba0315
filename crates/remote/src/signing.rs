//! Signature Version 4, by which AWS and everything compatible with it know who asks.

use jiff::Timestamp;
use vault::encoding::hex;
use vault::hash::sha256;
use vault::shared_secret::SharedSecret;

use crate::credentials::AwsCredentials;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// For whom a signature holds.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) region: String,
    pub(crate) service: &'static str,
}

/// What is signed of a request.
pub(crate) struct Unsigned<'a> {
    pub(crate) method: &'a str,
    /// The path as it is sent, percent-encoded.
    pub(crate) path: &'a str,
    pub(crate) query: &'a [(&'a str, &'a str)],
    /// Further headers, names in lower case; `host` must be among them.
    pub(crate) headers: Vec<(String, String)>,
    /// SHA-256 of the body, in hex.
    pub(crate) payload: String,
}

impl Unsigned<'_> {
    /// All headers of the request, with date and signature. `now` is in milliseconds.
    pub(crate) fn signed(
        mut self,
        credentials: &AwsCredentials,
        scope: &Scope,
        now: i64,
    ) -> Vec<(String, String)> {
        let at = Timestamp::from_millisecond(now).unwrap_or_default();
        let time = at.strftime("%Y%m%dT%H%M%SZ").to_string();
        let day = at.strftime("%Y%m%d").to_string();
        self.headers.push(("x-amz-date".to_owned(), time.clone()));
        let session =
            credentials.session().map(|token| ("x-amz-security-token".to_owned(), token.to_owned()));
        self.headers.extend(session);
        self.headers.sort();
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        let names = names.join(";");
        let within = format!("{day}/{}/{}/aws4_request", scope.region, scope.service);
        let hash = hex(&sha256(&[self.canonical(&names).as_bytes()]));
        let key = signing_key(credentials, scope, &day);
        let signature = hex(&key.sign(&[format!("{ALGORITHM}\n{time}\n{within}\n{hash}").as_bytes()]));
        let authorization = format!(
            "{ALGORITHM} Credential={}/{within}, SignedHeaders={names}, Signature={signature}",
            credentials.id
        );
        self.headers.push(("authorization".to_owned(), authorization));
        self.headers
    }

    fn canonical(&self, names: &str) -> String {
        let headers: String =
            self.headers.iter().flat_map(|(name, value)| [name.as_str(), ":", value.trim(), "\n"]).collect();
        let Self { method, path, payload, .. } = self;
        format!("{method}\n{path}\n{}\n{headers}\n{names}\n{payload}", query_text(self.query))
    }
}

/// The query as it is signed and sent: sorted by name, everything but letters, digits and `-_.~` encoded.
pub(crate) fn query_text(query: &[(&str, &str)]) -> String {
    let mut pairs: Vec<String> =
        query.iter().map(|(name, value)| format!("{}={}", encoded(name, ""), encoded(value, ""))).collect();
    pairs.sort_unstable();
    pairs.join("&")
}

/// The text with every byte encoded but letters, digits, `-_.~` and those in `kept`.
pub(crate) fn encoded(text: &str, kept: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::with_capacity(text.len()), |mut done, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) || kept.as_bytes().contains(&byte) {
            done.push(char::from(byte));
        } else {
            let _ = write!(done, "%{byte:02X}");
        }
        done
    })
}

fn signing_key(credentials: &AwsCredentials, scope: &Scope, day: &str) -> SharedSecret {
    let first = SharedSecret::new(format!("AWS4{}", credentials.secret()));
    let fields = [day, scope.region.as_str(), scope.service, "aws4_request"];
    fields.iter().fold(first, |key, field| SharedSecret::new(key.sign(&[field.as_bytes()])))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    /// 24 May 2013, midnight.
    const THEN: i64 = 1_369_353_600_000;

    fn signature(
        method: &str,
        path: &str,
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
        payload: &str,
    ) -> String {
        let credentials =
            AwsCredentials::new("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", None);
        let scope = Scope { region: "us-east-1".to_owned(), service: "s3" };
        let own = [("host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", payload)];
        let headers =
            headers.iter().chain(&own).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let unsigned =
            Unsigned { method, path, query, headers: headers.collect(), payload: payload.to_owned() };
        let signed = unsigned.signed(&credentials, &scope, THEN);
        let (_, authorization) = signed.into_iter().find(|(name, _)| name == "authorization").unwrap();
        authorization.rsplit_once("Signature=").unwrap().1.to_owned()
    }

    /// The examples of "Signature Calculations for the Authorization Header" in Amazon's S3 API reference.
    #[test]
    fn signatures_are_those_of_the_published_examples() {
        assert_eq!(
            signature("GET", "/test.txt", &[], &[("range", "bytes=0-9")], EMPTY),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        );
        assert_eq!(
            signature(
                "PUT",
                &format!("/{}", encoded("test$file.text", "/")),
                &[],
                &[("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
                "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
            ),
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        );
        assert_eq!(
            signature("GET", "/", &[("prefix", "J"), ("max-keys", "2")], &[], EMPTY),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        );
    }

    #[test]
    fn temporary_credentials_send_their_token_and_sign_it() {
        let credentials = AwsCredentials::new("AKIA", "secret", Some("t0ken"));
        let scope = Scope { region: "eu-central-1".to_owned(), service: "kms" };
        let headers = vec![("host".to_owned(), "kms.example.org".to_owned())];
        let unsigned = Unsigned { method: "POST", path: "/", query: &[], headers, payload: EMPTY.to_owned() };
        let signed = unsigned.signed(&credentials, &scope, THEN);
        assert!(signed.contains(&("x-amz-security-token".to_owned(), "t0ken".to_owned())));
        let (_, authorization) = signed.iter().find(|(name, _)| name == "authorization").unwrap();
        assert!(
            authorization.contains("SignedHeaders=host;x-amz-date;x-amz-security-token"),
            "{authorization}"
        );
    }
}
