//! The two numbers of an RSA public key (RFC 8017 appendix A.1.1).

use der::asn1::UintRef;
use der::{Decode, DecodeValue, Encode, EncodeValue, Header, Length, Reader, Sequence, Writer};

use super::KeyError;

/// Modulus and exponent, big-endian without leading zeros.
pub(crate) struct RsaNumbers {
    modulus: Vec<u8>,
    exponent: Vec<u8>,
}

impl RsaNumbers {
    /// Odd modulus of 2048 to 8192 bits, odd exponent from 3 to 33 bits: what AWS-LC can check signatures with.
    pub(super) fn new(modulus: &[u8], exponent: &[u8]) -> Result<Self, KeyError> {
        let bits = bit_length(modulus);
        if !(2048..=8192).contains(&bits) || !is_odd(modulus) || modulus[0] == 0 {
            return Err(KeyError::RsaModulus { bits });
        }
        let length = bit_length(exponent);
        if !(2..=33).contains(&length) || !is_odd(exponent) || exponent[0] == 0 {
            return Err(KeyError::RsaExponent);
        }
        Ok(Self { modulus: modulus.to_vec(), exponent: exponent.to_vec() })
    }

    /// From the DER of an RSAPublicKey.
    pub(super) fn from_pkcs1(der: &[u8]) -> Result<Self, KeyError> {
        let key = Pkcs1::from_der(der)
            .map_err(|error| KeyError::Pkcs1Der { offset: super::spki::offset(&error) })?;
        Self::new(key.modulus.as_bytes(), key.exponent.as_bytes())
    }

    pub(super) fn to_pkcs1(&self) -> Result<Vec<u8>, der::Error> {
        let modulus = UintRef::new(&self.modulus)?;
        let exponent = UintRef::new(&self.exponent)?;
        Pkcs1 { modulus, exponent }.to_der()
    }

    pub(super) fn bits(&self) -> u16 {
        u16::try_from(bit_length(&self.modulus)).expect("a modulus has at most 8192 bits")
    }

    pub(super) fn modulus(&self) -> &[u8] {
        &self.modulus
    }

    pub(super) fn exponent(&self) -> &[u8] {
        &self.exponent
    }
}

fn bit_length(number: &[u8]) -> usize {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    match number.get(zeros) {
        Some(first) => (number.len() - zeros) * 8 - first.leading_zeros() as usize,
        None => 0,
    }
}

fn is_odd(number: &[u8]) -> bool {
    number.last().is_some_and(|byte| byte & 1 == 1)
}

/// `RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }`
struct Pkcs1<'k> {
    modulus: UintRef<'k>,
    exponent: UintRef<'k>,
}

impl<'k> DecodeValue<'k> for Pkcs1<'k> {
    type Error = der::Error;

    fn decode_value<R: Reader<'k>>(reader: &mut R, _: Header) -> Result<Self, der::Error> {
        Ok(Self { modulus: reader.decode()?, exponent: reader.decode()? })
    }
}

impl EncodeValue for Pkcs1<'_> {
    fn value_len(&self) -> Result<Length, der::Error> {
        self.modulus.encoded_len()? + self.exponent.encoded_len()?
    }

    fn encode_value(&self, writer: &mut impl Writer) -> Result<(), der::Error> {
        self.modulus.encode(writer)?;
        self.exponent.encode(writer)
    }
}

impl<'k> Sequence<'k> for Pkcs1<'k> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn modulus(bytes: usize) -> Vec<u8> {
        let mut number = vec![0xff; bytes];
        number[0] = 0x80;
        number
    }

    #[test]
    fn rules_of_the_numbers() {
        let e = [1, 0, 1];
        assert_eq!(RsaNumbers::new(&modulus(256), &e).map(|key| key.bits()).ok(), Some(2048));
        assert_eq!(RsaNumbers::new(&modulus(1024), &[3]).map(|key| key.bits()).ok(), Some(8192));
        let modulus_error = |n: &[u8], bits| {
            assert_eq!(RsaNumbers::new(n, &e).err(), Some(KeyError::RsaModulus { bits }));
        };
        modulus_error(&modulus(128), 1024);
        modulus_error(&modulus(1025), 8200);
        modulus_error(&[&[0x7f], &modulus(256)[1..]].concat(), 2047);
        modulus_error(&[&[0], modulus(256).as_slice()].concat(), 2048);
        modulus_error(&[&modulus(255), [0xfe].as_slice()].concat(), 2048);
        modulus_error(&[], 0);
        for bad in [&[][..], &[1], &[2], &[0, 3], &[2, 0, 0, 0, 1], &[1, 0, 0]] {
            let error = RsaNumbers::new(&modulus(256), bad).err();
            assert_eq!(error, Some(KeyError::RsaExponent), "{bad:?}");
        }
        assert!(RsaNumbers::new(&modulus(256), &[1, 0, 0, 0, 1]).is_ok(), "33 bits");
    }
}
