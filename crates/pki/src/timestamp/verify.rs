//! A token against the authorities of a trust kit.

use std::time::Duration;

use genten_primitives::Timestamp;
use genten_primitives::signature::{Message, Scheme, verify};
use rustls_pki_types::alg_id;

use super::hash::{HashAlgorithm, HashValue};
use super::info::{GenTime, Info};
use super::{TimestampAuthority, TimestampError as E, TimestampPart, TimestampToken};
use crate::{Certificate, Oid, SignatureAlgorithm};

/// A timestamp that holds: an authority of the trust kit says that the bytes given existed at the time given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedTimestamp {
    gen_time: GenTime,
    accuracy: Option<Duration>,
    authority: usize,
    authority_name: String,
    serial: Box<[u8]>,
    policy: Oid,
}

impl VerifiedTimestamp {
    /// The time of the stamp, rounded up to a millisecond: the bytes existed then at the latest, but for the
    /// [`accuracy`](Self::accuracy).
    pub fn time(&self) -> Timestamp {
        self.gen_time.ceiling
    }

    /// By how much the authority's clock may be wrong, in either direction; `None` when it does not say.
    pub fn accuracy(&self) -> Option<Duration> {
        self.accuracy
    }

    /// The place of the authority in the list that was given.
    pub fn authority(&self) -> usize {
        self.authority
    }

    /// The name of the authority.
    pub fn authority_name(&self) -> &str {
        &self.authority_name
    }

    /// The token's serial number: content of the DER INTEGER. With the authority it tells a stamp apart (RFC 3161 section
    /// 2.4.2), whatever unsigned bytes are put around it.
    pub fn serial(&self) -> &[u8] {
        &self.serial
    }

    /// The policy under which the authority stamped.
    pub fn policy(&self) -> &Oid {
        &self.policy
    }
}

type Rule = fn(&TimestampToken, &TimestampAuthority) -> Result<(), E>;

/// What must hold between a token and an authority that it names as its signer, in order.
const RULES: [Rule; 7] = [
    |token, authority| token.check_embedded(authority),
    |token, _| token.check_content(),
    |token, authority| token.check_signing_certificates(authority),
    |token, authority| token.check_signature(authority),
    |token, authority| authority.check_validity(token.info.gen_time),
    |_, authority| authority.check_path(),
    |token, authority| authority.check_window(token.info.gen_time),
];

impl TimestampToken {
    /// Checks that an authority of the list stamped `message`, the stamped bytes themselves.
    ///
    /// # Errors
    /// The first rule that is broken; an error that is no contradiction ([`TimestampError::is_contradiction`]) comes after
    /// all that are, so that it hides none. Without the authority only the rules that need none are looked at. When the list
    /// holds several entries for the signer, one that holds is enough; otherwise the entry that comes furthest is reported.
    ///
    /// [`TimestampError::is_contradiction`]: E::is_contradiction
    pub fn verify(
        &self,
        message: &[u8],
        authorities: &[TimestampAuthority],
    ) -> Result<VerifiedTimestamp, E> {
        self.verify_imprint(authorities, &|algorithm| algorithm.hash(message))
    }

    /// As [`verify`](Self::verify), for whoever knows the message only by its hash.
    pub(super) fn verify_imprint(
        &self,
        authorities: &[TimestampAuthority],
        imprint: &dyn Fn(HashAlgorithm) -> HashValue,
    ) -> Result<VerifiedTimestamp, E> {
        let signed = self.verify_signer(authorities);
        match &signed {
            Err(error) if error.is_contradiction() => signed,
            Err(_) => {
                let own = [self.check_content(), self.check_algorithm()];
                first_of(own.into_iter().chain([self.check_imprint(imprint)]), signed)
            }
            Ok(_) => first_of([self.check_imprint(imprint)], signed),
        }
    }

    fn verify_signer(&self, authorities: &[TimestampAuthority]) -> Result<VerifiedTimestamp, E> {
        let mut refusal = None;
        for (index, authority) in authorities.iter().enumerate() {
            if !authority.is(&self.signer) {
                continue;
            }
            match self.check(authority) {
                Ok(()) => return Ok(self.verified(index, authority)),
                Err(error) => refusal = Some(more_telling(refusal, error)),
            }
        }
        Err(refusal.unwrap_or_else(|| E::UnknownAuthority { signer: self.claimed_signer() }))
    }

    fn check(&self, authority: &TimestampAuthority) -> Result<(), E> {
        first_of(RULES.iter().map(|rule| rule(self, authority)), Ok(()))
    }

    fn verified(&self, index: usize, authority: &TimestampAuthority) -> VerifiedTimestamp {
        let Info { gen_time, accuracy, serial, policy, .. } = self.info.clone();
        let authority_name = authority.name().to_owned();
        VerifiedTimestamp { gen_time, accuracy, authority: index, authority_name, serial, policy }
    }

    /// Embedded certificates are hints, and the signature is checked without them. Whoever goes by them must not be led to
    /// another signer: there is the authority's certificate, or none, and beside it only certificates of CAs.
    fn check_embedded(&self, authority: &TimestampAuthority) -> Result<(), E> {
        for (index, der) in self.embedded.iter().enumerate() {
            if authority.certificates().iter().any(|one| one.der() == &**der) {
                continue;
            }
            let stranger = Certificate::from_der(der)
                .map_err(|source| E::EmbeddedCertificate { index, source })?;
            self.check_stranger(&stranger, authority)?;
        }
        Ok(())
    }

    fn check_stranger(
        &self,
        stranger: &Certificate,
        authority: &TimestampAuthority,
    ) -> Result<(), E> {
        let found = stranger.sha256();
        let identity =
            super::identity::Identity::of(stranger).map_err(|error| E::malformed(&error))?;
        if identity.is(stranger, &self.signer) {
            let expected = authority.signer().sha256();
            return Err(E::EmbeddedSigner { expected, found });
        }
        if stranger.is_ca() { Ok(()) } else { Err(E::EmbeddedStranger { sha256: found }) }
    }

    fn check_content(&self) -> Result<(), E> {
        let algorithm = self.digest_algorithm.usable(TimestampPart::Content)?;
        let calculated = algorithm.hash(&self.content);
        match calculated == self.message_digest {
            true => Ok(()),
            false => {
                let expected = self.message_digest.clone();
                Err(E::MessageDigest { expected, calculated })
            }
        }
    }

    fn check_signing_certificates(&self, authority: &TimestampAuthority) -> Result<(), E> {
        self.certificates
            .iter()
            .try_for_each(|named| named.check(authority.signer(), &authority.identity))
    }

    fn check_signature(&self, authority: &TimestampAuthority) -> Result<(), E> {
        let hash = self.digest_algorithm.usable(TimestampPart::Content)?;
        let scheme = self.scheme(hash)?;
        let not_checkable =
            || E::SignatureNotCheckable { algorithm: SignatureAlgorithm::Known(scheme) };
        let key = authority.key.as_ref().ok_or_else(not_checkable)?;
        match verify(key, scheme, Message::Bytes(&self.signed), &self.signature) {
            Ok(()) => Ok(()),
            Err(error) if error.is_not_checkable() => Err(not_checkable()),
            Err(error) => Err(E::Signature(error)),
        }
    }

    /// How the token says that it is signed. rsaEncryption leaves the hash to the field beside it (RFC 3370 section 3.2).
    fn scheme(&self, hash: HashAlgorithm) -> Result<Scheme, E> {
        if *self.signature_algorithm == *alg_id::RSA_ENCRYPTION.as_ref() {
            return Ok(hash.rsa_scheme());
        }
        let algorithm = SignatureAlgorithm::from_identifier(&self.signature_algorithm)
            .map_err(|error| E::malformed(&error))?;
        match algorithm {
            SignatureAlgorithm::Weak(_) => Err(E::SignatureWeak { algorithm }),
            SignatureAlgorithm::Other(_) => Err(E::SignatureNotCheckable { algorithm }),
            SignatureAlgorithm::Known(scheme) => match HashAlgorithm::of_scheme(scheme) {
                Some(of_scheme) if of_scheme == hash => Ok(scheme),
                _ => Err(E::SignatureHash { algorithm, hash }),
            },
        }
    }

    /// What [`check_signature`](Self::check_signature) says without an authority.
    fn check_algorithm(&self) -> Result<(), E> {
        self.scheme(self.digest_algorithm.usable(TimestampPart::Content)?).map(drop)
    }

    fn check_imprint(&self, imprint: &dyn Fn(HashAlgorithm) -> HashValue) -> Result<(), E> {
        let algorithm = self.info.algorithm.usable(TimestampPart::Imprint)?;
        let (expected, calculated) = (self.info.imprint.clone(), imprint(algorithm));
        let found = expected.as_bytes().len();
        match calculated.as_bytes().len() {
            length if length != found => Err(E::ImprintLength { algorithm, found }),
            _ if calculated != expected => Err(E::Imprint { expected, calculated }),
            _ => Ok(()),
        }
    }
}

/// The first contradiction; otherwise the error of `last`, which is about the authority; otherwise the first shortfall.
fn first_of<T>(
    results: impl IntoIterator<Item = Result<(), E>>,
    last: Result<T, E>,
) -> Result<T, E> {
    let mut shortfall = None;
    for result in results {
        match result {
            Ok(()) => {}
            Err(error) if error.is_contradiction() => return Err(error),
            Err(error) => shortfall = shortfall.or(Some(error)),
        }
    }
    match (last, shortfall) {
        (Ok(_), Some(error)) => Err(error),
        (last, _) => last,
    }
}

fn more_telling(one: Option<E>, other: E) -> E {
    match one {
        Some(one) if one.stage() >= other.stage() => one,
        _ => other,
    }
}
