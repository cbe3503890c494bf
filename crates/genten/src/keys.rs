//! The signing keys of a home: `keys/NAME.pem`, with the key id in `NAME.id` and a certificate chain in `NAME.chain.pem`
//! where the key has one. Beside them stand keys that sign no manifests: `NAME.content-log.key` and `log.key`.

mod error;
mod parts;

use std::path::PathBuf;

use genten_jws::{Algorithm, CheckpointKey, ContentLogKey, LocalSigner, SecretKey, Signer};
use genten_manifest::KeyId;
use genten_primitives::PublicKey;
use genten_store::{Home, StoreError};
use zeroize::Zeroizing;

pub use error::KeyError;
pub use parts::id_in_chain;
use parts::{check_chain, key_id, random_key, read_chain, read_pem, signer};

/// The name of the key that is used where none is named.
const DEFAULT: &str = "default";

/// The file name of the key of the home's own log.
const LOG: &str = "log";

/// The keys of one home.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// use genten::jws::{Algorithm, Signer};
/// use genten::store::Home;
/// use genten::{Genten, KeyRing, NewKeyId};
///
/// let home = Home::open(folder.path())?;
/// let ring = KeyRing::of(&home);
/// let desk = ring.create("desk", Algorithm::EdDsa, &NewKeyId::DidKey)?;
/// assert_eq!(ring.names()?, ["desk"]);
///
/// let genten = Genten::builder().home(folder.path()).key("desk").build()?;
/// assert_eq!(genten.key_id(), desk.signer.key_id());
/// // Of an existing name nothing is overwritten.
/// let again = ring.create("desk", Algorithm::Es256, &NewKeyId::DidKey);
/// assert_eq!(again.err().map(|error| error.code()), Some("store.already-exists"));
/// # Ok::<(), genten::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeyRing {
    home: Home,
}

/// A key that was read from its file.
pub struct StoredKey {
    /// The name of its file.
    pub name: String,
    /// The signer.
    pub signer: LocalSigner,
    /// Its certificates (DER), leaf first; empty where it has none.
    pub chain: Vec<Vec<u8>>,
}

/// The id that a new key gets.
#[derive(Clone, Debug, Default)]
pub enum NewKeyId {
    /// `did:key`: the id contains the key.
    #[default]
    DidKey,
    /// `did:jwk`: the id contains the key.
    DidJwk,
    /// A `did:web` or a URI of a certificate.
    Given(KeyId),
}

impl KeyRing {
    /// The keys of `home`.
    pub fn of(home: &Home) -> Self {
        Self { home: home.clone() }
    }

    /// The default key; made (ES256, did:key) where there is none. The second value says whether it is new.
    ///
    /// # Errors
    /// The key cannot be read or made.
    pub fn default_or_new(&self) -> Result<(StoredKey, bool), KeyError> {
        match self.load(DEFAULT) {
            Err(KeyError::Missing { .. }) => {}
            other => return other.map(|key| (key, false)),
        }
        match self.create(DEFAULT, Algorithm::Es256, &NewKeyId::DidKey) {
            Ok(key) => Ok((key, true)),
            // Another process was faster: one key, two users.
            Err(KeyError::Store(StoreError::AlreadyExists { .. })) => {
                Ok((self.load(DEFAULT)?, false))
            }
            Err(error) => Err(error),
        }
    }

    /// The content log key that belongs to a signing key, `keys/NAME.content-log.key`: P-256, made where there is none. The
    /// second value says whether it is new.
    ///
    /// It signs digests of contents for logs and nothing else; kits list it under `content_log_keys` of the signer.
    ///
    /// # Errors
    /// The key cannot be read or made.
    pub fn content_log_key(&self, name: &str) -> Result<(ContentLogKey, bool), KeyError> {
        let (secret, is_new) = self.other_key(&format!("{name}.content-log"), Algorithm::Es256)?;
        let key = ContentLogKey::new(secret).map_err(|source| KeyError::sign(name, source))?;
        Ok((key, is_new))
    }

    /// The key of the home's own log, `keys/log.key`: Ed25519, made where there is none. It signs checkpoints and nothing
    /// else.
    ///
    /// # Errors
    /// The key cannot be read or made.
    pub fn checkpoint_key(&self) -> Result<CheckpointKey, KeyError> {
        let (secret, _) = self.other_key(LOG, Algorithm::EdDsa)?;
        CheckpointKey::new(secret).map_err(|source| KeyError::sign(LOG, source))
    }

    /// Where that key is.
    #[cfg(feature = "log")]
    pub(crate) fn checkpoint_key_path(&self) -> PathBuf {
        self.home.keys().join([LOG, ".key"].concat())
    }

    /// A key that signs no manifests; its file ends in `.key`, so that it is not listed among those that do.
    fn other_key(&self, name: &str, algorithm: Algorithm) -> Result<(SecretKey, bool), KeyError> {
        let file = format!("{name}.key");
        if let Some(pem) = self.read(&file)? {
            return Ok((read_pem(name, &pem)?, false));
        }
        let secret = random_key(algorithm)?;
        match self.home.create_key(&file, secret.to_pkcs8_pem().as_bytes()) {
            Ok(_) => Ok((secret, true)),
            // Another process was faster: one key, two users.
            Err(StoreError::AlreadyExists { path }) => {
                let pem = self.read(&file)?.ok_or(StoreError::NotFound { path })?;
                Ok((read_pem(name, &pem)?, false))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a key and writes its file; an existing one is never overwritten.
    ///
    /// # Errors
    /// The name is taken or no file name, the id contains another key, the folder cannot be written.
    pub fn create(
        &self,
        name: &str,
        algorithm: Algorithm,
        id: &NewKeyId,
    ) -> Result<StoredKey, KeyError> {
        let secret = random_key(algorithm)?;
        self.keep(name, secret, id, &[])
    }

    /// Writes a key that was made elsewhere.
    ///
    /// # Errors
    /// As [`create`](Self::create); a chain that is not for the key.
    pub fn keep(
        &self,
        name: &str,
        secret: SecretKey,
        id: &NewKeyId,
        chain_pem: &[u8],
    ) -> Result<StoredKey, KeyError> {
        let pem = secret.to_pkcs8_pem();
        let signer = signer(name, secret, id)?;
        let chain = read_chain(name, chain_pem)?;
        check_chain(name, &signer, &chain)?;
        let id = format!("{}\n", signer.key_id());
        let mut files = vec![("pem", pem.as_bytes()), ("id", id.as_bytes())];
        files.extend((!chain_pem.is_empty()).then_some(("chain.pem", chain_pem)));
        self.expect_free(name)?;
        for (ending, contents) in files {
            self.home.create_key(&format!("{name}.{ending}"), contents)?;
        }
        Ok(StoredKey { name: name.to_owned(), signer, chain })
    }

    /// Checks that no file of a key has this name: what is left of an earlier key must not become part of a new one.
    fn expect_free(&self, name: &str) -> Result<(), StoreError> {
        if name.ends_with(".chain") {
            return Err(StoreError::InvalidKeyName { name: name.to_owned() });
        }
        for ending in ["pem", "id", "chain.pem"] {
            let path = self.home.key_path(&format!("{name}.{ending}"))?;
            if path.symlink_metadata().is_ok() {
                return Err(StoreError::AlreadyExists { path });
            }
        }
        Ok(())
    }

    /// Reads a key.
    ///
    /// # Errors
    /// There is none of this name, or its files are broken.
    pub fn load(&self, name: &str) -> Result<StoredKey, KeyError> {
        let Some(pem) = self.read(&format!("{name}.pem"))? else {
            return Err(KeyError::Missing { name: name.to_owned() });
        };
        let secret = read_pem(name, &pem)?;
        let id = match self.read(&format!("{name}.id"))? {
            None => NewKeyId::DidKey,
            Some(text) => NewKeyId::Given(key_id(name, &text)?),
        };
        let signer = signer(name, secret, &id)?;
        let chain =
            read_chain(name, &self.read(&format!("{name}.chain.pem"))?.unwrap_or_default())?;
        check_chain(name, &signer, &chain)?;
        Ok(StoredKey { name: name.to_owned(), signer, chain })
    }

    /// The names of all keys, sorted.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn names(&self) -> Result<Vec<String>, KeyError> {
        let files = self.files(".pem")?;
        Ok(files.into_iter().filter(|name| !name.ends_with(".chain")).collect())
    }

    /// The public keys of all keys with the names of their files: of those that sign manifests, and of those that sign contents
    /// for logs.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn public_keys(&self) -> Result<Vec<(String, PublicKey)>, KeyError> {
        let mut keys = Vec::new();
        for name in self.names()? {
            let key = self.load(&name)?.signer.key().public_key().clone();
            keys.push((name, key));
        }
        for name in self.files(".content-log.key")? {
            let key = self.content_log_key(&name)?.0.key().public_key().clone();
            keys.push((format!("{name}.content-log"), key));
        }
        Ok(keys)
    }

    /// The files of the folder with this ending, without it, sorted.
    fn files(&self, ending: &str) -> Result<Vec<String>, KeyError> {
        let folder = self.home.keys();
        let at = |source| StoreError::Io { path: folder.clone(), source };
        let mut names = Vec::new();
        for file in std::fs::read_dir(&folder).map_err(at)? {
            let name = file.map_err(at)?.file_name().to_string_lossy().into_owned();
            let name = name.strip_suffix(ending).filter(|name| !name.starts_with('.'));
            names.extend(name.map(ToOwned::to_owned));
        }
        names.sort();
        Ok(names)
    }

    /// Where the file of a key is.
    ///
    /// # Errors
    /// The name is no file name.
    pub fn path(&self, name: &str) -> Result<PathBuf, KeyError> {
        Ok(self.home.key_path(&format!("{name}.pem"))?)
    }

    /// A file of the folder, `None` where there is none.
    fn read(&self, file: &str) -> Result<Option<Zeroizing<Vec<u8>>>, KeyError> {
        let path = self.home.key_path(file)?;
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(Zeroizing::new(bytes))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(StoreError::Io { path, source }.into()),
        }
    }
}
