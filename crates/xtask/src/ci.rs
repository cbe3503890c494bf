//! The gate: what a change has to pass, the same on a desk and in CI.

mod steps;

use std::error::Error;
use std::time::{Duration, Instant};

use crate::Outcome;
use steps::{Done, STEPS, Step};

/// Names the steps.
pub(crate) fn list() -> Outcome {
    for step in STEPS {
        println!("{:<14} {}", step.name, step.about);
    }
    Ok(())
}

/// Runs the named steps, or all, in order; the first failure ends it.
///
/// # Errors
///
/// A step of that name does not exist, or a step failed.
pub(crate) fn run(names: &[&str]) -> Outcome {
    let chosen = choose(names)?;
    let mut times = Vec::new();
    let result = chosen.iter().try_for_each(|step| {
        eprintln!("\n== {}: {}", step.name, step.about);
        let start = Instant::now();
        let done = (step.run)();
        times.push((step.name, start.elapsed(), word(&done)));
        done.map(drop).map_err(|error| format!("step {}: {error}", step.name))
    });
    print_times(&times);
    Ok(result?)
}

fn choose(names: &[&str]) -> Result<Vec<&'static Step>, Box<dyn Error>> {
    let find = |name: &&str| {
        let step = STEPS.iter().find(|step| step.name == *name);
        step.ok_or_else(|| format!("no step {name:?}; `cargo xtask ci --list` names them").into())
    };
    if names.is_empty() { Ok(STEPS.iter().collect()) } else { names.iter().map(find).collect() }
}

fn word(done: &Result<Done, Box<dyn Error>>) -> &'static str {
    match done {
        Ok(Done::Passed) => "passed",
        Ok(Done::Skipped) => "SKIPPED, in part or whole",
        Err(_) => "FAILED",
    }
}

fn print_times(times: &[(&str, Duration, &str)]) {
    eprintln!();
    for (name, time, word) in times {
        eprintln!("{name:<14} {:>7.1} s  {word}", time.as_secs_f64());
    }
    let total: Duration = times.iter().map(|(_, time, _)| *time).sum();
    eprintln!("{:<14} {:>7.1} s", "total", total.as_secs_f64());
}
