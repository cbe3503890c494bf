//! From options to a recorder.

use genten_fetch::{Guard, Recorder};

use crate::cli::TransportArgs;
use crate::failure::{Done, read_file};

/// Largest file of certificate authorities that is read, in bytes.
const LIMIT: u64 = 16 << 20;

pub(super) fn recorder(args: &TransportArgs) -> Done<Recorder> {
    let mut builder = Recorder::builder();
    for path in &args.ca {
        builder = builder.root_pem(read_file(path, LIMIT)?)?;
    }
    if let Some(proxy) = &args.proxy {
        builder = builder.proxy(proxy);
    }
    if args.public_only {
        builder = builder.guard(Guard::public_only());
    }
    Ok(builder.build()?)
}
