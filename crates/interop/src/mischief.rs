//! Tokens that a verifier of manifests must refuse, well signed wherever that is possible.

use genten_jws::{LocalSigner, SecretKey, Signature, Signer as _};
use genten_primitives::encoding::{base64url, from_base64url};

use crate::{PAYLOAD, header, token};

/// One bad token.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is wrong with it.
    pub name: &'static str,
    /// The token, in the compact form with its payload.
    pub token: String,
}

/// All bad tokens of one signer.
pub fn cases(signer: &LocalSigner) -> Vec<Case> {
    let mut cases = headers(signer);
    cases.extend(encodings(signer));
    cases.extend(signatures(signer));
    cases
}

/// Odd headers under good signatures.
fn headers(signer: &LocalSigner) -> Vec<Case> {
    let good = header(signer);
    let alg = format!(r#""alg":"{}""#, signer.key().algorithm());
    let typ = r#""typ":"provenance-manifest+jws""#;
    let attacker = LocalSigner::did_key(
        SecretKey::from_bytes(signer.key().algorithm(), &[9; 32]).expect("9 is a key"),
    );
    let jwk = attacker.public_key().to_jwk();
    let with = |members: &str| good.replace(typ, &format!("{members},{typ}"));
    let alg_is = |members: &str| good.replace(&alg, members);
    let odd = |name, header: String| Case { name, token: token(signer, &header) };
    vec![
        odd("alg none", alg_is(r#""alg":"none""#)),
        odd("alg None", alg_is(r#""alg":"None""#)),
        odd("alg missing", alg_is(r#""x":1"#)),
        odd("alg in lower case", alg_is(&alg.to_lowercase())),
        odd("alg of another key", alg_is(r#""alg":"ES384""#)),
        odd("alg HS256", alg_is(r#""alg":"HS256""#)),
        odd("alg null", alg_is(r#""alg":null"#)),
        odd("alg twice, none first", alg_is(&format!(r#""alg":"none",{alg}"#))),
        odd("alg twice, none last", alg_is(&format!(r#"{alg},"alg":"none""#))),
        odd("alg twice, once escaped", alg_is(&format!(r#""\u0061lg":"none",{alg}"#))),
        odd("crit unknown", with(r#""crit":["x"],"x":1"#)),
        odd("crit of an absent member", with(r#""crit":["x"]"#)),
        odd("crit of alg", with(r#""crit":["alg"]"#)),
        odd("crit empty", with(r#""crit":[]"#)),
        odd("crit no array", with(r#""crit":"x""#)),
        odd("crit of no strings", with(r#""crit":[1]"#)),
        odd("b64 false without crit", with(r#""b64":false"#)),
        odd("b64 true without crit", with(r#""b64":true"#)),
        odd("b64 false with crit", with(r#""b64":false,"crit":["b64"]"#)),
        odd("typ missing", good.replace(&format!(",{typ}"), "")),
        odd("typ JWT", good.replace(typ, r#""typ":"JWT""#)),
        odd("kid missing", good.replace(&format!(r#""kid":"{}","#, signer.key_id()), "")),
        odd("jwk", with(&format!(r#""jwk":{jwk}"#))),
        odd("jku", with(r#""jku":"https://attacker.example/jwks""#)),
        odd("x5u", with(r#""x5u":"https://attacker.example/x5u""#)),
        odd("unknown member", with(r#""zip":"DEF""#)),
        odd("header no object", "[]".to_owned()),
        odd("header with data behind it", format!("{good}{{}}")),
        odd("header after a byte order mark", format!("\u{feff}{good}")),
        Case {
            name: "key of the message itself",
            token: token(&attacker, &with(&format!(r#""jwk":{jwk}"#))),
        },
    ]
}

/// Good tokens in odd spellings.
fn encodings(signer: &LocalSigner) -> Vec<Case> {
    let good = token(signer, &header(signer));
    let mut parts = good.splitn(3, '.');
    let (Some(header), Some(payload), Some(signature)) = (parts.next(), parts.next(), parts.next())
    else {
        return Vec::new();
    };
    let odd = |name, token: String| Case { name, token };
    // 64 bytes need 86 characters: four bits of the last one are free.
    let last = signature.chars().last().unwrap_or_default();
    let free_bits = char::from_u32(last as u32 + 1).unwrap_or_default();
    vec![
        odd("padding after the signature", format!("{good}==")),
        odd("free bits of the signature set", format!("{}{free_bits}", &good[..good.len() - 1])),
        odd("space before", format!(" {good}")),
        odd("line feed behind", format!("{good}\n")),
        odd(
            "line feed within the signature",
            format!("{header}.{payload}.{}\n{}", &signature[..8], &signature[8..]),
        ),
        odd(
            "standard base64",
            format!("{header}.{payload}.{}", signature.replace('-', "+").replace('_', "/")),
        ),
        odd("two parts", format!("{header}.{payload}")),
        odd("four parts", format!("{good}.")),
        odd("another payload", format!("{header}.{}.{signature}", base64url(b"{}"))),
        odd("the header of another", good.replacen(header, &base64url(br#"{"alg":"ES256"}"#), 1)),
    ]
}

/// Numbers and lengths that no signature has.
fn signatures(signer: &LocalSigner) -> Vec<Case> {
    let input = format!("{}.{}", base64url(header(signer).as_bytes()), base64url(PAYLOAD));
    let good = signer.sign(input.as_bytes()).expect("a key in this process signs");
    let odd = |name, bytes: &[u8]| Case { name, token: format!("{input}.{}", base64url(bytes)) };
    let bytes = good.as_bytes();
    let mut cases = vec![
        odd("no signature", b""),
        odd("signature of zeros", &[0; 64]),
        odd("signature cut", &bytes[..63]),
        odd("signature and a byte more", &[bytes.as_slice(), &[0]].concat()),
        odd("signature of another message", &other_message(signer)),
    ];
    match signer.key().algorithm() {
        genten_jws::Algorithm::EdDsa => cases.push(odd("S plus the order", &plus_order(bytes))),
        genten_jws::Algorithm::Es256 => {
            cases.push(odd("DER", &good.to_der().expect("R and S are in range")));
        }
    }
    cases
}

fn other_message(signer: &LocalSigner) -> [u8; 64] {
    *signer.sign(b"another message").expect("a key in this process signs").as_bytes()
}

/// An Ed25519 signature whose S has the group's order added: the same number to a verifier that does not look.
fn plus_order(signature: &[u8; 64]) -> [u8; 64] {
    let order = from_base64url("7dP1XBpjEljWnPei3vneFAAAAAAAAAAAAAAAAAAAABA")
        .expect("the order, little endian");
    let mut sum = *signature;
    let mut carry = 0;
    for (byte, more) in sum[32..].iter_mut().zip(order) {
        let total = u16::from(*byte) + u16::from(more) + carry;
        *byte = total as u8;
        carry = total >> 8;
    }
    sum
}

/// The ES256 signature over the same bytes with n - S for S.
pub fn twin(signature: &Signature) -> Signature {
    const ORDER: [u8; 32] = [
        0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc,
        0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ];
    let mut bytes = *signature.as_bytes();
    let mut borrow = 0;
    for (byte, order) in bytes[32..].iter_mut().zip(ORDER).rev() {
        let difference = i16::from(order) - i16::from(*byte) - borrow;
        *byte = difference.rem_euclid(256) as u8;
        borrow = i16::from(difference < 0);
    }
    Signature::from_bytes(bytes)
}
