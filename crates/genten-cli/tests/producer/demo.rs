//! `genten demo`: every claim of the story holds.

use genten::{Body, Policy, Trust, TrustKit, Verifier};

use crate::world::{Run, World, names, now};

#[test]
fn every_expectation_holds() {
    let world = World::new();
    let run = world.genten(&["demo", "--dir", "demo", "--json"]).expect(0);
    let told = run.json();
    assert!(told.len() >= 17, "{told:#?}");
    let mut verdicts = Vec::new();
    for object in &told {
        assert_eq!(object["holds"], true, "{object}");
        assert_eq!(object["expected"], object["found"]);
        assert_eq!(object["expected_code"], object["found_code"]);
        verdicts.push(object["found"].as_str().unwrap());
    }
    for verdict in ["accept", "reject", "review", "not signed"] {
        assert!(verdicts.contains(&verdict), "{verdict}");
    }
    assert!(!world.home().exists(), "the user's own home is not touched");
}

#[test]
fn its_files_stay_and_are_what_it_said() {
    let world = World::new();
    let run = world.genten(&["demo", "--dir", "demo"]).expect(0);
    let run = run.says("5. Attacks, and the check that catches each");
    assert!(!run.stdout.contains("UNEXPECTED"));
    run.says(&format!(
        "verify {}/standard.txt.provenance.json --key",
        world.path("demo").display()
    ));

    let kit = TrustKit::read(&world.read("demo/kit.json")).unwrap();
    let policy = Policy::read(&String::from_utf8(world.read("demo/policy.toml")).unwrap()).unwrap();
    let verifier = Verifier::new(Trust { kit, ..Trust::default() }, policy);
    let verdict = |bundle: &str, body: &str| {
        let bundle = world.read(&format!("demo/{bundle}.provenance.json"));
        let report = verifier.verify_bytes(&bundle, &Body::of(&world.read(body)), now());
        report.verdict.as_str()
    };
    for name in ["standard.txt", "law.txt.gz", "circular.html"] {
        assert_eq!(verdict(name, &format!("demo/{name}")), "accept", "{name}");
    }
    let attacks = names(&world.path("demo/attacks"));
    let bundles = attacks.iter().filter_map(|name| name.strip_suffix(".provenance.json"));
    let with_own_bundle: Vec<_> =
        bundles.filter(|name| !["changed-body", "truncated-body"].contains(name)).collect();
    assert!(with_own_bundle.len() >= 8);
    for name in with_own_bundle {
        let found = verdict(&format!("attacks/{name}"), "demo/standard.txt");
        assert_ne!(found, "accept", "{name}");
    }
}

#[test]
fn it_can_be_told_twice_but_not_into_a_folder_of_others() {
    let world = World::new();
    world.genten(&["demo", "--dir", "demo"]).expect(0);
    world.genten(&["demo", "--dir", "demo"]).expect(0).says("before is replaced");
    std::fs::create_dir(world.path("mine")).unwrap();
    world.write("mine/file", "mine");
    let run = world.genten(&["demo", "--dir", "mine"]).expect(2);
    run.talks("is not empty and not a folder of this demo");
    assert_eq!(names(&world.path("mine")), ["file"]);
}

#[test]
fn without_a_folder_it_takes_the_systems_temporary_one() {
    let world = World::new();
    std::fs::create_dir(world.path("tmp")).unwrap();
    let mut command = world.command(&["demo"]);
    let run = Run::of(command.env("TMPDIR", world.path("tmp"))).expect(0);
    let [made] = &names(&world.path("tmp"))[..] else { panic!() };
    assert!(made.starts_with("genten-demo-"));
    run.says(&format!("{made}/standard.txt.provenance.json"));
}
