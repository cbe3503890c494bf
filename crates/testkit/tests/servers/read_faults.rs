//! Each fault of reading does what it says, and nothing else.

use genten_testkit::log::TestLog;
use genten_testkit::{LogServer, NetFault, ReadFault, Refusal};
use genten_tlog::tile::edge_tiles;
use genten_tlog::{AuthenticatedTiles, BundleId, Checkpoint, TileError, UnverifiedCheckpoint};

use crate::client::{Reply, get, request};
use crate::logged::{checkpoint, identity};

/// A server with a log of 300 entries, which had 150 before.
async fn server() -> LogServer {
    let server = LogServer::start(TestLog::empty("log.example")).await.unwrap();
    for half in 0..2 {
        server.append((0..150).map(|number| format!("entry {number} of half {half}")));
    }
    server
}

async fn read(server: &LogServer, path: &str) -> Reply {
    get(&format!("{}/{path}", server.read_url())).await
}

async fn edge(server: &LogServer, checkpoint: &Checkpoint) -> Vec<Vec<u8>> {
    let mut edge = Vec::new();
    for tile in edge_tiles(checkpoint.size()) {
        edge.push(read(server, &tile.to_string()).await.body);
    }
    edge
}

#[tokio::test]
async fn a_file_can_be_missing_while_others_are_there() {
    let server = server().await;
    server.file("tile/0/000").always(ReadFault::Missing);
    server.bundles().next([ReadFault::Missing]);
    for (path, expected) in [
        ("tile/0/000", 404),
        ("tile/0/001.p/44", 200),
        ("tile/entries/000", 404),
        ("tile/entries/000", 200),
        ("tile/0/000", 404),
        ("checkpoint", 200),
    ] {
        assert_eq!(read(&server, path).await.status, expected, "{path}");
    }
    server.file("tile/0/000").clear();
    assert_eq!(read(&server, "tile/0/000").await.status, 200);
}

#[tokio::test]
async fn a_flipped_bit_is_found() {
    let server = server().await;
    let checkpoint = checkpoint(&server).await;
    server.file("tile/0/001.p/44").next([ReadFault::FlippedBit]);
    let error = AuthenticatedTiles::new(&checkpoint, &edge(&server, &checkpoint).await);
    assert!(matches!(error, Err(TileError::EdgeMismatch { .. })));
    let edge = edge(&server, &checkpoint).await;
    let tiles = AuthenticatedTiles::new(&checkpoint, &edge).unwrap();
    let bundle = BundleId::at(1, checkpoint.size()).unwrap();
    server.bundles().next([ReadFault::FlippedBit]);
    let bytes = read(&server, &bundle.to_string()).await.body;
    assert!(tiles.bundle(bundle, &bytes).is_err());
    let bytes = read(&server, &bundle.to_string()).await.body;
    tiles.bundle(bundle, &bytes).unwrap();
}

#[tokio::test]
async fn a_partial_tile_can_be_gone_once_it_is_full() {
    let server = server().await;
    let before = ["tile/0/000.p/150", "tile/entries/000.p/150"];
    for path in before {
        assert_eq!(read(&server, path).await.status, 200, "{path}");
    }
    server.tiles().always(ReadFault::FullOnly);
    server.bundles().always(ReadFault::FullOnly);
    for path in before {
        assert_eq!(read(&server, path).await.status, 404, "{path}");
    }
    for path in ["tile/0/000", "tile/0/001.p/44", "tile/entries/000", "tile/entries/001.p/44"] {
        assert_eq!(read(&server, path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn an_earlier_checkpoint_is_one_that_was_there() {
    let server = server().await;
    let latest = checkpoint(&server).await;
    server.checkpoints().next([ReadFault::Earlier]);
    let earlier = checkpoint(&server).await;
    assert_eq!((earlier.size().get(), latest.size().get()), (150, 300));
    let mut tiles = AuthenticatedTiles::new(&latest, &edge(&server, &latest).await).unwrap();
    for tile in tiles.missing_for_consistency(earlier.size()).unwrap() {
        tiles.add(tile, &read(&server, &tile.to_string()).await.body).unwrap();
    }
    let proof = tiles.consistency_proof(earlier.size()).unwrap();
    earlier.is_extended_by(&latest, &proof).unwrap();
}

#[tokio::test]
async fn a_split_view_is_whole_in_itself() {
    let server = server().await;
    let public = checkpoint(&server).await;
    server.checkpoints().always(ReadFault::SplitView);
    server.tiles().always(ReadFault::SplitView);
    server.bundles().always(ReadFault::SplitView);
    let other = checkpoint(&server).await;
    assert_eq!(other.size(), public.size());
    assert_ne!(other.root(), public.root());
    let mut tiles = AuthenticatedTiles::new(&other, &edge(&server, &other).await).unwrap();
    let bundle = BundleId::at(0, other.size()).unwrap();
    let tile = bundle.tile();
    tiles.add(tile, &read(&server, &tile.to_string()).await.body).unwrap();
    let bytes = read(&server, &bundle.to_string()).await.body;
    assert_eq!(tiles.bundle(bundle, &bytes).unwrap().entries()[0], b"entry of another view");
}

#[tokio::test]
async fn a_flipped_bit_breaks_the_checkpoint() {
    let server = server().await;
    server.checkpoints().next([ReadFault::FlippedBit]);
    let reply = read(&server, "checkpoint").await;
    let unverified = UnverifiedCheckpoint::parse(&reply.body);
    let is_broken = match unverified {
        Ok(unverified) => unverified.verify(&server.with_log(identity), &[]).is_err(),
        Err(_) => true,
    };
    assert!(is_broken);
    checkpoint(&server).await;
}

#[tokio::test]
async fn reading_meets_the_faults_of_every_server() {
    let server = server().await;
    let refusal = Refusal::status(503);
    server.tiles().next([
        ReadFault::Net(NetFault::Refuse(refusal)),
        ReadFault::Net(NetFault::CutInAnswer),
        ReadFault::Net(NetFault::Malformed),
        ReadFault::Net(NetFault::Oversize(9000)),
        ReadFault::Net(NetFault::Reset),
    ]);
    assert_eq!(read(&server, "tile/0/000").await.status, 503);
    let cut = read(&server, "tile/0/000").await;
    assert_eq!((cut.status, cut.body.len(), cut.is_whole()), (200, 4096, false));
    let malformed = read(&server, "tile/0/000").await;
    assert_eq!((malformed.body.len(), malformed.is_whole()), (4096, true));
    assert_eq!(read(&server, "tile/0/000").await.body.len(), 9000);
    let url = format!("{}/tile/0/000", server.read_url());
    let reset = request("GET", &url, b"").await.unwrap_err();
    assert_eq!(reset.kind(), std::io::ErrorKind::ConnectionReset);
    assert_eq!(read(&server, "tile/0/000").await.body.len(), 8192);
}
