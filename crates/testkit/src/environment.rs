//! The environment of a process, which belongs to all its threads: what depends on it is tested in a process of its own.

use std::process::Command;

const INSIDE: &str = "GENTEN_TEST_WITH_PROXY_VARIABLES";

/// Whether this process was started by this function. Otherwise it runs the test of this name in such a process, with
/// variables that send whoever heeds them to a proxy where nobody listens, and the test there must pass.
///
/// # Panics
/// The test failed there, is not there, or could not be started.
pub fn has_dead_proxies(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let program = std::env::current_exe().expect("a test is a program");
    let mut again = Command::new(program);
    again.args([test, "--exact"]).env(INSIDE, "1");
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
    {
        again.env(name, "http://127.0.0.1:1");
    }
    let output = again.output().expect("a test can be started");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("1 passed"), "{test} with proxies in the environment: {output:?}");
    false
}
