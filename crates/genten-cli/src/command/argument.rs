//! Values of options that must be well-formed: anything else is a use of the command, not a failure of its work.

use std::error::Error;
use std::str::FromStr;

use genten_primitives::Timestamp;

use crate::failure::{Done, Failure, with_causes};

/// The value of an option.
pub(super) fn parsed<T>(option: &str, text: &str, hint: &str) -> Done<T>
where
    T: FromStr,
    T::Err: Error,
{
    text.parse()
        .map_err(|error| Failure::usage(format!("{option} {text}: {}", with_causes(&error)), hint))
}

/// A point in time.
pub(super) fn time(option: &str, text: &str) -> Done<Timestamp> {
    parsed(option, text, "Give a time in UTC, such as 2026-11-30T08:15:00Z.")
}

/// A point in time that may be left out.
pub(super) fn optional_time(option: &str, text: Option<&str>) -> Done<Option<Timestamp>> {
    text.map(|text| time(option, text)).transpose()
}
