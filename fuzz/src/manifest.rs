//! Manifests and bundles.

use genten_manifest::{ManifestError, UnverifiedBundle, UnverifiedManifest};

fn check_error(error: &ManifestError, bytes: &[u8]) {
    assert!(error.offset <= bytes.len());
    assert!(error.code().contains('.') && error.path.starts_with('$'));
}

/// What is accepted is written as a manifest that reads back the same, and whose signed part is the one that is signed.
pub(crate) fn manifest(bytes: &[u8]) -> bool {
    let read = match UnverifiedManifest::read(bytes) {
        Ok(read) => read,
        Err(error) => {
            check_error(&error, bytes);
            return false;
        }
    };
    let manifest = read.manifest();
    let again = UnverifiedManifest::read(&manifest.to_json()).expect("written by us");
    assert_eq!(again.manifest(), manifest);
    assert_eq!(again.unknown_members(), [] as [String; 0]);
    assert_eq!(again.payload(), manifest.claims.payload(&manifest.mcp_key_id));
    assert_eq!(again.claims().contradiction(), read.claims().contradiction());
    true
}

/// What is accepted is written as a bundle with the same manifest and the same evidence, word for word.
pub(crate) fn bundle(bytes: &[u8]) -> bool {
    let read = match UnverifiedBundle::read(bytes) {
        Ok(read) => read,
        Err(error) => {
            check_error(&error, bytes);
            return false;
        }
    };
    let again = UnverifiedBundle::read(&read.to_bundle().to_json());
    let Ok(again) = again else {
        // A bundle just below the limit may grow beyond it by the white space that we write.
        assert!(bytes.len() > genten_manifest::MAX_BUNDLE_BYTES - 200);
        return true;
    };
    assert_eq!(again.manifest().payload(), read.manifest().payload());
    assert_eq!(again.manifest().manifest(), read.manifest().manifest());
    assert_eq!(again.evidence(), read.evidence());
    true
}
