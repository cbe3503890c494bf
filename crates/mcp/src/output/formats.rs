//! The formats of the contract, asserted: JSON Schema alone leaves it to each validator whether they are more than a word.

/// `date-time` of RFC 3339 section 5.6: any offset, any fraction, and a leap second where there can be one.
pub(super) fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_at_checked(10) else { return false };
    is_date(date) && time.strip_prefix(['T', 't']).is_some_and(is_time)
}

/// `full-date` of RFC 3339: a day that there is.
pub(super) fn is_date(text: &str) -> bool {
    day(text).is_some()
}

pub(super) fn day(text: &str) -> Option<jiff::civil::Date> {
    let bytes = text.as_bytes();
    let fits = |(byte, want): (&u8, &u8)| match want {
        b'd' => byte.is_ascii_digit(),
        _ => byte == want,
    };
    let is_shaped = bytes.len() == 10 && bytes.iter().zip(b"dddd-dd-dd").all(fits);
    let year = is_shaped.then(|| text[..4].parse().ok())??;
    jiff::civil::Date::new(year, text[5..7].parse().ok()?, text[8..].parse().ok()?).ok()
}

/// `HH:MM:SS`, a fraction, and `Z` or an offset.
fn is_time(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked(8) else { return false };
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let rest = fraction.trim_start_matches(|one: char| one.is_ascii_digit());
            if rest.len() == fraction.len() {
                return false;
            }
            rest
        }
        None => rest,
    };
    let (Some(minutes), Some(second)) = (minutes(&clock[..5]), clock.strip_prefix(&clock[..5]))
    else {
        return false;
    };
    let (Some(offset), Some(second)) = (offset(rest), second.strip_prefix(':').and_then(two))
    else {
        return false;
    };
    let in_utc = (minutes - offset).rem_euclid(24 * 60);
    second < 60 || (second == 60 && in_utc == 24 * 60 - 1)
}

/// Minutes east of UTC.
fn offset(text: &str) -> Option<i32> {
    match text {
        "Z" | "z" => Some(0),
        _ => match text.split_at_checked(1)? {
            ("+", rest) => minutes(rest),
            ("-", rest) => minutes(rest).map(|minutes| -minutes),
            _ => None,
        },
    }
}

/// `HH:MM` as minutes.
fn minutes(text: &str) -> Option<i32> {
    let (hours, minutes) = text.split_once(':')?;
    let (hours, minutes) = (two(hours)?, two(minutes)?);
    (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
}

fn two(digits: &str) -> Option<i32> {
    let is_two = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_two.then(|| digits.parse().ok())?
}

/// `uri` of RFC 3986 section 3: absolute, ASCII, percent signs with their digits; one that programs can take apart.
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.bytes().enumerate().all(|(at, byte)| match byte {
        b'+' | b'-' | b'.' | b'0'..=b'9' => at > 0,
        _ => byte.is_ascii_alphabetic(),
    });
    let is_known =
        |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    let mut parts = rest.split('%').skip(1);
    let is_escaped = parts
        .all(|part| part.len() >= 2 && part.bytes().take(2).all(|digit| digit.is_ascii_hexdigit()));
    let has_one_fragment = rest.matches('#').count() <= 1;
    !scheme.is_empty()
        && is_scheme
        && rest.bytes().all(is_known)
        && is_escaped
        && has_one_fragment
        && !has_stray_brackets(rest)
        && url::Url::parse(text).is_ok()
}

/// Brackets stand around an address, and nowhere else.
fn has_stray_brackets(rest: &str) -> bool {
    let authority = rest.strip_prefix("//").unwrap_or_default();
    let length = authority.find(['/', '?', '#']).unwrap_or(authority.len());
    let (authority, path) = authority.split_at(length);
    let elsewhere = if rest.starts_with("//") { path } else { rest };
    let host = authority.rsplit('@').next().unwrap_or_default();
    let before = &authority[..authority.len() - host.len()];
    let inside = host.strip_prefix('[').and_then(|host| host.split_once(']'));
    let (name, port) = inside.unwrap_or(("", host));
    [elsewhere, before, name, port].iter().any(|part| part.contains(['[', ']']))
}
