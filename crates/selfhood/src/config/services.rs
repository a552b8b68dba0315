//! The settings of services elsewhere: who we are to them, which of them wraps keys, and which gets traces.

use std::sync::Arc;
use std::time::Duration;

use remote::{AwsCredentials, AwsKms, Clock, RemoteError, Token, VaultTransit};
use vault::key_directory::KeyService;
use wire::{Code, Problem};

use super::catalogue;
use super::layers::Layers;
use super::value::{Raw, Secret, Value, text};
use crate::clock;

/// How often a collector gets something, when nobody says.
const EVERY_SECONDS: u16 = 15;
const KMS: &str = "aws-kms ";
const TRANSIT: &str = "vault-transit ";

/// What the settings say about services elsewhere.
pub(crate) struct Services {
    /// Who asks S3 and KMS.
    aws: Option<AwsCredentials>,
    region: Option<String>,
    s3_endpoint: Option<String>,
    /// The service that wraps new keys.
    pub(crate) wrapping: Option<Arc<dyn KeyService>>,
    /// The collector of traces and metrics.
    pub(crate) telemetry: Option<TelemetrySettings>,
}

/// Where traces and metrics go.
#[derive(Clone)]
pub(crate) struct TelemetrySettings {
    /// The collector.
    pub(crate) url: String,
    /// How often.
    pub(crate) every: Duration,
    /// What is sent with every message.
    pub(crate) headers: Vec<(String, Token)>,
}

/// A service that wraps keys, as it is written.
struct Wrapping(String);

impl Services {
    pub(super) fn take(layers: &mut Layers<'_>) -> Result<Self, Problem> {
        let wrapping: Option<Wrapping> = layers.take(&catalogue::WRAPPING)?;
        let kms_endpoint: Option<String> = layers.take(&catalogue::KMS_ENDPOINT)?;
        let token: Option<Secret> = layers.take(&catalogue::VAULT_TOKEN)?;
        let region: Option<String> = layers.take(&catalogue::AWS_REGION)?;
        let aws = aws(layers)?;
        let s3_endpoint = layers.take(&catalogue::BACKUP_S3_ENDPOINT)?;
        let wrapping = wrapping
            .map(|wrapping| {
                let place = KmsPlace { region: region.as_deref(), endpoint: kms_endpoint.as_deref() };
                wrapping.service(aws.as_ref(), place, token.as_ref())
            })
            .transpose()?;
        Ok(Self { aws, region, s3_endpoint, wrapping, telemetry: telemetry(layers)? })
    }

    /// The bucket of this name, with what every name in it begins with.
    pub(crate) fn bucket(&self, bucket: &str, prefix: &str) -> Result<remote::Bucket, Problem> {
        let credentials = self.aws.clone().ok_or_else(no_credentials)?;
        let region = self.region.clone().unwrap_or_else(|| "us-east-1".to_owned());
        let own = || remote::amazon_endpoint("s3", &region);
        let endpoint = self.s3_endpoint.clone().unwrap_or_else(own);
        let (bucket, prefix) = (bucket.to_owned(), prefix.to_owned());
        let address = remote::BucketAddress { endpoint, region, bucket, prefix };
        remote::Bucket::new(address, credentials, millis()).map_err(|error| unusable(&error))
    }
}

/// Where KMS is.
#[derive(Clone, Copy)]
struct KmsPlace<'a> {
    region: Option<&'a str>,
    endpoint: Option<&'a str>,
}

impl Wrapping {
    fn service(
        &self,
        aws: Option<&AwsCredentials>,
        place: KmsPlace<'_>,
        token: Option<&Secret>,
    ) -> Result<Arc<dyn KeyService>, Problem> {
        if let Some(key) = self.0.strip_prefix(KMS) {
            let credentials = aws.cloned().ok_or_else(no_credentials)?;
            let service = AwsKms::new(key, place.region, place.endpoint, credentials, millis());
            return Ok(Arc::new(service.map_err(|error| unusable(&error))?));
        }
        let url = self.0.strip_prefix(TRANSIT).unwrap_or(&self.0);
        let missing =
            || invalid("vault.wrapping names Vault, but there is no token; set SELFHOOD_VAULT_TOKEN");
        let token = Token::new(token.ok_or_else(missing)?.expose());
        Ok(Arc::new(VaultTransit::new(url, token).map_err(|error| unusable(&error))?))
    }
}

impl Value for Wrapping {
    fn read(raw: &Raw) -> Result<Self, String> {
        let written = text(raw, "a service")?;
        let is_known = [KMS, TRANSIT].iter().any(|kind| written.starts_with(kind));
        let rule = "must be `aws-kms ARN`, or `vault-transit https://HOST/MOUNT/KEY`";
        is_known.then(|| Self(written.to_owned())).ok_or_else(|| rule.to_owned())
    }

    fn shown(&self) -> String {
        self.0.clone()
    }
}

fn aws(layers: &mut Layers<'_>) -> Result<Option<AwsCredentials>, Problem> {
    let id: Option<Secret> = layers.take(&catalogue::AWS_ID)?;
    let secret: Option<Secret> = layers.take(&catalogue::AWS_SECRET)?;
    let session: Option<Secret> = layers.take(&catalogue::AWS_SESSION)?;
    Ok(id.zip(secret).map(|(id, secret)| {
        AwsCredentials::new(id.expose(), secret.expose(), session.as_ref().map(Secret::expose))
    }))
}

fn telemetry(layers: &mut Layers<'_>) -> Result<Option<TelemetrySettings>, Problem> {
    let url: Option<String> = layers.take(&catalogue::OTLP_URL)?;
    let every: u16 = layers.take_or(&catalogue::OTLP_EVERY, EVERY_SECONDS)?;
    let headers: Option<Secret> = layers.take(&catalogue::OTLP_HEADERS)?;
    let written =
        headers.as_ref().map_or("", Secret::expose).split(',').filter(|pair| !pair.trim().is_empty());
    let pair = |pair: &str| {
        let wrong = || invalid("SELFHOOD_OTLP_HEADERS must be `name=value,name=value`");
        let (name, value) = pair.split_once('=').ok_or_else(wrong)?;
        Ok((name.trim().to_ascii_lowercase(), Token::new(value)))
    };
    let headers: Vec<(String, Token)> = written.map(pair).collect::<Result<_, Problem>>()?;
    let every = Duration::from_secs(u64::from(every.max(1)));
    Ok(url.map(|url| TelemetrySettings { url, every, headers }))
}

fn millis() -> Clock {
    Arc::new(|| clock::now().as_millis())
}

fn no_credentials() -> Problem {
    invalid("S3 and KMS need credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
}

fn unusable(error: &RemoteError) -> Problem {
    invalid(&error.to_string())
}

fn invalid(detail: &str) -> Problem {
    Problem::new(Code::ConfigInvalid, detail)
}
