//! Numbers as logs write them: ASCII decimal without sign, spaces or leading zeros, at most 2^63 - 1.

/// The largest number that any log may use, so that signed and unsigned implementations agree.
pub(crate) const MAX: u64 = i64::MAX as u64;

/// The number, if this is its one spelling.
pub(crate) fn read(text: &str) -> Option<u64> {
    let digits = text.as_bytes();
    if digits.is_empty() || (digits.len() > 1 && digits[0] == b'0') {
        return None;
    }
    let mut number = 0_u64;
    for digit in digits {
        let value = u64::from(digit.checked_sub(b'0').filter(|value| *value < 10)?);
        number = number.checked_mul(10)?.checked_add(value)?;
    }
    (number <= MAX).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_spelling() {
        for good in [0, 1, 10, 4_026_479, MAX] {
            assert_eq!(read(&good.to_string()), Some(good));
        }
        for bad in [
            "",
            "00",
            "01",
            "+1",
            "-1",
            " 1",
            "1 ",
            "0x1",
            "1e3",
            "1_0",
            "٣",
            "9223372036854775808",
            "18446744073709551616",
            "99999999999999999999999999",
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }
}
