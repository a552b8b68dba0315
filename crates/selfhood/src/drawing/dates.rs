//! Dates for people.

use domain::Timestamp;
use jiff::Zoned;
use jiff::tz::TimeZone;

/// `11 May`, with the year when it isn't the year of `now`.
pub(crate) fn said(at: Timestamp, now: Timestamp) -> String {
    let [at, now] = [at, now].map(|instant| instant.to_jiff().to_zoned(TimeZone::UTC));
    let format = if at.year() == now.year() { "%-d %B" } else { "%-d %B %Y" };
    Zoned::strftime(&at, format).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_year_is_said_only_when_it_is_another() {
        let now: Timestamp = "2026-04-22T12:00:00Z".parse().unwrap();
        for (at, expected) in [("2026-05-11T03:00:00Z", "11 May"), ("2027-01-02T00:00:00Z", "2 January 2027")]
        {
            assert_eq!(said(at.parse().unwrap(), now), expected);
        }
    }
}
