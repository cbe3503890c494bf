//! An algorithm's name, as josekit wants to be told it.

use genten_jws::Algorithm;
use josekit::jws::JwsAlgorithm;

/// One of the two algorithms of the profile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named(pub(crate) Algorithm);

impl JwsAlgorithm for Named {
    fn name(&self) -> &str {
        self.0.as_str()
    }

    fn box_clone(&self) -> Box<dyn JwsAlgorithm> {
        Box::new(*self)
    }
}
