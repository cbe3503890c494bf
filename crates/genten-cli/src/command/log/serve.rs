//! `genten log serve`: the home's own log over HTTP, for reading (C2SP tlog-tiles).

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use genten_primitives::json::ObjectWriter;
use genten_store::log::LogFolder;
use genten_tlog::{BundleId, TileId};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::{HOW_TO_BEGIN, own_log};
use crate::cli::LogServeArgs;
use crate::context::Context;
use crate::failure::{Done, Failure};
use crate::output;

/// Connections at a time, and how long each may last.
const CONNECTIONS: usize = 256;
const LONGEST: Duration = Duration::from_secs(60);

const FOREVER: &str = "public, max-age=31536000, immutable";
const SHORT: &str = "public, max-age=1";

pub(super) async fn run(context: &Context, args: &LogServeArgs) -> Done {
    let log = own_log(&context.existing_home()?, HOW_TO_BEGIN)?;
    let folder = Arc::new(log.folder().clone());
    let listener = TcpListener::bind(&args.listen).await.map_err(|error| {
        let hint = "Give a free address with --listen, such as 127.0.0.1:0.";
        Failure::new(format!("{}: {error}", args.listen), hint)
    })?;
    let address = listener.local_addr().map_err(|error| Failure::new(error.to_string(), ""))?;
    let (origin, url) = (folder.key().name(), format!("http://{address}/"));
    match context.json {
        true => {
            output::json(ObjectWriter::new().string("origin", origin).string("url", &url));
        }
        false => output::line(&format!("serving {origin} at {url}")),
    }
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        // A connection that breaks before it stands is the other side's affair; where too many files are open, time helps.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let folder = Arc::clone(&folder);
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return Ok(()) };
        tokio::spawn(async move {
            let _place = place;
            let service = service_fn(|request| {
                let folder = Arc::clone(&folder);
                async move { Ok::<_, Infallible>(answer(&folder, &request)) }
            });
            let connection = hyper::server::conn::http1::Builder::new();
            let connection = connection.serve_connection(TokioIo::new(stream), service);
            let _ = tokio::time::timeout(LONGEST, connection).await;
        });
    }
}

fn answer(folder: &LogFolder, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return refuse(StatusCode::METHOD_NOT_ALLOWED, "this log is read here, not written\n");
    }
    let Some(file) = find(folder, request.uri().path()) else {
        return refuse(StatusCode::NOT_FOUND, "no such tile\n");
    };
    match std::fs::read(&file.path) {
        Ok(bytes) => {
            let mut response = Response::new(Full::new(bytes.into()));
            let headers = response.headers_mut();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.media_type));
            headers.insert(CACHE_CONTROL, HeaderValue::from_static(file.cache));
            response
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            refuse(StatusCode::NOT_FOUND, "no such tile\n")
        }
        Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR, "the log cannot be read\n"),
    }
}

struct File {
    path: PathBuf,
    media_type: &'static str,
    cache: &'static str,
}

/// The file behind a path: a checkpoint, or a tile or bundle that the signed tree has. What lies beyond it is not published.
fn find(folder: &LogFolder, path: &str) -> Option<File> {
    let path = path.strip_prefix('/')?;
    let file = |media_type, cache| {
        let path = folder.path().join(path);
        Some(File { path, media_type, cache })
    };
    if path == "checkpoint" {
        return file("text/plain; charset=utf-8", SHORT);
    }
    let size = folder.checkpoint().ok()?.size();
    let is_published = match path.parse::<BundleId>() {
        Ok(bundle) => {
            reaches(BundleId::at(bundle.number(), size).map(BundleId::width), bundle.width())
        }
        Err(_) => {
            let tile: TileId = path.parse().ok()?;
            reaches(TileId::at(tile.level(), tile.number(), size).map(TileId::width), tile.width())
        }
    };
    if is_published { file("application/octet-stream", FOREVER) } else { None }
}

fn reaches(published: Option<u16>, wanted: u16) -> bool {
    published.is_some_and(|published| published >= wanted)
}

fn refuse(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    *response.status_mut() = status;
    response
}
