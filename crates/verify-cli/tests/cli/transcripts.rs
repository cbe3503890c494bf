//! Sessions at a shell, word for word: `tests/cmd`. `TRYCMD=overwrite` writes them anew.

#[test]
fn sessions_run_as_written() {
    let cases = trycmd::TestCases::new();
    cases.insert_var("[VERSION]", env!("CARGO_PKG_VERSION")).unwrap();
    cases
        .case("tests/cmd/*.trycmd")
        .env("NO_COLOR", "1")
        .register_bin("verify", std::path::Path::new(env!("CARGO_BIN_EXE_verify")));
}
