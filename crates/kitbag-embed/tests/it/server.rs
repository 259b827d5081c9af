//! A test server that speaks the protocol over a real socket: each request is answered by the next entry of a script, and all
//! requests are recorded.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// How to answer a request.
#[derive(Clone)]
pub(crate) enum Reply {
    /// Vectors made from the texts by [`vector_of`], the last text first.
    Vectors,
    /// Verbatim: the status line after `HTTP/1.1 `, further headers, the body.
    Raw(&'static str, &'static str, String),
    /// Close the connection without a reply.
    HangUp,
    /// Send half of the announced bytes, then close.
    Half,
    /// Keep the connection open and send nothing until the client closes it.
    Silence,
}

#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) path: String,
    /// Lower case names.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
}

/// Two numbers that distinguish texts, not of length 1.
pub(crate) fn vector_of(text: &str) -> [f32; 2] {
    [text.len() as f32, 10.0]
}

impl Server {
    /// After the script, every request gets vectors.
    pub(crate) fn start(script: Vec<Reply>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        let script = Arc::new(Mutex::new(VecDeque::from(script)));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (Ok(stream), script, kept) = (stream, Arc::clone(&script), Arc::clone(&kept)) else {
                    return;
                };
                std::thread::spawn(move || serve(stream, &script, &kept));
            }
        });
        Server { url, asked }
    }

    pub(crate) fn asked(&self) -> Vec<ReceivedRequest> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, script: &Mutex<VecDeque<Reply>>, kept: &Mutex<Vec<ReceivedRequest>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(asked) = read_request(&mut reader) {
        let texts: Vec<String> = asked.body["input"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| text.as_str().unwrap().to_owned())
            .collect();
        kept.lock().unwrap().push(asked);
        let reply = script.lock().unwrap().pop_front().unwrap_or(Reply::Vectors);
        let sent = match reply {
            Reply::Vectors => {
                let data: Vec<Value> = texts
                    .iter()
                    .enumerate()
                    .rev()
                    .map(|(index, text)| json!({"object": "embedding", "index": index, "embedding": vector_of(text)}))
                    .collect();
                let body =
                    json!({"object": "list", "data": data, "model": "m", "usage": {"total_tokens": 1}});
                respond(&mut stream, "200 OK", "", &body.to_string())
            }
            Reply::Raw(status, headers, body) => respond(&mut stream, status, headers, &body),
            Reply::HangUp => return,
            Reply::Half => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"data\": [");
                return;
            }
            // The next read waits for the client to give up.
            Reply::Silence => Ok(()),
        };
        if sent.is_err() {
            return;
        }
    }
}

fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{headers}\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<ReceivedRequest> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|n| *n > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")?
        .1
        .parse()
        .ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(ReceivedRequest {
        path,
        headers,
        body: serde_json::from_slice(&body).ok()?,
    })
}
