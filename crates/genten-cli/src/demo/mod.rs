//! `genten demo`: the whole story without a network, and every claim of it checked on the way.

mod attacks;
mod logging;
mod sources;
mod world;

use std::path::{Path, PathBuf};

use genten::{Body, Genten};
use genten_primitives::json::ObjectWriter;

use crate::cli::DemoArgs;
use crate::command::moment::now;
use crate::context::Context;
use crate::failure::{Done, Failure, write_file};
use crate::output;
use world::World;

/// Tells the story; 0 only if every expectation held.
pub(crate) async fn run(context: &Context, args: DemoArgs) -> Done<u8> {
    let mut story = Story { json: context.json, broken: 0 };
    let dir = folder(args.dir, &story)?;
    let world = World::start(&dir).await?;
    story.chapter("1. A website, with its own certificate authority, on this machine");
    story.say(&format!("   {}", world.site.url("/")));

    let genten = world.genten(&dir.join("home"))?;
    publish_key(&dir, &genten)?;
    story.chapter("2. Fetch and sign three sources");
    let mut saved = sources::fetch_all(&world, &genten, &dir).await?;
    for source in &saved {
        story.say(&format!("   {:<14} {}", source.name, source.about));
    }

    story.chapter("3. Log them: in a log of the signer's own, which only ever grows");
    logging::log_all(&genten, &mut saved, &dir, &mut story).await?;

    story.chapter(
        "4. Verify them, as somebody else would: no network, only the files and a trust kit",
    );
    let verifier = logging::write_kit(&genten, &dir)?;
    for source in &saved {
        let report = verifier.verify_bytes(&source.bundle, &Body::of(&source.body), now());
        let name = format!("{} with its manifest", source.name);
        story.expect(
            &name,
            "accept",
            report.verdict.as_str(),
            report.verdict.because().map(|code| code.as_str()),
            "-",
        );
    }

    story.chapter("5. Attacks, and the check that catches each");
    attacks::run(&world, &genten, &verifier, &saved, &dir, &mut story).await?;

    story.chapter("6. Try it yourself");
    if !is_verify_at_hand() {
        story.say("   cargo build --release -p genten-verify-cli      makes target/release/verify");
    }
    for command in commands(&dir) {
        story.say(&format!("   {command}"));
    }
    story.end()
}

/// Whether the verifier stands where people look for a program: beside this one, or on the path.
fn is_verify_at_hand() -> bool {
    let own = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.to_owned()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("verify{}", std::env::consts::EXE_SUFFIX);
    own.into_iter().chain(std::env::split_paths(&path)).any(|folder| folder.join(&name).is_file())
}

const REPORT_IT: &str = "This is a fault of the program: please report it with the output above.";

/// The demo's own folder, with nothing of an earlier run in it.
fn folder(wanted: Option<PathBuf>, story: &Story) -> Done<PathBuf> {
    let dir = match wanted {
        Some(dir) => dir,
        None => std::env::temp_dir().join(format!("genten-demo-{}", std::process::id())),
    };
    let occupied = std::fs::read_dir(&dir).is_ok_and(|mut files| files.next().is_some());
    if occupied && !dir.join("standard.txt.provenance.json").exists() {
        return Err(Failure::usage(
            format!("{} is not empty and not a folder of this demo", dir.display()),
            "Give a new folder with --dir.",
        ));
    }
    if occupied {
        story.say(&format!("The demo that was told in {} before is replaced.", dir.display()));
    }
    // A log that had entries of an earlier run would tell another story.
    for part in ["home", "attacks"].map(|name| dir.join(name)).iter().filter(|part| part.exists()) {
        std::fs::remove_dir_all(part).map_err(|error| Failure::file(part, &error))?;
    }
    std::fs::create_dir_all(&dir).map_err(|error| Failure::file(&dir, &error))?;
    std::path::absolute(&dir).map_err(|error| Failure::file(&dir, &error))
}

fn publish_key(dir: &Path, genten: &Genten) -> Done {
    write_file(&dir.join("key.pem"), genten.public_key().to_spki_pem().as_bytes())
}

fn commands(dir: &Path) -> [String; 5] {
    let dir = dir.display();
    [
        format!(
            "verify {dir}/standard.txt.provenance.json --trust {dir}/kit.json --policy {dir}/policy.toml"
        ),
        format!("verify {dir}/law.txt.gz.provenance.json --trust {dir}/kit.json -v"),
        format!("verify {dir}/standard.txt.provenance.json --key {dir}/key.pem"),
        format!("verify {dir}/standard.txt.provenance.json"),
        format!("verify {dir}/attacks/changed-field.provenance.json --key {dir}/key.pem"),
    ]
}

/// What is told, and whether it was true.
struct Story {
    json: bool,
    broken: usize,
}

impl Story {
    fn chapter(&self, title: &str) {
        self.say("");
        self.say(title);
    }

    fn say(&self, text: &str) {
        if !self.json {
            output::line(text);
        }
    }

    /// One expectation: what should come out, and what did.
    fn expect(
        &mut self,
        what: &str,
        wanted: &str,
        found: &str,
        because: Option<&str>,
        wanted_code: &str,
    ) {
        let code = because.unwrap_or("-");
        let holds = wanted == found && wanted_code == code;
        self.broken += usize::from(!holds);
        if self.json {
            let mut object = ObjectWriter::new();
            object
                .string("what", what)
                .string("expected", wanted)
                .string("expected_code", wanted_code)
                .string("found", found)
                .string("found_code", code)
                .boolean("holds", holds);
            return output::json(&mut object);
        }
        let sign = if holds { "+" } else { "x UNEXPECTED" };
        let reason = because.map(|code| format!(" [{code}]")).unwrap_or_default();
        output::line(&format!("   {sign} {what:<66} {found}{reason}"));
        if !holds {
            output::line(&format!("     expected {wanted} [{wanted_code}]"));
        }
    }

    fn end(&self) -> Done<u8> {
        if self.broken == 0 {
            return Ok(0);
        }
        Err(Failure::new(
            format!("{} expectations of the demo did not hold", self.broken),
            REPORT_IT,
        ))
    }
}
