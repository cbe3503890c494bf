//! Members that take one of a few fixed words.

use std::fmt;
use std::str::FromStr;

/// The text is none of the words that this member takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("none of the words that this member takes")]
pub struct UnknownWord;

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// Every word.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word as it stands in a manifest.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(UnknownWord),
                }
            }
        }
    };
}

words! {
    /// How a source behaves over time (`source_class`).
    SourceClass {
        /// Immutable, such as the text of an RFC.
        Static = "static",
        /// Changes and has revision ids, such as a law.
        Revisioned = "revisioned",
        /// Changes, and its URL moves, such as a ministry's circular.
        Relocating = "relocating",
        /// A reading of the moment, such as a sensor or a quote.
        Realtime = "realtime",
        /// A file with no upstream: says nothing about a source.
        Local = "local",
    }
}

words! {
    /// Who made the request (`capture`).
    Capture {
        /// The signing program made the request itself.
        Recorded = "recorded",
        /// Another program made it and told the facts.
        Reported = "reported",
    }
}

words! {
    /// What the framing says of the body's end (`http.completeness`).
    Completeness {
        /// The framing proved that nothing is missing.
        Complete = "complete",
        /// The framing cannot tell, such as a body that ends with the connection.
        Unverifiable = "unverifiable",
        /// A requested range, or a body that was cut.
        Partial = "partial",
    }
}

words! {
    /// HTTP version of the final answer (`http.protocol`).
    Protocol {
        /// HTTP/1.1
        Http11 = "http/1.1",
        /// HTTP/2
        H2 = "h2",
    }
}

words! {
    /// What the recorder found when it judged the upstream's certificate (`tls.trust`).
    TlsTrust {
        /// Chains to a root of the embedded Mozilla set; the leaf carries SCTs.
        PublicWithSct = "public-with-sct",
        /// Chains to a root of the embedded Mozilla set; no SCTs.
        PublicWithoutSct = "public-without-sct",
        /// Chains to a root that the operator configured, such as an office proxy's.
        PrivateRoot = "private-root",
        /// Was not judged.
        Unverified = "unverified",
    }
}
