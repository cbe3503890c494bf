//! Names to addresses: overrides first, then the system's resolver, each through the address guard.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::guard::{AddressClass, Guard};

/// The guard refused an address.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("{address} is refused ({class})")]
pub(crate) struct Refusal {
    pub(crate) address: IpAddr,
    pub(crate) class: AddressClass,
}

/// A name has no address.
#[derive(Debug, thiserror::Error)]
#[error("no address")]
pub(crate) struct NoAddress(#[source] pub(crate) io::Error);

pub(crate) struct Resolver {
    pub(crate) overrides: Arc<HashMap<String, IpAddr>>,
    pub(crate) guard: Option<Arc<Guard>>,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let overridden = self.overrides.get(&name.as_str().to_ascii_lowercase()).copied();
        let guard = self.guard.clone();
        Box::pin(async move {
            let found = match overridden {
                Some(address) => vec![SocketAddr::new(address, 0)],
                None => lookup(name.as_str()).await?,
            };
            let let_through = guarded(found, guard.as_deref())?;
            Ok(Box::new(let_through.into_iter()) as Addrs)
        })
    }
}

async fn lookup(name: &str) -> Result<Vec<SocketAddr>, NoAddress> {
    let found: Vec<_> = tokio::net::lookup_host((name, 0)).await.map_err(NoAddress)?.collect();
    if found.is_empty() { Err(NoAddress(io::ErrorKind::NotFound.into())) } else { Ok(found) }
}

/// The addresses that may be talked to; an error when none is left.
fn guarded(found: Vec<SocketAddr>, guard: Option<&Guard>) -> Result<Vec<SocketAddr>, Refusal> {
    let Some(guard) = guard else { return Ok(found) };
    let mut refusal = None;
    let let_through: Vec<_> = found
        .into_iter()
        .filter(|found| {
            let class = guard.refuses(found.ip());
            refusal = refusal.or(class.map(|class| Refusal { address: found.ip(), class }));
            class.is_none()
        })
        .collect();
    match refusal {
        Some(refusal) if let_through.is_empty() => Err(refusal),
        _ => Ok(let_through),
    }
}
