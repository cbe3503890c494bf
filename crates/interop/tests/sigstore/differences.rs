//! Where the two differ, held against the list of known differences.

use std::collections::BTreeMap;

use crate::both::Answers;

/// One line of the list: who refuses, which cases, why it says so, and the reason for the difference.
struct Exception {
    by: By,
    /// How the names of its cases begin; `mutant` for all mutants.
    of: &'static str,
    /// A part of what the refusing one says.
    says: &'static str,
    /// Whether it takes more mutants than CI has time for to see it.
    is_rare: bool,
    seen: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Us,
    It,
}

/// All differences so far.
pub(crate) struct Differences {
    exceptions: Vec<Exception>,
    /// Those that no line of the list knows: how many, and one of them.
    unknown: BTreeMap<(By, String), (usize, String)>,
    judged: [usize; 4],
}

impl Differences {
    /// The list, in which each line is `we|it ; cases ; words of the refusal ; reason`, with `rarely` before the first word
    /// where only many mutants show it.
    pub(crate) fn read() -> Self {
        let lines = include_str!("exceptions.txt").lines();
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let exceptions = lines.map(|line| {
            let mut parts = line.split(';').map(str::trim);
            let mut part = || parts.next().unwrap_or_else(|| panic!("short line: {line}"));
            let who = part();
            let (is_rare, who) = match who.strip_prefix("rarely ") {
                Some(who) => (true, who),
                None => (false, who),
            };
            let by = match who {
                "we" => By::Us,
                "it" => By::It,
                other => panic!("neither we nor it: {other}"),
            };
            let (of, says) = (part(), part());
            assert!(!part().is_empty(), "no reason: {line}");
            Exception { by, of, says, is_rare, seen: 0 }
        });
        let exceptions = exceptions.collect();
        Self { exceptions, unknown: BTreeMap::new(), judged: [0; 4] }
    }

    pub(crate) fn add(&mut self, name: &str, answers: &Answers) {
        let (ours, theirs) = (answers.ours.is_ok(), answers.theirs.is_ok());
        self.judged[usize::from(ours) * 2 + usize::from(theirs)] += 1;
        let (by, says) = match (&answers.ours, &answers.theirs) {
            (Err(says), Ok(())) => (By::Us, says.clone()),
            (Ok(open), Err(says)) => (By::It, format!("{says} (we: {open})")),
            _ => return,
        };
        let fits = |one: &&mut Exception| {
            one.by == by && name.starts_with(one.of) && says.contains(one.says)
        };
        match self.exceptions.iter_mut().find(fits) {
            Some(exception) => exception.seen += 1,
            None => {
                let new = || (0, name.to_owned());
                self.unknown.entry((by, says)).or_insert_with(new).0 += 1;
            }
        }
    }

    /// Fails on a difference that is not listed, and on a listed one that is not there.
    pub(crate) fn conclude(self) {
        let [neither, only_theirs, only_ours, both] = self.judged;
        println!(
            "both accept {both}, neither {neither}, only it {only_theirs}, only we {only_ours}"
        );
        for one in &self.exceptions {
            println!("{:6} {:?} {:20} {}", one.seen, one.by, one.of, one.says);
        }
        for ((by, says), (times, name)) in &self.unknown {
            println!("UNKNOWN, refused by {by:?} {times} times: {says}\n    such as {name}");
        }
        let gone = self.exceptions.iter().filter(|one| one.seen == 0 && !one.is_rare);
        let gone: Vec<_> = gone.map(|one| [one.of, one.says].join("; ")).collect();
        assert_eq!(gone, [""; 0], "listed differences that are gone");
        assert!(self.unknown.is_empty(), "differences that are not listed");
    }
}
