//! Exit statuses.

use std::process::ExitCode;

use genten_verify::Verdict;

/// What the program tells its caller. The greater one counts when there are several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: everything required holds.
    #[default]
    Accept,
    /// 3: something required could not be established.
    Review,
    /// 2: there is no verdict.
    NoVerdict,
    /// 1: something contradicts.
    Reject,
}

impl Exit {
    /// The number.
    pub const fn status(self) -> u8 {
        match self {
            Self::Accept => 0,
            Self::Reject => 1,
            Self::NoVerdict => 2,
            Self::Review => 3,
        }
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accept => Self::Accept,
            Verdict::Reject { .. } => Self::Reject,
            Verdict::Review { .. } => Self::Review,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_the_gravest_counts() {
        let worst = |statuses: &[Exit]| statuses.iter().max().map(|exit| exit.status());
        use Exit::{Accept, NoVerdict, Reject, Review};
        assert_eq!(worst(&[Accept, Review]), Some(3));
        assert_eq!(worst(&[Review, NoVerdict, Accept]), Some(2));
        assert_eq!(worst(&[NoVerdict, Reject, Review]), Some(1));
    }
}
