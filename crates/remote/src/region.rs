//! Amazon's own addresses.

/// The address of Amazon's `service`, such as `s3`, in `region`. The regions in China have a domain of their own.
#[must_use]
pub fn amazon_endpoint(service: &str, region: &str) -> String {
    let domain = if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" };
    format!("https://{service}.{region}.{domain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_in_china_have_a_domain_of_their_own() {
        for (service, region, expected) in [
            ("s3", "eu-central-1", "https://s3.eu-central-1.amazonaws.com"),
            ("kms", "us-gov-west-1", "https://kms.us-gov-west-1.amazonaws.com"),
            ("s3", "cn-north-1", "https://s3.cn-north-1.amazonaws.com.cn"),
            ("kms", "cn-northwest-1", "https://kms.cn-northwest-1.amazonaws.com.cn"),
        ] {
            assert_eq!(amazon_endpoint(service, region), expected);
        }
    }
}
