//! Programs that a chore starts.

use std::process::Command;

/// What a program prints, or why it failed.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let result = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if !result.status.success() {
        return Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&result.stderr).trim()
        ));
    }
    String::from_utf8(result.stdout).map_err(|_| format!("{command:?}: output is not UTF-8"))
}
