//! What an authority says: TSTInfo (RFC 3161 section 2.4.2).

use std::time::Duration;

use der::{Reader as _, SliceReader, Tag};
use genten_primitives::Timestamp;

use super::hash::{HashValue, NamedHash};
use super::tag::{constructed, integer, next_is, optional, primitive, version};
use crate::Oid;
use crate::asn1::{content, oid, read_all};

/// The fields of a TSTInfo.
#[derive(Clone, Debug)]
pub(super) struct Info {
    pub(super) policy: Oid,
    pub(super) algorithm: NamedHash,
    pub(super) imprint: HashValue,
    /// Content of the INTEGER.
    pub(super) serial: Box<[u8]>,
    pub(super) gen_time: GenTime,
    pub(super) accuracy: Option<Duration>,
    /// Content of the INTEGER.
    pub(super) nonce: Option<Box<[u8]>>,
    /// The first critical extension. None is understood.
    pub(super) critical: Option<Oid>,
}

/// The time of a stamp, which may be finer than a millisecond: the milliseconds that it lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GenTime {
    pub(super) floor: Timestamp,
    pub(super) ceiling: Timestamp,
}

/// `TSTInfo ::= SEQUENCE { version, policy, messageImprint, serialNumber, genTime, accuracy OPTIONAL, ordering DEFAULT FALSE,
/// nonce OPTIONAL, tsa [0] OPTIONAL, extensions [1] OPTIONAL }`
pub(super) fn info(bytes: &[u8]) -> Result<Info, der::Error> {
    read_all(bytes, |reader| {
        reader.sequence(|fields| {
            version(fields, 1)?;
            let policy = oid(fields)?;
            let (algorithm, imprint) = fields.sequence(|fields| {
                Ok::<_, der::Error>((NamedHash::read(fields)?, HashValue::read(fields)?))
            })?;
            let serial = integer(fields)?.into();
            let gen_time = gen_time(content(fields, Tag::GeneralizedTime)?)?;
            let accuracy = optional(fields, Tag::Sequence)?.map(accuracy).transpose()?;
            ordering(fields)?;
            let nonce = next_is(fields, Tag::Integer)?.then(|| integer(fields)).transpose()?;
            optional(fields, constructed(0))?; // tsa: a hint at the signer, whom the kit knows
            let critical = optional(fields, constructed(1))?.map(critical).transpose()?.flatten();
            let nonce = nonce.map(Into::into);
            Ok(Info { policy, algorithm, imprint, serial, gen_time, accuracy, nonce, critical })
        })
    })
}

/// TRUE or nothing: FALSE is the default, which DER leaves out (X.690 section 11.5).
fn ordering(fields: &mut SliceReader<'_>) -> Result<(), der::Error> {
    match next_is(fields, Tag::Boolean)? && !fields.decode::<bool>()? {
        true => Err(Tag::Boolean.value_error().into()),
        false => Ok(()),
    }
}

/// `YYYYMMDDhhmmss[.f…]Z`: in UTC, with seconds; a fraction does not end in 0 (RFC 3161 section 2.4.2). There is no leap
/// second.
fn gen_time(content: &[u8]) -> Result<GenTime, der::Error> {
    read_gen_time(content).ok_or_else(|| Tag::GeneralizedTime.value_error().into())
}

fn read_gen_time(content: &[u8]) -> Option<GenTime> {
    let (whole, fraction) =
        std::str::from_utf8(content).ok()?.strip_suffix('Z')?.split_at_checked(14)?;
    let (millis, is_finer) =
        if fraction.is_empty() { (0, false) } else { read_fraction(fraction)? };
    let at = |from: usize, to: usize| whole.get(from..to);
    let (date, time) = ((at(0, 4)?, at(4, 6)?, at(6, 8)?), (at(8, 10)?, at(10, 12)?, at(12, 14)?));
    let text = format!("{}-{}-{}T{}:{}:{}Z", date.0, date.1, date.2, time.0, time.1, time.2);
    let floor = text.parse::<Timestamp>().ok()?.checked_add_millis(millis)?;
    let ceiling = floor.checked_add_millis(i64::from(is_finer))?;
    Some(GenTime { floor, ceiling })
}

/// Whole milliseconds, and whether there is more.
fn read_fraction(fraction: &str) -> Option<(i64, bool)> {
    let digits = fraction.strip_prefix('.')?.as_bytes();
    if !digits.iter().all(u8::is_ascii_digit) || matches!(digits.last(), None | Some(b'0')) {
        return None;
    }
    let digit = |at: usize| digits.get(at).map_or(0, |digit| i64::from(digit - b'0'));
    Some((digit(0) * 100 + digit(1) * 10 + digit(2), digits.len() > 3))
}

/// `Accuracy ::= SEQUENCE { seconds INTEGER OPTIONAL, millis [0] (1..999) OPTIONAL, micros [1] (1..999) OPTIONAL }`
fn accuracy(content: &[u8]) -> Result<Duration, der::Error> {
    read_all(content, |fields| {
        let seconds = if next_is(fields, Tag::Integer)? { fields.decode::<u32>()? } else { 0 };
        let millis = thousandths(fields, 0)?;
        let micros = thousandths(fields, 1)?;
        Ok(Duration::from_secs(seconds.into()) + Duration::from_micros(millis * 1000 + micros))
    })
}

/// A number from 1 to 999 in one or two bytes, or 0 when it is not there.
fn thousandths(fields: &mut SliceReader<'_>, number: u32) -> Result<u64, der::Error> {
    match optional(fields, primitive(number))? {
        None => Ok(0),
        Some([low @ 1..=0x7f]) => Ok((*low).into()),
        Some([0, low]) if *low > 0x7f => Ok((*low).into()),
        Some([high @ 1..=3, low]) if (*high, *low) <= (3, 231) => {
            Ok(u64::from(*high) * 256 + u64::from(*low))
        }
        Some(_) => Err(Tag::Integer.value_error().into()),
    }
}

/// The first critical one of `Extensions ::= SEQUENCE OF SEQUENCE { extnID, critical BOOLEAN DEFAULT FALSE, extnValue }`.
fn critical(content: &[u8]) -> Result<Option<Oid>, der::Error> {
    let mut found = None;
    let mut extensions = SliceReader::new(content)?;
    while !extensions.is_finished() {
        extensions.sequence(|fields| {
            let oid = oid(fields)?;
            let is_critical = next_is(fields, Tag::Boolean)? && fields.decode::<bool>()?;
            crate::asn1::content(fields, Tag::OctetString)?;
            if is_critical && found.is_none() {
                found = Some(oid);
            }
            Ok::<_, der::Error>(())
        })?;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, String)> {
        read_gen_time(text.as_bytes())
            .map(|time| (time.floor.to_string(), time.ceiling.to_string()))
    }

    #[test]
    fn times_lie_between_milliseconds() {
        for (text, floor, ceiling) in [
            ("20250601120000Z", "2025-06-01T12:00:00Z", "2025-06-01T12:00:00Z"),
            ("20250601120000.5Z", "2025-06-01T12:00:00.500Z", "2025-06-01T12:00:00.500Z"),
            ("20250601120000.123Z", "2025-06-01T12:00:00.123Z", "2025-06-01T12:00:00.123Z"),
            ("20250601120000.1230001Z", "2025-06-01T12:00:00.123Z", "2025-06-01T12:00:00.124Z"),
            ("20250601120000.000000001Z", "2025-06-01T12:00:00Z", "2025-06-01T12:00:00.001Z"),
            ("20251231235959.9999Z", "2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(read(text), Some((floor.to_owned(), ceiling.to_owned())), "{text}");
        }
    }

    #[test]
    fn times_have_one_spelling() {
        for text in [
            "",
            "Z",
            "20250601120000",
            "202506011200Z",
            "20250601120000+0000",
            "20250601120000z",
            "20250601120000.Z",
            "20250601120000.0Z",
            "20250601120000.10Z",
            "20250601120000,5Z",
            "20250601120000.5",
            "20250601120000.5aZ",
            "20250601120060Z",
            "20250229120000Z",
            "20251301120000Z",
            "00000101000000Z",
            "99991231235959.9999Z",
            "2025060112000éZ",
            "20250601120000 Z",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn accuracies_add_up() {
        let read = |content: &[u8]| accuracy(content).ok().map(|accuracy| accuracy.as_micros());
        assert_eq!(read(&[]), Some(0));
        assert_eq!(read(&[2, 1, 1]), Some(1_000_000));
        assert_eq!(read(&[2, 1, 1, 0x80, 2, 3, 231, 0x81, 1, 5]), Some(1_999_005));
        assert_eq!(read(&[0x81, 2, 0, 200]), Some(200));
        for bad in [
            &[2, 1, 0xff][..],
            &[2, 2, 0, 1],
            &[0x80, 1, 0],
            &[0x80, 1, 0x80],
            &[0x80, 2, 0, 1],
            &[0x80, 2, 3, 232],
            &[0x80, 2, 4, 0],
            &[0x81, 1, 1, 0x80, 1, 1],
            &[0xa0, 1, 1],
            &[5, 0],
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }
}
