//! The coding `deflate`, in both of its readings.

use std::io::{self, Write};

use flate2::{Decompress, FlushDecompress, Status};

use super::{Link, PIECE};

/// The coding `deflate`: the zlib format (RFC 1950), or raw deflate data (RFC 1951), which some servers send instead.
pub(super) struct Inflate {
    /// The first two bytes tell the formats apart; until both are there, the data waits here.
    waiting: Vec<u8>,
    inflater: Option<Decompress>,
    has_ended: bool,
    next: Link,
}

impl Inflate {
    pub(super) fn new(next: Link) -> Self {
        Self { waiting: Vec::new(), inflater: None, has_ended: false, next }
    }

    pub(super) fn finish(self) -> io::Result<Link> {
        if self.has_ended { Ok(self.next) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn inflate(&mut self, mut input: &[u8], zlib: bool) -> io::Result<()> {
        let inflater = self.inflater.get_or_insert_with(|| Decompress::new(zlib));
        let mut output = [0; PIECE];
        while !self.has_ended {
            let (had, made) = (inflater.total_in(), inflater.total_out());
            let status = inflater.decompress(input, &mut output, FlushDecompress::None)?;
            let used = (inflater.total_in() - had) as usize;
            let fresh = (inflater.total_out() - made) as usize;
            input = &input[used..];
            self.next.write_all(&output[..fresh])?;
            self.has_ended = status == Status::StreamEnd;
            if input.is_empty() && fresh < output.len() {
                return Ok(());
            }
            if used == 0 && fresh == 0 && !self.has_ended {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
        if input.is_empty() { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
    }
}

impl Write for Inflate {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.inflater.is_some() {
            self.inflate(bytes, false)?;
            return Ok(bytes.len());
        }
        self.waiting.extend_from_slice(bytes);
        if let [first, second, ..] = self.waiting[..] {
            let waiting = std::mem::take(&mut self.waiting);
            self.inflate(&waiting, is_zlib(first, second))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A zlib header: method 8, and a check that makes both bytes a multiple of 31 (RFC 1950 section 2.2).
fn is_zlib(first: u8, second: u8) -> bool {
    first & 0x0f == 8 && (u16::from(first) << 8 | u16::from(second)) % 31 == 0
}
