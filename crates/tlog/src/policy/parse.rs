//! Reading a policy, line by line.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Group, MAX_POLICY, MAX_POLICY_LINES, Member, PolicyError, PolicyFault, PolicyLog,
    PolicyWarning, PolicyWitness, Threshold, WitnessPolicy,
};
use crate::decimal;
use crate::note::{NoteKey, NoteKeyError, NoteKeyKind};

/// Names that would read as something else; only `none` has a meaning by the specification, other implementations refuse
/// all of them.
const RESERVED: [&str; 7] = ["all", "any", "group", "log", "none", "quorum", "witness"];

pub(super) fn parse(text: &str) -> Result<WitnessPolicy, PolicyError> {
    if text.len() > MAX_POLICY {
        let fault = PolicyFault::TooLong { limit: MAX_POLICY, found: text.len() };
        return Err(PolicyError { line: 1, fault });
    }
    let mut reader = Reader::default();
    let mut last = 1;
    for (line, content) in (1..).zip(text.strip_suffix('\n').unwrap_or(text).split('\n')) {
        reader.line(line, content).map_err(|fault| PolicyError { line, fault })?;
        last = line;
    }
    reader.finish().map_err(|fault| PolicyError { line: last, fault })
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    logs: Vec<PolicyLog>,
    witnesses: Vec<PolicyWitness>,
    groups: Vec<Group>,
    names: BTreeMap<String, Member>,
    members: BTreeSet<String>,
    quorum: Option<Option<Member>>,
    warnings: Vec<PolicyWarning>,
}

impl Reader {
    fn line(&mut self, line: usize, content: &str) -> Result<(), PolicyFault> {
        if line > MAX_POLICY_LINES {
            return Err(PolicyFault::TooManyLines { limit: MAX_POLICY_LINES });
        }
        let is_forbidden = |byte: &u8| (*byte < b' ' && *byte != b'\t') || *byte == 0x7f;
        if let Some(found) = content.bytes().find(is_forbidden) {
            return Err(PolicyFault::ForbiddenByte { found });
        }
        let fields = content.split([' ', '\t']).filter(|field| !field.is_empty());
        let fields: Vec<_> = fields.collect();
        match fields.split_first() {
            None => Ok(()),
            Some((first, _)) if first.starts_with('#') => Ok(()),
            Some((&"log", fields)) => self.log(fields),
            Some((&"witness", fields)) => self.witness(fields),
            Some((&"group", fields)) => self.group(fields),
            Some((&"quorum", fields)) => self.quorum(fields),
            Some((first, _)) => Err(PolicyFault::UnknownKeyword { found: (*first).to_owned() }),
        }
    }

    fn log(&mut self, fields: &[&str]) -> Result<(), PolicyFault> {
        let (key, url) = match *fields {
            [key] => (key, None),
            [key, url] => (key, Some(url.to_owned())),
            _ => return Err(PolicyFault::FieldCount { keyword: "log", found: fields.len() }),
        };
        let key: NoteKey = key.parse()?;
        if !key.kind().is_of_log() {
            return Err(PolicyFault::LogKeyKind { kind: key.kind() });
        }
        expect_new(&key, self.logs.iter().map(PolicyLog::key))?;
        self.logs.push(PolicyLog { key, url });
        Ok(())
    }

    fn witness(&mut self, fields: &[&str]) -> Result<(), PolicyFault> {
        let (name, key, url) = match *fields {
            [name, key] => (name, key, None),
            [name, key, url] => (name, key, Some(url.to_owned())),
            _ => return Err(PolicyFault::FieldCount { keyword: "witness", found: fields.len() }),
        };
        self.define(name, Member::Witness(self.witnesses.len()))?;
        let key = match key.parse() {
            Err(NoteKeyError::MlDsaUnsupported) => Err(self.uncheckable(name, key)?),
            read => Ok(self.cosigner(name, read?)?),
        };
        self.witnesses.push(PolicyWitness { name: name.to_owned(), key, url });
        Ok(())
    }

    fn cosigner(&mut self, name: &str, key: NoteKey) -> Result<NoteKey, PolicyFault> {
        let key = match key.kind() {
            NoteKeyKind::Cosignature => key,
            NoteKeyKind::Ed25519 => {
                self.warnings.push(PolicyWarning::LogKeyAsWitness { name: name.to_owned() });
                NoteKey::cosignature(key.name(), key.key())?
            }
            kind => return Err(PolicyFault::WitnessKeyKind { kind }),
        };
        expect_new(&key, self.witnesses.iter().filter_map(PolicyWitness::key))?;
        Ok(key)
    }

    /// A key that C2SP allows and nothing here can check: the policy is good, and the witness never counts.
    fn uncheckable(&mut self, name: &str, vkey: &str) -> Result<String, PolicyFault> {
        let is_known = self.witnesses.iter().any(|known| known.vkey() == vkey);
        if is_known {
            return Err(PolicyFault::DuplicateKey { name: name.to_owned() });
        }
        self.warnings.push(PolicyWarning::Uncheckable { name: name.to_owned() });
        Ok(vkey.to_owned())
    }

    fn group(&mut self, fields: &[&str]) -> Result<(), PolicyFault> {
        let [name, threshold, names @ ..] = fields else {
            return Err(PolicyFault::FieldCount { keyword: "group", found: fields.len() });
        };
        if names.is_empty() {
            return Err(PolicyFault::FieldCount { keyword: "group", found: fields.len() });
        }
        let threshold = read_threshold(threshold, names.len())?;
        let members = names.iter().map(|name| self.member(name)).collect::<Result<_, _>>()?;
        // Defined last, so that it cannot be a member of itself.
        self.define(name, Member::Group(self.groups.len()))?;
        self.groups.push(Group { name: (*name).to_owned(), threshold, members });
        Ok(())
    }

    fn quorum(&mut self, fields: &[&str]) -> Result<(), PolicyFault> {
        let [name] = *fields else {
            return Err(PolicyFault::FieldCount { keyword: "quorum", found: fields.len() });
        };
        if self.quorum.is_some() {
            return Err(PolicyFault::SecondQuorum);
        }
        self.quorum = Some(if name == "none" { None } else { Some(self.named(name)?) });
        Ok(())
    }

    fn define(&mut self, name: &str, member: Member) -> Result<(), PolicyFault> {
        if RESERVED.contains(&name) {
            return Err(PolicyFault::ReservedName { name: name.to_owned() });
        }
        match self.names.insert(name.to_owned(), member) {
            None => Ok(()),
            Some(_) => Err(PolicyFault::DuplicateName { name: name.to_owned() }),
        }
    }

    fn named(&self, name: &str) -> Result<Member, PolicyFault> {
        let undefined = || PolicyFault::UndefinedName { name: name.to_owned() };
        self.names.get(name).copied().ok_or_else(undefined)
    }

    fn member(&mut self, name: &str) -> Result<Member, PolicyFault> {
        let member = self.named(name)?;
        match self.members.insert(name.to_owned()) {
            true => Ok(member),
            false => Err(PolicyFault::MemberTwice { name: name.to_owned() }),
        }
    }

    fn finish(self) -> Result<WitnessPolicy, PolicyFault> {
        Ok(WitnessPolicy {
            logs: self.logs,
            witnesses: self.witnesses,
            groups: self.groups,
            quorum: self.quorum.ok_or(PolicyFault::NoQuorum)?,
            warnings: self.warnings,
        })
    }
}

/// One key may not count for two, whatever they are called.
fn expect_new<'k>(
    key: &NoteKey,
    mut known: impl Iterator<Item = &'k NoteKey>,
) -> Result<(), PolicyFault> {
    let is_known = known.any(|known| {
        known.key() == key.key() || (known.id() == key.id() && known.name() == key.name())
    });
    if is_known { Err(PolicyFault::DuplicateKey { name: key.name().to_owned() }) } else { Ok(()) }
}

fn read_threshold(text: &str, members: usize) -> Result<Threshold, PolicyFault> {
    match text {
        "all" => return Ok(Threshold::All),
        "any" => return Ok(Threshold::Any),
        _ => {}
    }
    let number = decimal::read(text).filter(|number| *number > 0);
    let malformed = || PolicyFault::Threshold { found: text.to_owned() };
    let found = number.and_then(|number| usize::try_from(number).ok()).ok_or_else(malformed)?;
    match found <= members {
        true => Ok(Threshold::Of(found)),
        false => Err(PolicyFault::ThresholdBeyondMembers { members, found }),
    }
}
