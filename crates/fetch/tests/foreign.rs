//! The recorder against servers of other makers, compared with the tools that a sceptic would use.
//!
//! Each test says that it skipped when its server is not installed (`python3`, `nginx`, `node`, `openssl`, `sha256sum`).

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a helper of a test may panic like the test")]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use genten_fetch::{
    Alpn, Completeness, Cut, Exchange, FetchError, Protocol, Recorder, Request, Sink,
};
use genten_testkit::Authority;

/// A folder with a site's files, its certificate and key, and the authority's root.
struct Site {
    folder: tempfile::TempDir,
    authority: Authority,
    port: u16,
}

impl Site {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let authority = Authority::new("Test Root").unwrap();
        let identity = authority.issue_for("localhost").unwrap();
        std::fs::write(folder.path().join("cert.pem"), identity.leaf_pem()).unwrap();
        std::fs::write(folder.path().join("key.pem"), identity.key_pem()).unwrap();
        std::fs::create_dir(folder.path().join("www")).unwrap();
        std::fs::write(folder.path().join("www/doc.txt"), document()).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { folder, authority, port }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.port)
    }

    fn recorder(&self, alpn: Alpn) -> Recorder {
        let builder = Recorder::builder().root_pem(self.authority.root_pem()).unwrap();
        builder.alpn(alpn).build().unwrap()
    }

    /// Starts a server and waits until it listens; `None` when it is not installed.
    async fn serve(&self, command: &mut Command) -> Option<Server> {
        let name = command.get_program().to_string_lossy().into_owned();
        let Ok(child) = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn() else {
            eprintln!("SKIPPED: {name} is not installed");
            return None;
        };
        let mut server = Server(child);
        while !is_served(self.port).await {
            if let Some(status) = server.0.try_wait().unwrap() {
                let mut text = String::new();
                let stderr = server.0.stderr.as_mut().unwrap();
                std::io::Read::read_to_string(stderr, &mut text).unwrap();
                panic!("{name} ended with {status}: {text}");
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Some(server)
    }

    /// The exchange has the digest that `sha256sum` has of the file, and the fingerprint that `openssl` has of the
    /// certificate.
    fn compare(&self, exchange: &Exchange, received: &Path) {
        let digest = output(Command::new("sha256sum").arg(received));
        if let Some(digest) = digest {
            assert_eq!(exchange.content_sha256.to_string(), digest[..64]);
        }
        let mut openssl = Command::new("openssl");
        openssl.args(["x509", "-noout", "-fingerprint", "-sha256", "-in"]);
        if let Some(shown) = output(openssl.arg(self.path("cert.pem"))) {
            let fingerprint = shown.trim().split('=').nth(1).unwrap().replace(':', "");
            let tls = exchange.tls.as_ref().unwrap();
            assert_eq!(tls.leaf_sha256.to_string(), fingerprint.to_lowercase());
        }
    }
}

/// Whether somebody listens who waits for a handshake. A server that is still starting may drop a connection at once.
async fn is_served(port: u16) -> bool {
    let Ok(mut stream) = tokio::net::TcpStream::connect(("127.0.0.1", port)).await else {
        return false;
    };
    let mut byte = [0];
    let dropped = tokio::io::AsyncReadExt::read(&mut stream, &mut byte);
    tokio::time::timeout(Duration::from_millis(100), dropped).await.is_err()
}

fn document() -> Vec<u8> {
    (0..40_000_u32).flat_map(|n| format!("line {n} of the document\n").into_bytes()).collect()
}

fn output(command: &mut Command) -> Option<String> {
    match command.output() {
        Ok(output) => {
            assert!(output.status.success(), "{output:?}");
            Some(String::from_utf8(output.stdout).unwrap())
        }
        Err(_) => {
            eprintln!("SKIPPED: {:?} is not installed", command.get_program());
            None
        }
    }
}

/// A server's process; it ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // Errors mean that it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn fetch(recorder: &Recorder, request: Request, path: &Path) -> Exchange {
    recorder.fetch(request, Sink::File(path.to_owned())).await.unwrap()
}

#[tokio::test]
async fn python() {
    let site = Site::new();
    let program = "
import functools, http.server, ssl, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory='www')
server = http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain('cert.pem', 'key.pem')
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
";
    let mut command = Command::new("python3");
    command.args(["-c", program, &site.port.to_string()]).current_dir(site.folder.path());
    let Some(_server) = site.serve(&mut command).await else { return };
    let received = site.path("received");
    let request = Request::get(site.url("/doc.txt"));
    let exchange = fetch(&site.recorder(Alpn::Both), request, &received).await;
    assert_eq!(std::fs::read(&received).unwrap(), document());
    assert_eq!(exchange.completeness, Completeness::Complete);
    assert_eq!(exchange.protocol, Protocol::Http1);
    site.compare(&exchange, &received);
    let missing = Request::get(site.url("/no"));
    let exchange = site.recorder(Alpn::Both).fetch(missing, Sink::Discard).await.unwrap();
    assert_eq!(exchange.status, 404);
}

#[tokio::test]
async fn nginx() {
    let site = Site::new();
    let config = format!(
        "daemon off; master_process off; pid nginx.pid; error_log stderr warn; events {{}}
        http {{
            access_log off; gzip on; gzip_types *; default_type text/plain;
            client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4;
            scgi_temp_path t5;
            server {{
                listen 127.0.0.1:{} ssl http2; server_name localhost; root www;
                ssl_certificate {}; ssl_certificate_key {};
                location = /old {{ return 301 /doc.txt; }}
            }}
        }}",
        site.port,
        site.path("cert.pem").display(),
        site.path("key.pem").display(),
    );
    std::fs::write(site.path("nginx.conf"), config).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-p").arg(site.folder.path()).arg("-c").arg(site.path("nginx.conf"));
    let Some(_server) = site.serve(&mut command).await else { return };
    for (alpn, protocol) in [(Alpn::Http1, Protocol::Http1), (Alpn::Http2, Protocol::Http2)] {
        let recorder = site.recorder(alpn);
        let received = site.path("received");
        let exchange = fetch(&recorder, Request::get(site.url("/old")), &received).await;
        assert_eq!(std::fs::read(&received).unwrap(), document());
        assert_eq!((exchange.protocol, exchange.hops.len()), (protocol, 1));
        assert_eq!(exchange.completeness, Completeness::Complete);
        site.compare(&exchange, &received);
        let plain = exchange.content_sha256;

        let request = Request::get(site.url("/doc.txt")).header("accept-encoding", "gzip");
        let exchange = fetch(&recorder, request, &received).await;
        assert_eq!(exchange.fields.content_encoding().as_deref(), Some("gzip"));
        assert_ne!(exchange.content_sha256, plain);
        assert_eq!(exchange.decoded_sha256(), Some(plain));
        assert_eq!(exchange.completeness, Completeness::Complete);
        site.compare(&exchange, &received);

        let request = Request::get(site.url("/doc.txt")).range(5..=14);
        let exchange = fetch(&recorder, request, &received).await;
        let range = format!("bytes 5-14/{}", document().len());
        assert_eq!((exchange.status, exchange.range), (206, Some(range)));
        assert_eq!(std::fs::read(&received).unwrap(), document()[5..15]);
    }
}

/// Node's `stream.destroy()` ends an HTTP/2 stream politely in the middle, which HTTP libraries call a success.
#[tokio::test]
async fn node() {
    let site = Site::new();
    let program = "
const fs = require('fs'), http2 = require('http2');
const keys = { cert: fs.readFileSync('cert.pem'), key: fs.readFileSync('key.pem') };
http2.createSecureServer(keys).on('stream', (stream, headers) => {
    stream.on('error', () => {});
    stream.respond({ ':status': 200 });
    if (headers[':path'] === '/whole') return stream.end(fs.readFileSync('www/doc.txt'));
    stream.write('half', () => stream.destroy());
}).listen(Number(process.argv[1]), '127.0.0.1');
";
    let mut command = Command::new("node");
    command.args(["-e", program, &site.port.to_string()]).current_dir(site.folder.path());
    let Some(_server) = site.serve(&mut command).await else { return };
    let recorder = site.recorder(Alpn::Http2);
    let received = site.path("received");
    let exchange = fetch(&recorder, Request::get(site.url("/whole")), &received).await;
    assert_eq!(exchange.completeness, Completeness::Complete);
    site.compare(&exchange, &received);
    std::fs::remove_file(&received).unwrap();
    let request = Request::get(site.url("/destroyed"));
    match recorder.fetch(request, Sink::File(received.clone())).await {
        Err(FetchError::Truncated { cut: Cut::Stopped, .. }) => assert!(!received.exists()),
        other => panic!("{other:?}"),
    }
}
