//! Every directory of `testdata/verify` is one test: verdict, code and exit status must be those of its `case.toml`.

mod common;

use common::case::Case;
use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let trials = common::directory::all().into_iter().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn trial(case: Case) -> Trial {
    let id = case.id.clone();
    Trial::test(id, move || case.check().map_err(Into::into))
}
