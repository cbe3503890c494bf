//! How the program answers: text, JSON, colour, silence.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::{NOW, Ran, World, bundle, claims, tampered, tool};
use genten_manifest::{Capture, ClaimsBuilder, Tls, TlsTrust};
use genten_primitives::Sha256Digest;
use genten_primitives::json::{self, Limits};
use genten_verify::Code;

fn world() -> World {
    let world = World::new();
    world.fetched("good", b"body");
    world.write("forged.json", tampered(&world.manifest(b"body")));
    world.write("unknown.json", "[]");
    world
}

/// Input and verdict of each report in a JSON array.
fn verdicts(text: &str) -> Vec<(String, String)> {
    let document = json::read(text.as_bytes(), Limits::bytes(1 << 20)).unwrap();
    let word =
        |report: json::Value<'_>, name| report.get(name).unwrap().as_str().unwrap().into_owned();
    let items = document.root().items().unwrap();
    items.map(|report| (word(report, "input"), word(report, "verdict"))).collect()
}

#[test]
fn json_is_one_array_whatever_happens() {
    let world = world();
    let run =
        |files: &[&str]| world.verify(&[files, &["--key", "key.pem", "--format", "json"]].concat());
    let pair = |input: &str, verdict: &str| (input.to_owned(), verdict.to_owned());
    let good = pair("good.provenance.json", "accept");
    let forged = pair("forged.json", "reject");
    assert_eq!(
        verdicts(&run(&["good.provenance.json"]).expect(0).stdout),
        std::slice::from_ref(&good)
    );
    let several = run(&["forged.json", "unknown.json", "good.provenance.json"]).expect(1);
    assert_eq!(verdicts(&several.stdout), [forged, good]);
    let none = run(&["unknown.json"]).expect(2);
    assert_eq!(none.stdout, "[]\n");
}

#[test]
fn json_lines_are_one_report_each() {
    let world = world();
    let words = ["good.provenance.json", "forged.json", "--key", "key.pem", "--format", "jsonl"];
    let ran = world.verify(&words).expect(1);
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    let both = verdicts(&format!("[{}]", lines.join(",")));
    assert_eq!((both[0].1.as_str(), both[1].1.as_str()), ("accept", "reject"));
    assert!(lines[0].contains("\"attested\":{") && lines[1].contains("\"claimed\":{"));
    assert!(lines[0].contains("\"body\":{\"bytes\":4,\"name\":\"good\",\"sha256\":"));
}

#[test]
fn quiet_leaves_the_exit_status() {
    let world = world();
    let ran =
        world.verify(&["good.provenance.json", "forged.json", "--key", "key.pem", "-q"]).expect(1);
    assert!(ran.stdout.is_empty() && ran.stderr.is_empty(), "{ran:#?}");
    world.verify(&["unknown.json", "-q"]).expect(2).complains("[input.unknown-kind]");
}

#[test]
fn verbose_shows_every_check_with_both_sides() {
    let world = world();
    let ran = world.verify(&["good.provenance.json", "--key", "key.pem", "-v"]).expect(0);
    let ran = ran.says("- not required: ").says("[log.missing]").says("        expected ");
    let usual = world.verify(&["good.provenance.json", "--key", "key.pem"]);
    assert!(!usual.stdout.contains("not required") && ran.stdout.len() > usual.stdout.len());
}

#[test]
fn every_code_is_explained() {
    let world = World::new();
    let explain =
        |words: &[&str]| Ran::of(world.command().arg("--explain").args(words).output().unwrap());
    let all = explain(&[]).expect(0);
    for code in Code::all() {
        assert!(all.stdout.contains(&format!("{code}\n  {}\n", code.meaning())), "{code}");
        assert!(all.stdout.contains(&explain(&[code.as_str()]).expect(0).stdout), "{code}");
    }
    explain(&["no.such-code"]).expect(2).complains("[explain.unknown-code]");
}

#[test]
fn help_and_version_are_answers() {
    let world = World::new();
    let run = |word| Ran::of(world.command().arg(word).output().unwrap()).expect(0);
    run("--version").says(concat!("verify ", env!("CARGO_PKG_VERSION"), "\n"));
    let (short, long) = (run("-h"), run("--help"));
    for text in ["--signer <ID>", "--policy <NAME|FILE>", "Exit status:", "Examples:"] {
        assert!(short.stdout.contains(text) && long.stdout.contains(text), "{text}");
    }
}

#[test]
fn the_verdict_alone_is_coloured() {
    let world = world();
    let run = |words: &[&str]| {
        world.verify(&[&["good.provenance.json", "--key", "key.pem"], words].concat())
    };
    let always = run(&["--color", "always"]).expect(0).stdout;
    assert!(always.starts_with("\u{1b}[1m\u{1b}[32mACCEPT\u{1b}[0m good"), "{always:?}");
    let plain = run(&[]).expect(0).stdout;
    assert_eq!(always.replace("\u{1b}[1m\u{1b}[32m", "").replace("\u{1b}[0m", ""), plain);
}

#[test]
fn on_a_terminal_colour_is_the_readers_choice() {
    if !tool("script") {
        return;
    }
    let world = world();
    let program = env!("CARGO_BIN_EXE_verify");
    let line = format!("{program} good.provenance.json --key key.pem --at {NOW}");
    let on_terminal = |options: &str, variables: &[(&str, &str)]| {
        let mut command = Command::new("script");
        command.args(["-qec", &format!("{line} {options}"), "typescript"]);
        command
            .current_dir(world.path(""))
            .env_clear()
            .env("TERM", "xterm")
            .envs(variables.to_vec());
        let shown = command.stdin(Stdio::null()).output().unwrap().stdout;
        String::from_utf8_lossy(&shown).contains("\u{1b}[32mACCEPT")
    };
    assert!(on_terminal("", &[]));
    assert!(!on_terminal("", &[("NO_COLOR", "1")]));
    assert!(!on_terminal("", &[("TERM", "dumb")]));
    assert!(!on_terminal("--color never", &[]));
    assert!(on_terminal("--color always", &[("NO_COLOR", "1")]));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let world = World::new();
    let manifest = world.manifest(b"body").to_json();
    world.write("list.jsonl", vec![manifest.as_slice(); 600].join(&b'\n'));
    for jobs in ["1", "4"] {
        let mut command = world.command();
        command.args(["list.jsonl", "--key", "key.pem", "--at", NOW, "--jobs", jobs]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0; 6]).unwrap();
        let ran = Ran::of(child.wait_with_output().unwrap());
        // Not everything was judged, so that nothing may pass for accepted.
        assert!(ran.stderr.is_empty(), "{ran:#?}");
        ran.expect(2);
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else {
        eprintln!("SKIPPED: there is no /dev/full");
        return;
    };
    let world = world();
    let mut command = world.command();
    let words = ["good.provenance.json", "--key", "key.pem"];
    let ran = Ran::of(command.args(words).stdout(full).stderr(Stdio::piped()).output().unwrap());
    ran.expect(2)
        .complains("standard output: the answer cannot be written")
        .complains("[output.failed]");
}

/// What weakens a good signature stands in the first line, which is the one that is read.
#[test]
fn a_weak_connection_stands_in_the_first_line() {
    let world = World::new();
    let ask = |name: &str, claims: ClaimsBuilder| {
        let manifest = world.signer.sign(claims.finish().unwrap()).unwrap();
        world.write(name, bundle(&manifest));
        let ran = world.verify(&[name, "--key", "key.pem"]).expect(0);
        ran.stdout.lines().next().unwrap().to_owned()
    };
    let clear = ask("clear.json", claims("http://a.example/", b"x"));
    assert!(clear.contains("without encryption"), "{clear}");
    let capitals = ask("capitals.json", claims("HTTP://a.example/", b"x"));
    assert!(capitals.contains("without encryption"), "{capitals}");
    let tls = |trust| Tls { trust: Some(trust), ..Tls::default() };
    let https =
        || claims("https://a.example/", b"x").tls_server_cert_sha256(Sha256Digest::of(b"c"));
    let private = ask("private.json", https().tls(tls(TlsTrust::PrivateRoot)));
    assert!(private.contains("a private authority"), "{private}");
    let public = ask("public.json", https().tls(tls(TlsTrust::PublicWithSct)));
    assert!(!public.contains("encryption") && !public.contains("authority"), "{public}");
    let told = claims("https://a.example/", b"x").capture(Capture::Reported);
    world.write("x", b"x");
    let manifest = world.signer.sign(told.finish().unwrap()).unwrap();
    world.write("x.provenance.json", bundle(&manifest));
    let ran = world.verify(&["x.provenance.json", "--key", "key.pem"]);
    ran.expect(0).says("what the signer was told was fetched: it did not fetch it itself");
}
