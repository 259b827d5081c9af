//! The two commands of the README: the one that shows the product and the one that runs all tests.
//!
//! A newcomer copies them, so the gate runs exactly these and not a version of its own. They are the lines of the first
//! fenced `sh` block; comments and blank lines aside there must be two.

#[cfg(test)]
mod tests;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Commands<'a> {
    pub(crate) show: &'a str,
    pub(crate) test: &'a str,
}

/// The two commands, or what is wrong with the block.
pub(crate) fn commands(readme: &str) -> Result<Commands<'_>, String> {
    let block: Vec<&str> = readme
        .lines()
        .skip_while(|line| line.trim_end() != "```sh")
        .skip(1)
        .take_while(|line| !line.starts_with("```"))
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    match block.as_slice() {
        [show, test] => Ok(Commands { show, test }),
        other => Err(format!(
            "the first ```sh block must hold exactly the two newcomer commands (show, test), it holds {}",
            other.len()
        )),
    }
}
