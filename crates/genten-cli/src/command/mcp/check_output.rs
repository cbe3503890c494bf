//! `genten mcp check-output`: a saved result against its schema, and against what no schema says.

use std::path::Path;

use genten_mcp::binding::MAX_RESULT_BYTES;
use genten_mcp::output::{
    Fault, FaultCode, MAX_FAULTS, OutputContract, OutputSchema, faults, has_shape, text_faults,
};
use genten_mcp::saved::{Outcome, Saved, read_document};
use genten_primitives::Printable;
use genten_primitives::json::{ArrayWriter, Kind, ObjectWriter, Value};

use crate::cli::CheckOutputArgs;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};
use crate::output;

/// 0 for a result that fits, 1 for one that does not. Whatever cannot be judged is 2.
pub(super) fn run(context: &Context, args: &CheckOutputArgs) -> Done<u8> {
    let checked = check(args).map_err(|failure| failure.with_status(2))?;
    let name = args.result.display().to_string();
    match context.json {
        true => checked.to_json(&name),
        false => checked.to_text(&name),
    }
    Ok(u8::from(!checked.faults.is_empty()))
}

/// What was found.
struct Checked {
    outcome: Outcome,
    schema: Option<&'static str>,
    faults: Vec<Fault>,
}

fn check(args: &CheckOutputArgs) -> Done<Checked> {
    let name = args.result.display().to_string();
    let bytes = read_file(&args.result, MAX_RESULT_BYTES as u64)?;
    let document = read_document(&bytes).map_err(|error| {
        Failure::coded(error.rule.code(), &error, "Give the result as a client saved it.")
            .about(&name)
    })?;
    let root = document.root();
    if !is_result(root) {
        let (schema, by) = schema_for(args, Some(root))?;
        return Ok(Checked {
            outcome: Outcome::Success,
            schema: Some(by),
            faults: content_faults(&schema, root),
        });
    }
    let saved = Saved::read(root).map_err(|error| {
        Failure::coded("mcp.malformed", &error, "Give the result as a client saved it.")
            .about(&name)
    })?;
    let (schema, mut faults) = (None, failure_of(&saved, root).into_iter().collect::<Vec<_>>());
    let Some(result) = saved.object() else {
        return Ok(Checked { outcome: saved.outcome().clone(), schema, faults });
    };
    let structured = result.structured();
    let failed = *saved.outcome() == Outcome::ToolError;
    let is_known = args.schema.is_some() || structured.is_some_and(has_shape);
    if failed && (structured.is_none() || !is_known) {
        return Ok(Checked { outcome: Outcome::ToolError, schema, faults });
    }
    let (validator, by) = schema_for(args, structured)?;
    match structured {
        None => faults.push(missing(place_of_result(root))),
        Some(structured) => {
            faults.extend(content_faults(&validator, structured));
            if has_shape(structured) && !failed {
                let place = place_of_result(root);
                faults.extend(text_faults(result).into_iter().map(|fault| below(&place, fault)));
            }
        }
    }
    faults.truncate(MAX_FAULTS);
    Ok(Checked { outcome: saved.outcome().clone(), schema: Some(by), faults })
}

/// Whether the file holds a result, or a message with one; else it is structured content by itself.
fn is_result(root: Value<'_>) -> bool {
    let has = |name| root.get(name).is_some();
    let lists = |name| root.get(name).is_some_and(|value| value.kind() == Kind::Array);
    has("jsonrpc")
        || has("structuredContent")
        || has("structured_content")
        || lists("content")
        || lists("contents")
}

/// The schema that was given, or that of the contract for content of its shape, and which of them it is.
fn schema_for(
    args: &CheckOutputArgs,
    structured: Option<Value<'_>>,
) -> Done<(OutputSchema, &'static str)> {
    if let Some(path) = &args.schema {
        return Ok((given(path)?, "given"));
    }
    if !structured.is_some_and(has_shape) {
        return Err(Failure::usage(
            format!("{}: not in the shape of the output contract", args.result.display()),
            "Give the tool's outputSchema with --schema FILE; tools/list shows it.",
        ));
    }
    let kinds = args.source_type.iter();
    let contract =
        kinds.fold(OutputContract::default(), |contract, kind| contract.source_type(kind));
    let schema = contract.schema(b"true").map_err(|error| {
        Failure::usage(format!("--source-type: {error}"), "Give a name of ordinary characters.")
    })?;
    Ok((read_schema(&schema)?, "contract"))
}

fn given(path: &Path) -> Done<OutputSchema> {
    let bytes = read_file(path, MAX_RESULT_BYTES as u64)?;
    read_schema(&bytes).map_err(|failure| failure.about(&path.display().to_string()))
}

fn read_schema(bytes: &[u8]) -> Done<OutputSchema> {
    OutputSchema::read(bytes).map_err(|error| {
        let hint = "Give the JSON Schema alone (draft 2020-12 or draft-07), without references to other documents.";
        Failure::coded("output.no-schema", &error, hint)
    })
}

/// Faults of structured content, placed in the file.
fn content_faults(schema: &OutputSchema, structured: Value<'_>) -> Vec<Fault> {
    let mut found = schema.faults(structured);
    if has_shape(structured) {
        // A format that the schema asserts already is not told twice.
        let known: Vec<_> = found.iter().map(|fault| fault.pointer.clone()).collect();
        let is_new =
            |fault: &Fault| fault.code != FaultCode::Format || !known.contains(&fault.pointer);
        found.extend(faults(structured).into_iter().filter(is_new));
    }
    let place = place(structured);
    found.into_iter().map(|fault| below(&place, fault)).collect()
}

/// Why a result is no output at all.
fn failure_of(saved: &Saved<'_>, root: Value<'_>) -> Option<Fault> {
    let (code, pointer, message) = match saved.outcome() {
        Outcome::Success => return None,
        Outcome::ToolError => {
            let message = "the tool says that it failed: there is no output to rely on";
            (FaultCode::ToolError, place_of_result(root), message.to_owned())
        }
        Outcome::ProtocolError { code, message } => {
            let code = code.map(|code| format!(" {code}")).unwrap_or_default();
            let message = format!("the protocol refused the call: error{code}: {message}");
            (FaultCode::ProtocolError, "/error".to_owned(), message)
        }
    };
    Some(Fault { code, pointer, message })
}

fn missing(pointer: String) -> Fault {
    let message = "no structured content, although the tool has an outputSchema".to_owned();
    Fault { code: FaultCode::Missing, pointer, message }
}

fn place_of_result(root: Value<'_>) -> String {
    root.get("result").filter(|_| root.get("jsonrpc").is_some()).map(place).unwrap_or_default()
}

/// As a JSON Pointer. Only members of a result lead here, whose names need no escape.
fn place(value: Value<'_>) -> String {
    value.path().trim_start_matches('$').replace('.', "/")
}

fn below(place: &str, fault: Fault) -> Fault {
    Fault { pointer: format!("{place}{}", fault.pointer), ..fault }
}

impl Checked {
    fn outcome(&self) -> &'static str {
        match self.outcome {
            Outcome::Success => "success",
            Outcome::ToolError => "tool-error",
            Outcome::ProtocolError { .. } => "protocol-error",
        }
    }

    fn to_json(&self, name: &str) {
        let mut faults = ArrayWriter::new();
        for fault in &self.faults {
            let mut object = ObjectWriter::new();
            object
                .string("code", fault.code.as_str())
                .string("pointer", &fault.pointer)
                .string("message", &fault.message);
            faults.raw(&object.finish());
        }
        let mut object = ObjectWriter::new();
        object
            .string("file", name)
            .boolean("fits", self.faults.is_empty())
            .string("outcome", self.outcome())
            .optional("schema", self.schema)
            .raw("faults", &faults.finish());
        output::json(&mut object);
    }

    fn to_text(&self, name: &str) {
        let name = Printable(name);
        let by = match self.schema {
            Some("contract") => "the output contract",
            _ => "its schema",
        };
        if self.faults.is_empty() {
            return output::line(&format!("{name}: fits {by}"));
        }
        output::line(&match self.outcome {
            Outcome::Success => format!("{name}: does not fit {by}"),
            _ => format!("{name}: no output"),
        });
        for fault in &self.faults {
            let (place, message) = (Printable(&fault.pointer), Printable(&fault.message));
            let space = if fault.pointer.is_empty() { "" } else { ": " };
            output::line(&format!("  {place}{space}{message} [{}]", fault.code.as_str()));
        }
    }
}
