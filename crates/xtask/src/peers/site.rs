//! A small HTTP server: files of a folder, and where it fronts a log, its entries too.

use std::error::Error;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::http;

/// Serves until the program ends.
pub(super) struct Site {
    port: u16,
    folder: PathBuf,
}

/// What a site has.
struct Served {
    /// What stands before the names of files.
    prefix: &'static str,
    folder: PathBuf,
    /// The port to which whatever is posted is handed on.
    behind: Option<u16>,
}

impl Site {
    /// The files of a folder, which is made where it is missing.
    pub(super) fn of_folder(folder: &Path) -> Result<Self, Box<dyn Error>> {
        fs::create_dir_all(folder)?;
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let served = Served { prefix: "/", folder: folder.to_owned(), behind: None };
        Self::serve(listener, served)
    }

    /// One address for reading and writing a log, as public logs have: tiles from a folder, entries to the server behind.
    pub(super) fn of_log(
        listener: TcpListener,
        tiles: &Path,
        behind: u16,
    ) -> Result<Self, Box<dyn Error>> {
        let (prefix, folder) = ("/api/v2/", tiles.to_owned());
        Self::serve(listener, Served { prefix, folder, behind: Some(behind) })
    }

    fn serve(listener: TcpListener, served: Served) -> Result<Self, Box<dyn Error>> {
        let (port, folder) = (listener.local_addr()?.port(), served.folder.clone());
        let served = Arc::new(served);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let served = Arc::clone(&served);
                // Whoever breaks a connection off gets no answer.
                std::thread::spawn(move || served.answer(stream).ok());
            }
        });
        Ok(Self { port, folder })
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Publishes a file; gives its URL.
    pub(super) fn publish(&self, name: &str, text: &str) -> Result<String, Box<dyn Error>> {
        fs::write(self.folder.join(name), text)?;
        Ok(format!("{}/{name}", self.url()))
    }
}

impl Served {
    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(&stream);
        let (mut line, mut length) = (String::new(), 0);
        reader.read_line(&mut line)?;
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            match header.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().unwrap_or(0);
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let (head, bytes) = match line.split(' ').collect::<Vec<_>>()[..] {
            ["GET", path, _] => self.file(path),
            ["POST", path, _] => self.handed_on(path, &body),
            _ => ("501 Not Implemented".to_owned(), Vec::new()),
        };
        let length = bytes.len();
        write!(stream, "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n")?;
        stream.write_all(&bytes)
    }

    fn file(&self, path: &str) -> (String, Vec<u8>) {
        let name = path.strip_prefix(self.prefix).map(Path::new);
        let is_below = |name: &&Path| {
            name.components().all(|component| matches!(component, Component::Normal(_)))
        };
        match name.filter(is_below).map(|name| fs::read(self.folder.join(name))) {
            Some(Ok(bytes)) => ("200 OK".to_owned(), bytes),
            _ => ("404 Not Found".to_owned(), Vec::new()),
        }
    }

    fn handed_on(&self, path: &str, body: &[u8]) -> (String, Vec<u8>) {
        let sent = self.behind.map(|port| http::send("POST", port, path, "application/json", body));
        match sent {
            Some(Ok(answer)) => (answer.head, answer.body),
            Some(Err(_)) => ("502 Bad Gateway".to_owned(), Vec::new()),
            None => ("405 Method Not Allowed".to_owned(), Vec::new()),
        }
    }
}
