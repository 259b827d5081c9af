//! Puts a text on the clipboard: through a program where there is a desktop, otherwise through the terminal.
//!
//! The terminal is asked by an escape sequence (OSC 52), which reaches the clipboard of the machine a person sits at even over
//! SSH and needs no library; but some terminals ignore it and none answers, so a program that can fail is preferred.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use kitbag_door::env::{self, Variables};

/// The programs of each desktop, with the environment variable that reveals the desktop.
const PROGRAMS: [(&str, &str, &[&str]); 3] = [
    ("WAYLAND_DISPLAY", "wl-copy", &[]),
    ("DISPLAY", "xclip", &["-selection", "clipboard"]),
    ("DISPLAY", "xsel", &["--clipboard", "--input"]),
];

/// Copies `text` and says how, or why that was not possible.
pub(crate) fn copy(text: &str, variables: &Variables) -> Result<String, String> {
    let has = |name: &str| env::get(variables, name).is_some_and(|value| !value.is_empty());
    let desktop = PROGRAMS
        .iter()
        .filter(|(variable, ..)| has(variable))
        .map(|(_, program, args)| (*program, *args));
    let mac = cfg!(target_os = "macos").then_some(("pbcopy", &[][..]));
    // Over SSH the desktop's clipboard would be that of the wrong machine.
    let programs: Vec<(&str, &[&str])> = match has("SSH_CONNECTION") {
        true => Vec::new(),
        false => desktop.chain(mac).collect(),
    };
    for (program, args) in programs {
        if run(program, args, text).is_ok_and(|done| done) {
            return Ok(format!("copied with {program}"));
        }
    }
    let sequence = format!("\x1b]52;c;{}\x07", base64(text.as_bytes()));
    OpenOptions::new()
        .write(true)
        .open("/dev/tty")
        .and_then(|mut terminal| terminal.write_all(sequence.as_bytes()))
        .map(|()| "the terminal was asked to copy it (OSC 52)".to_owned())
        .map_err(|_| {
            "there is neither a clipboard program (wl-copy, xclip, xsel, pbcopy) nor a terminal".to_owned()
        })
}

fn run(program: &str, args: &[&str], text: &str) -> io::Result<bool> {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let written = match child.stdin.take() {
        Some(mut stdin) => stdin.write_all(text.as_bytes()),
        None => Ok(()),
    };
    // Waited for in any case, so that no dead child is left behind.
    let status = child.wait()?;
    written?;
    Ok(status.success())
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let number = group
            .iter()
            .chain([&0, &0])
            .take(3)
            .fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte));
        for idx in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * idx)) as usize & 63] as char;
            out.push(if idx <= group.len() { digit } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cli_1_base64_as_terminals_read_it() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("ü\n", "w7wK"),
        ];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }
}
