//! SHA-1 (FIPS 180-4 section 6.1), for the one place where an old timestamp cannot do without.
//!
//! The attribute signingCertificate (RFC 2634 section 5.4) names the signer's certificate by its SHA-1. Nothing rests on
//! that hash: the certificate comes from the trust kit, and the attribute can only speak against it.

/// The SHA-1 of `bytes`.
pub(super) fn sha1(bytes: &[u8]) -> [u8; 20] {
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let mut blocks = bytes.chunks_exact(64);
    for block in &mut blocks {
        compress(&mut state, block);
    }
    for block in padded(blocks.remainder(), bytes.len()).chunks_exact(64) {
        compress(&mut state, block);
    }
    let mut digest = [0; 20];
    for (four, word) in digest.chunks_exact_mut(4).zip(state) {
        four.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

/// The last bytes of a message of `length` bytes, filled up to whole blocks.
fn padded(rest: &[u8], length: usize) -> Vec<u8> {
    let mut padded = rest.to_vec();
    padded.push(0x80);
    padded.resize((rest.len() + 9).next_multiple_of(64) - 8, 0);
    padded.extend((length as u64 * 8).to_be_bytes());
    padded
}

fn compress(state: &mut [u32; 5], block: &[u8]) {
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (round, word) in schedule(block).into_iter().enumerate() {
        let (mix, constant) = match round / 20 {
            0 => ((b & c) | (!b & d), 0x5a82_7999),
            1 => (b ^ c ^ d, 0x6ed9_eba1),
            2 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
            _ => (b ^ c ^ d, 0xca62_c1d6_u32),
        };
        let next = [e, mix, constant, word].into_iter().fold(a.rotate_left(5), u32::wrapping_add);
        (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
    }
    for (word, add) in state.iter_mut().zip([a, b, c, d, e]) {
        *word = word.wrapping_add(add);
    }
}

fn schedule(block: &[u8]) -> [u32; 80] {
    let mut words = [0; 80];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for at in 16..80 {
        let mix = words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16];
        words[at] = mix.rotate_left(1);
    }
    words
}

#[cfg(test)]
mod tests {
    use genten_primitives::encoding::hex;

    use super::*;

    /// FIPS 180 and RFC 3174 section 7.3; the lengths cross the ends of blocks.
    #[test]
    fn known_answers() {
        let long = "a".repeat(1_000_000);
        for (message, digest) in [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            ),
            (long.as_str(), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        ] {
            assert_eq!(hex(&sha1(message.as_bytes())), digest);
        }
    }
}
