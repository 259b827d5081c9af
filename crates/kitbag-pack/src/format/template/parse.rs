//! A template's text in, its tree out, or the line and what is wrong there (SEC-4).
//!
//! Everything that a stranger could make long or deep is counted before it is built: bytes of the template, tags, tokens of a
//! tag, blocks in blocks. So the recursion here, over the tokens of one tag and the blocks of one template, is never deep.

use super::run::Data;
use super::{
    ALLOWED_EXPRESSIONS, ALLOWED_STATEMENTS, BadTemplate, MAX_BYTES, MAX_DEPTH, MAX_TAGS, MAX_TOKENS,
};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Text(String),
    Print {
        line: usize,
        value: Expression,
    },
    For {
        line: usize,
        name: String,
        list: Path,
        body: Vec<Node>,
        /// Where the list is empty.
        otherwise: Vec<Node>,
    },
    If {
        line: usize,
        /// `if` and each `elif`; the first that holds is taken.
        arms: Vec<(Expression, Vec<Node>)>,
        otherwise: Vec<Node>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Literal(Data),
    Path(Path),
    Filter(Box<Expression>, Filter),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Compare(Box<Expression>, Comparison, Box<Expression>),
}

/// `file.path`: a name and the fields after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path(pub(super) Vec<String>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    Upper,
    Lower,
    Trim,
    Escape,
    Length,
    First,
    Last,
    Join(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    In,
    NotIn,
}

#[derive(Clone, Debug, PartialEq)]
enum Token<'t> {
    Name(&'t str),
    Literal(Data),
    Sign(&'static str),
}

/// Signs of two characters before those of one: the first match is taken.
const SIGNS: &[&str] = &["==", "!=", "<=", ">=", "<", ">", "|", ".", "(", ")"];
/// What a `{% … %}` may begin with.
const STATEMENTS: &[&str] = &["for", "endfor", "if", "elif", "else", "endif"];
/// Reserved words, which cannot be names.
const KEYWORDS: &[&str] = &[
    "and", "elif", "else", "endfor", "endif", "for", "if", "in", "is", "not", "or", "loop",
];
/// Longest excerpt of a template in a message, in characters.
const MAX_QUOTED: usize = 40;

pub(super) fn parse(text: &str) -> Result<Vec<Node>, BadTemplate> {
    if text.len() > MAX_BYTES {
        let n_bytes = text.len();
        return Err(BadTemplate(format!(
            "it has {n_bytes} bytes; at most {MAX_BYTES} are taken"
        )));
    }
    // As in Jinja: the line break that ends the file is not part of it.
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    let mut parser = Parser {
        text,
        at: 0,
        line: 1,
        n_tags: 0,
        blocks: vec![Block::default()],
    };
    parser.template()?;
    let root = parser.blocks.pop().expect("the root is never closed");
    match parser.blocks.is_empty() {
        true => Ok(root.nodes),
        false => Err(wrong(root.line, &format!("{} is not closed", root.kind.opened()))),
    }
}

/// What is wrong, and where.
pub(super) fn wrong(line: usize, what: &str) -> BadTemplate {
    BadTemplate(format!("line {line}: {what}"))
}

/// What was found, short enough for a message.
fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_QUOTED).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("`{}`", crate::format::one_line(&shown))
}

/// A block that is open, and what is in it so far.
#[derive(Default)]
struct Block {
    line: usize,
    kind: Kind,
    nodes: Vec<Node>,
}

#[derive(Default)]
enum Kind {
    #[default]
    Root,
    For {
        name: String,
        list: Path,
        /// The nodes of the loop, once `else` is reached.
        body: Option<Vec<Node>>,
    },
    If {
        arms: Vec<(Expression, Vec<Node>)>,
        /// Of the arm that is open; nothing after `else`.
        condition: Option<Expression>,
    },
}

impl Kind {
    fn opened(&self) -> &'static str {
        match self {
            Self::Root => "the template",
            Self::For { .. } => "{% for %}",
            Self::If { .. } => "{% if %}",
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    /// Bytes read so far, and the line they end on.
    at: usize,
    line: usize,
    n_tags: usize,
    blocks: Vec<Block>,
}

impl<'t> Parser<'t> {
    fn template(&mut self) -> Result<(), BadTemplate> {
        let mut trim_next = false;
        loop {
            let rest = &self.text[self.at..];
            let opened = next_tag(rest);
            let (mut plain, tag) = match opened {
                Some(start) => rest.split_at(start),
                None => (rest, ""),
            };
            let n_plain = plain.len();
            if trim_next {
                plain = plain.trim_start();
            }
            let trims = tag.as_bytes().get(2) == Some(&b'-');
            if trims {
                plain = plain.trim_end();
            }
            if !plain.is_empty() {
                self.put(Node::Text(plain.to_owned()));
            }
            self.advance(n_plain);
            if tag.is_empty() {
                return Ok(());
            }
            self.n_tags += 1;
            if self.n_tags > MAX_TAGS {
                return Err(wrong(self.line, &format!("more than {MAX_TAGS} tags")));
            }
            trim_next = match &tag[..2] {
                "{#" => self.comment()?,
                "{{" => self.print(trims)?,
                _ => self.statement(trims)?,
            };
        }
    }

    fn put(&mut self, node: Node) {
        let block = self.blocks.last_mut().expect("the root is never closed");
        block.nodes.push(node);
    }

    fn advance(&mut self, n_bytes: usize) {
        let passed = &self.text[self.at..self.at + n_bytes];
        self.line += passed.bytes().filter(|byte| *byte == b'\n').count();
        self.at += n_bytes;
    }

    /// Whether the white space after it goes.
    fn comment(&mut self) -> Result<bool, BadTemplate> {
        let rest = &self.text[self.at..];
        let Some(end) = rest[2..].find("#}") else {
            return Err(wrong(self.line, "{# is not closed by #}"));
        };
        let trims = rest[2..2 + end].ends_with('-');
        self.advance(end + 4);
        Ok(trims)
    }

    fn print(&mut self, trims: bool) -> Result<bool, BadTemplate> {
        let line = self.line;
        let (tokens, trims_next) = self.tokens("{{", "}}", trims)?;
        let mut tokens = Tokens::new(line, tokens);
        let value = tokens.expression()?;
        tokens.end()?;
        self.put(Node::Print { line, value });
        Ok(trims_next)
    }

    fn statement(&mut self, trims: bool) -> Result<bool, BadTemplate> {
        let line = self.line;
        // Checked first: the rest of an unknown statement may be anything.
        let inside = self.text[self.at + 2 + usize::from(trims)..].trim_start();
        let end = inside.find(|c: char| !c.is_alphanumeric() && c != '_');
        let keyword = &inside[..end.unwrap_or(inside.len())];
        if !STATEMENTS.contains(&keyword) {
            let found = quoted(keyword);
            let what = format!("{{% {found} %}} is not taken; {ALLOWED_STATEMENTS}");
            return Err(wrong(line, &what));
        }
        let (tokens, trims_next) = self.tokens("{%", "%}", trims)?;
        let mut tokens = Tokens::new(line, tokens);
        tokens.next();
        match keyword {
            "for" => {
                let kind = for_each(&mut tokens)?;
                self.open(line, kind)?;
            }
            "if" => {
                let condition = Some(tokens.expression()?);
                let arms = Vec::new();
                self.open(line, Kind::If { arms, condition })?;
            }
            "elif" => {
                let condition = tokens.expression()?;
                self.next_arm(line, Some(condition))?;
            }
            "else" => self.next_arm(line, None)?,
            _ => self.close(line, keyword)?,
        }
        tokens.end()?;
        Ok(trims_next)
    }

    fn open(&mut self, line: usize, kind: Kind) -> Result<(), BadTemplate> {
        // The root is one of them.
        if self.blocks.len() > MAX_DEPTH {
            return Err(wrong(
                line,
                &format!("more than {MAX_DEPTH} blocks in each other"),
            ));
        }
        let nodes = Vec::new();
        self.blocks.push(Block { line, kind, nodes });
        Ok(())
    }

    /// `elif` with its condition, or `else`.
    fn next_arm(&mut self, line: usize, next: Option<Expression>) -> Result<(), BadTemplate> {
        let block = self.blocks.last_mut().expect("the root is never closed");
        let done = std::mem::take(&mut block.nodes);
        match (&mut block.kind, next) {
            (Kind::If { arms, condition }, next) if condition.is_some() => {
                arms.extend(condition.take().map(|condition| (condition, done)));
                *condition = next;
                Ok(())
            }
            (Kind::For { body, .. }, None) if body.is_none() => {
                *body = Some(done);
                Ok(())
            }
            _ => Err(wrong(
                line,
                "{% elif %} and {% else %} stand inside {% if %}, in that order; {% else %} also in {% for %}",
            )),
        }
    }

    fn close(&mut self, line: usize, keyword: &str) -> Result<(), BadTemplate> {
        let block = self.blocks.pop().expect("the root is never closed");
        let node = match (block.kind, keyword) {
            (Kind::For { name, list, body }, "endfor") => {
                let (body, otherwise) = match body {
                    Some(body) => (body, block.nodes),
                    None => (block.nodes, Vec::new()),
                };
                Node::For {
                    line: block.line,
                    name,
                    list,
                    body,
                    otherwise,
                }
            }
            (Kind::If { mut arms, condition }, "endif") => {
                let otherwise = match condition {
                    Some(condition) => {
                        arms.push((condition, block.nodes));
                        Vec::new()
                    }
                    None => block.nodes,
                };
                Node::If {
                    line: block.line,
                    arms,
                    otherwise,
                }
            }
            (kind, _) => {
                let what = format!("{{% {keyword} %}} closes {}", kind.opened());
                return Err(wrong(line, &what));
            }
        };
        self.put(node);
        Ok(())
    }

    /// The tokens of the tag that begins here, and whether the white space after it goes.
    fn tokens(
        &mut self,
        opening: &str,
        closing: &str,
        trims: bool,
    ) -> Result<(Vec<Token<'t>>, bool), BadTemplate> {
        let line = self.line;
        self.advance(opening.len() + usize::from(trims));
        let mut tokens = Vec::new();
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            self.advance(blank);
            let rest = &self.text[self.at..];
            if rest.starts_with(closing) {
                self.advance(closing.len());
                return Ok((tokens, false));
            }
            if rest
                .strip_prefix('-')
                .is_some_and(|rest| rest.starts_with(closing))
            {
                self.advance(1 + closing.len());
                return Ok((tokens, true));
            }
            if rest.is_empty() {
                return Err(wrong(line, &format!("{opening} is not closed by {closing}")));
            }
            if tokens.len() == MAX_TOKENS {
                return Err(wrong(
                    line,
                    &format!("more than {MAX_TOKENS} words and signs in one tag"),
                ));
            }
            let (token, n_bytes) = token(rest).map_err(|what| wrong(self.line, &what))?;
            tokens.push(token);
            self.advance(n_bytes);
        }
    }
}

/// Where the next `{{`, `{%` or `{#` is.
fn next_tag(text: &str) -> Option<usize> {
    let opens = |pair: &[u8]| pair[0] == b'{' && matches!(pair[1], b'{' | b'%' | b'#');
    text.as_bytes().windows(2).position(opens)
}

/// `for name in list`, after the `for`.
fn for_each(tokens: &mut Tokens<'_>) -> Result<Kind, BadTemplate> {
    let form = "{% for %} has the form {% for NAME in NAME.NAME %}";
    let name = match tokens.next() {
        Some(Token::Name(name)) if !KEYWORDS.contains(&name) => name.to_owned(),
        _ => return Err(wrong(tokens.line, form)),
    };
    if tokens.next() != Some(Token::Name("in")) {
        return Err(wrong(tokens.line, form));
    }
    match tokens.expression()? {
        Expression::Path(list) => Ok(Kind::For {
            name,
            list,
            body: None,
        }),
        _ => Err(wrong(tokens.line, form)),
    }
}

/// The token that `text` begins with, and its length.
fn token(text: &str) -> Result<(Token<'_>, usize), String> {
    if let Some(sign) = SIGNS.iter().find(|sign| text.starts_with(**sign)) {
        return Ok((Token::Sign(sign), sign.len()));
    }
    let first = text.chars().next().unwrap_or_default();
    let length_of = |is_in: fn(char) -> bool| text.find(|c| !is_in(c)).unwrap_or(text.len());
    if first == '_' || first.is_alphabetic() {
        let name = &text[..length_of(|c| c == '_' || c.is_alphanumeric())];
        let token = match name {
            "true" | "True" => Token::Literal(Data::Bool(true)),
            "false" | "False" => Token::Literal(Data::Bool(false)),
            "none" | "None" => Token::Literal(Data::Nothing),
            _ => Token::Name(name),
        };
        return Ok((token, name.len()));
    }
    if first.is_ascii_digit() {
        let number = &text[..length_of(|c| c == '.' || c.is_ascii_digit())];
        let data = match number.parse::<u64>() {
            Ok(whole) => Data::Whole(whole),
            Err(_) => match number.parse::<f64>() {
                Ok(decimal) if number.contains('.') => Data::Decimal(decimal),
                _ => return Err(format!("{} is not a number", quoted(number))),
            },
        };
        return Ok((Token::Literal(data), number.len()));
    }
    if first == '"' || first == '\'' {
        let (value, n_bytes) = literal_text(text, first)?;
        return Ok((Token::Literal(Data::Text(value)), n_bytes));
    }
    Err(format!(
        "found {}; {ALLOWED_EXPRESSIONS}",
        quoted(first.encode_utf8(&mut [0; 4]))
    ))
}

/// A text between quotes, and how many bytes it has with them.
fn literal_text(text: &str, quote: char) -> Result<(String, usize), String> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, escaped @ ('\\' | '\'' | '"'))) => value.push(escaped),
                _ => return Err("after \\ in a text stands \\, ', \", n or t".to_owned()),
            },
            c if c == quote => return Ok((value, at + 1)),
            c => value.push(c),
        }
    }
    Err(format!("a text begins with {quote} and does not end"))
}

/// The tokens of one tag, read from the front.
struct Tokens<'t> {
    line: usize,
    tokens: std::iter::Peekable<std::vec::IntoIter<Token<'t>>>,
}

impl<'t> Tokens<'t> {
    fn new(line: usize, tokens: Vec<Token<'t>>) -> Self {
        Self {
            line,
            tokens: tokens.into_iter().peekable(),
        }
    }

    fn next(&mut self) -> Option<Token<'t>> {
        self.tokens.next()
    }

    fn takes(&mut self, token: &Token<'_>) -> bool {
        self.tokens.next_if(|next| next == token).is_some()
    }

    fn end(&mut self) -> Result<(), BadTemplate> {
        match self.next() {
            None => Ok(()),
            found => Err(self.unexpected(found)),
        }
    }

    fn unexpected(&self, found: Option<Token<'_>>) -> BadTemplate {
        let found = match found {
            None => "the end of the tag".to_owned(),
            Some(Token::Name(name)) => quoted(name),
            Some(Token::Sign(sign)) => quoted(sign),
            Some(Token::Literal(Data::Text(_))) => "a text".to_owned(),
            Some(Token::Literal(_)) => "a literal".to_owned(),
        };
        wrong(self.line, &format!("found {found}; {ALLOWED_EXPRESSIONS}"))
    }

    /// `a or b`: what binds least is asked first.
    fn expression(&mut self) -> Result<Expression, BadTemplate> {
        let mut value = self.all_of()?;
        while self.takes(&Token::Name("or")) {
            value = Expression::Or(Box::new(value), Box::new(self.all_of()?));
        }
        Ok(value)
    }

    fn all_of(&mut self) -> Result<Expression, BadTemplate> {
        let mut value = self.negated()?;
        while self.takes(&Token::Name("and")) {
            value = Expression::And(Box::new(value), Box::new(self.negated()?));
        }
        Ok(value)
    }

    fn negated(&mut self) -> Result<Expression, BadTemplate> {
        if self.takes(&Token::Name("not")) {
            return Ok(Expression::Not(Box::new(self.negated()?)));
        }
        self.compared()
    }

    fn compared(&mut self) -> Result<Expression, BadTemplate> {
        let left = self.filtered()?;
        let comparison = match self.tokens.peek() {
            Some(Token::Sign("==")) => Comparison::Equal,
            Some(Token::Sign("!=")) => Comparison::Unequal,
            Some(Token::Sign("<")) => Comparison::Less,
            Some(Token::Sign("<=")) => Comparison::AtMost,
            Some(Token::Sign(">")) => Comparison::Greater,
            Some(Token::Sign(">=")) => Comparison::AtLeast,
            Some(Token::Name("in")) => Comparison::In,
            Some(Token::Name("not")) => Comparison::NotIn,
            _ => return Ok(left),
        };
        self.next();
        if comparison == Comparison::NotIn && !self.takes(&Token::Name("in")) {
            let found = self.next();
            return Err(self.unexpected(found));
        }
        let right = self.filtered()?;
        Ok(Expression::Compare(Box::new(left), comparison, Box::new(right)))
    }

    fn filtered(&mut self) -> Result<Expression, BadTemplate> {
        let mut value = self.single()?;
        while self.takes(&Token::Sign("|")) {
            let filter = self.filter()?;
            value = Expression::Filter(Box::new(value), filter);
        }
        Ok(value)
    }

    fn filter(&mut self) -> Result<Filter, BadTemplate> {
        let found = self.next();
        let Some(Token::Name(name)) = found else {
            return Err(self.unexpected(found));
        };
        Ok(match name {
            "upper" => Filter::Upper,
            "lower" => Filter::Lower,
            "trim" => Filter::Trim,
            "escape" | "e" => Filter::Escape,
            "length" | "count" => Filter::Length,
            "first" => Filter::First,
            "last" => Filter::Last,
            "join" => Filter::Join(self.separator()?),
            other => {
                let what = format!("the filter {} is not taken; {ALLOWED_EXPRESSIONS}", quoted(other));
                return Err(wrong(self.line, &what));
            }
        })
    }

    /// `(', ')` after `join`, or nothing.
    fn separator(&mut self) -> Result<String, BadTemplate> {
        if !self.takes(&Token::Sign("(")) {
            return Ok(String::new());
        }
        match (self.next(), self.takes(&Token::Sign(")"))) {
            (Some(Token::Literal(Data::Text(text))), true) => Ok(text),
            _ => Err(wrong(self.line, "join takes a text: join(', ')")),
        }
    }

    fn single(&mut self) -> Result<Expression, BadTemplate> {
        match self.next() {
            Some(Token::Literal(data)) => Ok(Expression::Literal(data)),
            Some(Token::Sign("(")) => {
                let inner = self.expression()?;
                if !self.takes(&Token::Sign(")")) {
                    let found = self.next();
                    return Err(self.unexpected(found));
                }
                Ok(inner)
            }
            Some(Token::Name(name)) if name == "loop" || !KEYWORDS.contains(&name) => {
                let mut path = vec![name.to_owned()];
                while self.takes(&Token::Sign(".")) {
                    match self.next() {
                        Some(Token::Name(field)) => path.push(field.to_owned()),
                        found => return Err(self.unexpected(found)),
                    }
                }
                Ok(Expression::Path(Path(path)))
            }
            found => Err(self.unexpected(found)),
        }
    }
}
