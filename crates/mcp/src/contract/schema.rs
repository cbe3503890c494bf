//! JSON Schemas of blocks (draft 2020-12), made of the same tables as the blocks.

use super::fields::{CONCISE, DETAILED, Field};
use super::node::Node;
use super::{Mode, Version};

/// The schema of a value.
pub(super) type Shape = Node<'static>;

/// The JSON Schema of a block, for a tool's `outputSchema`: it fits blocks of all versions from 1.1 up to `newest`, or of 1.0
/// alone. Clients keep schemas: offer the wider one before a server emits the newer version.
pub fn schema(mode: Mode, newest: Version) -> String {
    let shape = match mode {
        Mode::Concise => object_of("Where the data comes from, in short", CONCISE, newest),
        Mode::Detailed => object_of("Where the data comes from, in full", DETAILED, newest),
    };
    shape.pretty()
}

/// The versions that a schema fits.
fn fitting(newest: Version) -> Vec<Version> {
    let all = [Version::V1_1, Version::V1_2, Version::V1_3];
    match newest {
        Version::V1_0 => vec![newest],
        newest => all.into_iter().filter(|version| *version <= newest).collect(),
    }
}

pub(super) fn object_of<T>(about: &'static str, fields: &[Field<T>], newest: Version) -> Shape {
    let known = || fields.iter().filter(|field| field.since <= newest);
    let property = |field: &Field<T>| {
        let mut shape = (field.shape)(newest);
        shape.set("description", Node::text(field.about));
        (field.name, shape)
    };
    let oldest = fitting(newest)[0];
    let always = known().filter(|field| field.always && field.since <= oldest);
    let mut shape = Node::object([("type", Node::text("object"))]);
    if !about.is_empty() {
        shape.set("description", Node::text(about));
    }
    shape.set("properties", Node::object(known().map(property)));
    shape.set("required", Node::texts(always.map(|field| field.name)));
    shape.set("additionalProperties", Node::Bool(false));
    shape
}

fn of_type(name: &'static str) -> Shape {
    Node::object([("type", Node::text(name))])
}

fn of_type_or_null(name: &'static str) -> Shape {
    Node::object([("type", Node::texts([name, "null"]))])
}

pub(super) fn text(_: Version) -> Shape {
    of_type("string")
}

pub(super) fn text_or_null(_: Version) -> Shape {
    of_type_or_null("string")
}

pub(super) fn boolean(_: Version) -> Shape {
    of_type("boolean")
}

pub(super) fn boolean_or_null(_: Version) -> Shape {
    of_type_or_null("boolean")
}

pub(super) fn count(_: Version) -> Shape {
    Node::object([("type", Node::text("integer")), ("minimum", Node::number(1))])
}

pub(super) fn words(words: &[&'static str]) -> Shape {
    Node::object([("type", Node::text("string")), ("enum", Node::texts(words.iter().copied()))])
}

pub(super) fn versions(newest: Version) -> Shape {
    let known: Vec<_> = fitting(newest).into_iter().map(Version::as_str).collect();
    words(&known)
}

pub(super) fn texts_by_name_or_null(version: Version) -> Shape {
    let mut shape = of_type_or_null("object");
    shape.set("additionalProperties", text(version));
    shape
}

pub(super) fn list(items: Shape) -> Shape {
    Node::object([("type", Node::text("array")), ("items", items)])
}

/// A list of at least one.
pub(super) fn some(mut list: Shape) -> Shape {
    list.set("minItems", Node::number(1));
    list
}

pub(super) fn or_null(shape: Shape) -> Shape {
    Node::object([("oneOf", Node::List(vec![shape, of_type("null")]))])
}
