//! Any JSON can be checked as a persona document or put over a memory policy; what is found valid is read, written and
//! read again as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod documents;

fuzz_target!(|bytes: &[u8]| {
    documents::persona(bytes);
    documents::policy_patch(bytes);
});
