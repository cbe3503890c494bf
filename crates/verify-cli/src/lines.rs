//! Lists with any number of lines, read in pieces of bounded size.

use std::io::{self, Read};

use genten_verify::input::MAX_LINE_BYTES;
use memchr::{memchr, memchr_iter, memrchr};

/// How much is read and handed on at a time, about.
const PIECE: usize = 32 << 10;

/// Some whole lines, without the last line's end. Of a line above the limit only its start is kept.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The number of the first line, counted from 1.
    pub(crate) first_line: u64,
    /// Where the piece begins in the file.
    pub(crate) offset: u64,
    /// The lines.
    pub(crate) bytes: Vec<u8>,
}

impl Piece {
    /// The lines that are not blank: number, place in the file, text.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u64, u64, &[u8])> {
        let ends = memchr_iter(b'\n', &self.bytes).chain([self.bytes.len()]);
        let mut start = 0;
        let placed = ends.zip(self.first_line..).map(move |(end, number)| {
            let (line, at) = (&self.bytes[start..end], self.offset + start as u64);
            start = end + 1;
            (number, at, line)
        });
        placed.filter(|(_, _, line)| !line.trim_ascii().is_empty())
    }
}

/// Cuts a reader into pieces.
pub(crate) struct Pieces {
    reader: Box<dyn Read + Send>,
    portion: Box<[u8]>,
    buffer: Vec<u8>,
    /// How much of the buffer is known to hold no line end.
    searched: usize,
    next_line: u64,
    offset: u64,
    /// Inside a line whose start was handed on already.
    in_long_line: bool,
    ended: bool,
}

impl Pieces {
    /// The lines of what was read already and what follows in the reader.
    pub(crate) fn new(start: Vec<u8>, reader: Box<dyn Read + Send>) -> Self {
        Self {
            reader,
            portion: vec![0; PIECE].into(),
            buffer: start,
            searched: 0,
            next_line: 1,
            offset: 0,
            in_long_line: false,
            ended: false,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        let read = read_some(&mut self.reader, &mut self.portion)?;
        self.buffer.extend_from_slice(&self.portion[..read]);
        self.ended = read == 0;
        Ok(())
    }

    /// Where the next piece ends: behind the last line that fits, or else the first.
    fn cut(&mut self) -> Option<usize> {
        let fits = self.buffer.len().min(PIECE).max(self.searched);
        let last = memrchr(b'\n', &self.buffer[self.searched..fits]);
        let first = || memchr(b'\n', &self.buffer[fits..]).map(|at| fits + at);
        let cut = last.map(|at| self.searched + at).or_else(first);
        self.searched = self.buffer.len();
        cut
    }

    /// Takes bytes out of the buffer, and the line end behind them where there is one.
    fn take(&mut self, length: usize, with_end: bool) -> Piece {
        let piece = Piece {
            first_line: self.next_line,
            offset: self.offset,
            bytes: self.buffer[..length].to_vec(),
        };
        let used = length + usize::from(with_end);
        self.next_line += memchr_iter(b'\n', &self.buffer[..used]).count() as u64;
        self.offset += used as u64;
        self.buffer.drain(..used);
        self.searched = 0;
        piece
    }

    /// The next piece, as far as the buffer gives one.
    fn piece(&mut self) -> Option<Piece> {
        if self.in_long_line {
            self.skip_long_line();
        }
        if let Some(length) = self.cut() {
            return Some(self.take(length, true));
        }
        if self.buffer.len() > MAX_LINE_BYTES {
            self.in_long_line = true;
            return Some(self.take(MAX_LINE_BYTES + 1, false));
        }
        let is_rest = self.ended && !self.buffer.is_empty();
        is_rest.then(|| self.take(self.buffer.len(), false))
    }

    /// Drops the rest of a line that is too long, as far as it was read.
    fn skip_long_line(&mut self) {
        let end = memchr(b'\n', &self.buffer);
        self.in_long_line = end.is_none();
        let length = end.unwrap_or(self.buffer.len());
        self.take(length, end.is_some());
    }
}

impl Iterator for Pieces {
    type Item = io::Result<Piece>;

    fn next(&mut self) -> Option<io::Result<Piece>> {
        loop {
            if let Some(piece) = self.piece() {
                return Some(Ok(piece));
            }
            if self.ended {
                return None;
            }
            if let Err(error) = self.fill() {
                self.ended = true;
                self.take(self.buffer.len(), false); // a line that was read in part only says nothing
                return Some(Err(error));
            }
        }
    }
}

/// One read, tried again when a signal came between.
pub(crate) fn read_some(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out its bytes in portions of one size.
    struct Drops(io::Cursor<Vec<u8>>, usize);

    impl Read for Drops {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(self.1);
            self.0.read(&mut buffer[..length])
        }
    }

    fn lines(text: &[u8], started: usize, portion: usize) -> Vec<(u64, u64, Vec<u8>)> {
        let rest = io::Cursor::new(text[started..].to_vec());
        let pieces = Pieces::new(text[..started].to_vec(), Box::new(Drops(rest, portion)));
        let lines = |piece: Piece| {
            piece.lines().map(|(n, at, line)| (n, at, line.to_vec())).collect::<Vec<_>>()
        };
        pieces.flat_map(|piece| lines(piece.unwrap())).collect()
    }

    #[test]
    fn lines_keep_number_and_place_however_they_arrive() {
        let text: Vec<u8> = (0..3000_u32)
            .flat_map(|n| match n % 5 {
                0 => b"\n".to_vec(),
                _ => format!("{}\n", "x".repeat((n % 97) as usize)).into_bytes(),
            })
            .chain(*b"last")
            .collect();
        let expected = lines(&text, 0, text.len());
        assert_eq!(expected.last().unwrap().2, b"last");
        for (n, at, line) in &expected {
            assert!(text[*at as usize..].starts_with(line));
            let before = text[..*at as usize].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(*n, before as u64 + 1);
        }
        for portion in [1, 7, PIECE - 1, PIECE, PIECE + 1] {
            for started in [0, 1, 50_000, text.len()] {
                assert_eq!(lines(&text, started, portion), expected, "{portion} {started}");
            }
        }
    }

    #[test]
    fn of_a_line_without_end_only_the_start_is_kept() {
        let long = vec![b'y'; 3 * MAX_LINE_BYTES];
        let text = [b"a\n", long.as_slice(), b"\nb\n", &long].concat();
        let found = lines(&text, 0, 1 << 16);
        let shape: Vec<_> = found.iter().map(|(n, _, line)| (*n, line.len())).collect();
        assert_eq!(shape, [(1, 1), (2, MAX_LINE_BYTES + 1), (3, 1), (4, MAX_LINE_BYTES + 1)]);
        assert_eq!(found[2].1, 3 + long.len() as u64);
    }

    #[test]
    fn a_list_that_breaks_off_ends_with_the_error() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        let mut pieces = Pieces::new(b"whole\nhal".to_vec(), Box::new(Broken));
        assert_eq!(pieces.next().unwrap().unwrap().bytes, b"whole");
        assert!(pieces.next().unwrap().is_err());
        assert!(pieces.next().is_none());
    }
}
