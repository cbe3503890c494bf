//! Into transparency logs: what is queued when a manifest is signed, who sends it, and how the evidence comes back into the
//! bundles.
//!
//! Signing never waits for a log. [`Genten`](crate::Genten) records the manifest and queues what is wanted of the log in one
//! step; a [`Submitter`] sends it, now, later, or in another process, verifies what the log answers, and completes the
//! bundles on disk.

mod alarm;
mod batch;
mod certificates;
mod described;
mod door;
mod error;
mod following;
mod forgetting;
mod local;
mod log_file;
mod looking;
mod memory;
mod past;
mod place;
mod put_off;
mod queueing;
mod report;
mod rules;
mod sending;
mod submitter;
mod target;
mod wanted;

pub use alarm::Alarm;
pub use certificates::CertificateFlush;
pub(crate) use certificates::{read_list, wanted};
pub use described::is_of_described_log;
pub use error::LogError;
pub use following::{Followed, Following, Lost, follow};
pub use forgetting::{Forget, Forgotten, forget};
pub use local::home_log;
pub use log_file::{LogFileError, LogService};
pub use looking::{Look, look};
pub use place::complete_bundle;
pub use report::{FlushReport, LogFlush};
pub use rules::{Alone, LogRules};
pub use submitter::{Flush, Submitter};
pub use target::LogTarget;
pub(crate) use wanted::{Wants, es256_body, log_body};
