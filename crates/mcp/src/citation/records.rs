//! The three lists of the contract, field by field.

use super::json::{Json, Object};

/// One statement of an answer.
#[derive(Clone, Copy)]
pub(super) struct Claim<'j> {
    pub(super) id: &'j str,
    pub(super) text: &'j str,
    pub(super) citation_id: &'j str,
}

/// One document that is at hand.
#[derive(Clone, Copy)]
pub(super) struct Source<'j> {
    pub(super) id: &'j str,
    pub(super) content: &'j str,
}

/// What a reviewer has found.
#[derive(Clone, Copy)]
pub(super) struct Review<'j> {
    pub(super) claim_id: &'j str,
    pub(super) fingerprint: &'j str,
    pub(super) is_supported: bool,
}

/// The list under the one member `key` of a file; each item has these members and no others.
pub(super) fn list<'j>(
    file: &'j Json,
    key: &str,
    members: &[&str],
) -> Result<Vec<&'j Object>, String> {
    let list = match file {
        Json::Object(file) if file.len() == 1 => file.get(&Some(key.to_owned())),
        _ => None,
    };
    let list = list.ok_or_else(|| format!("{key}: 最上位のキーが不正です"))?;
    let Json::List(list) = list else { return Err(format!("{key}: 配列が必要です")) };
    let has_all = |item: &Object| {
        item.len() == members.len()
            && members.iter().all(|name| item.contains_key(&Some((*name).to_owned())))
    };
    let items = list.iter().enumerate().map(|(number, item)| match item {
        Json::Object(item) if has_all(item) => Ok(item),
        _ => Err(format!("{key}[{number}]: 項目が不正です")),
    });
    items.collect()
}

pub(super) fn claims<'j>(list: &[&'j Object]) -> Result<Vec<Claim<'j>>, String> {
    if list.is_empty() {
        return Err("claims: 主張が空です".to_owned());
    }
    let claim = |item: &&'j Object| {
        let (id, citation_id) = (identifier(item, "id")?, identifier(item, "citation_id")?);
        Some(Claim { id, citation_id, text: words(item, "text")? })
    };
    let claims = list.iter().map(claim).collect::<Option<_>>();
    claims.ok_or_else(|| "claims: 主張または引用 ID が不正です".to_owned())
}

pub(super) fn sources<'j>(list: &[&'j Object]) -> Result<Vec<Source<'j>>, String> {
    let source = |item: &&'j Object| {
        Some(Source { id: identifier(item, "id")?, content: words(item, "content")? })
    };
    let sources = list.iter().map(source).collect::<Option<_>>();
    sources.ok_or_else(|| "sources: 資料が不正です".to_owned())
}

pub(super) fn reviews<'j>(list: &[&'j Object]) -> Result<Vec<Review<'j>>, String> {
    let review = |item: &&'j Object| {
        let is_supported = match text(item, "verdict")? {
            "supported" => true,
            "unsupported" => false,
            _ => return None,
        };
        let claim_id = identifier(item, "claim_id")?;
        Some(Review { claim_id, fingerprint: digest(item, "fingerprint")?, is_supported })
    };
    let reviews = list.iter().map(review).collect::<Option<_>>();
    reviews.ok_or_else(|| "reviews: 確認結果が不正です".to_owned())
}

/// A string of whole characters.
fn text<'j>(item: &'j Object, name: &str) -> Option<&'j str> {
    match item.get(&Some(name.to_owned()))? {
        Json::Text(text) => text.as_deref(),
        _ => None,
    }
}

/// ASCII letters, digits, `_` and `-`, beginning with a letter or digit.
fn identifier<'j>(item: &'j Object, name: &str) -> Option<&'j str> {
    text(item, name).filter(|id| {
        let is_good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        id.bytes().all(is_good) && id.bytes().next().is_some_and(|it| it.is_ascii_alphanumeric())
    })
}

/// A text with something in it beside white space.
fn words<'j>(item: &'j Object, name: &str) -> Option<&'j str> {
    text(item, name).filter(|text| !is_blank(text))
}

/// Nothing but white space, as Python sees it: U+001C to U+001F too, but not U+200B.
pub(super) fn is_blank(text: &str) -> bool {
    let is_space = |one: char| one.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&one);
    text.chars().all(is_space)
}

/// 64 digits of lower case.
fn digest<'j>(item: &'j Object, name: &str) -> Option<&'j str> {
    text(item, name).filter(|text| {
        text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}
