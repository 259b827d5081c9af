use super::{Piece, lines, links, plain, spans};

#[test]
fn ins_3_lines_know_what_they_are() {
    let text = "---\na: 1\n---\n# Head #\npara\nmore\n\n- [ ] item\n  goes on\n```sh title\nrun\n```\n<!-- no\nno -->\n| a | b |\n> quoted\n";
    let got: Vec<String> = lines(text)
        .into_iter()
        .map(|line| match line.piece {
            Piece::Heading(text) => format!("{} # {text}", line.number),
            Piece::Prose {
                text,
                starts,
                is_item,
            } => format!("{} {starts} {is_item} {text}", line.number),
            Piece::Row(text) => format!("{} row {text}", line.number),
            Piece::Code { text, language, .. } => format!("{} code {language} {text}", line.number),
        })
        .collect();
    assert_eq!(
        got,
        [
            "4 # Head",
            "5 true false para",
            "6 false false more",
            "8 true true item",
            "9 false false goes on",
            "11 code sh run",
            "15 row | a | b |",
            "16 true false quoted",
        ]
    );
}

#[test]
fn ins_13_spans_and_links_of_a_line() {
    assert_eq!(spans("run `a b` or ``c ` d`` and `open"), ["a b", "c ` d"]);
    assert_eq!(links("[a](b.md \"t\") and [c](<d e>)"), ["b.md", "d"]);
    assert_eq!(
        plain("**Use** [this](x) and `a*b` *now*"),
        "Use this and `a*b` now"
    );
}
