//! A server for tests: answers each request as a function says, and remembers what was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What was asked.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(its, _)| its.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

/// What is answered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// After so many bytes of the body the line breaks.
    pub(crate) cut: Option<usize>,
}

impl Reply {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Reply {
            status,
            body: body.into(),
            ..Reply::default()
        }
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

/// A server that runs until the test ends.
pub(crate) struct Loopback {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Loopback {
    pub(crate) fn new(answer: impl Fn(&Request) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Some(request) = read(&stream) else {
                    continue;
                };
                let reply = answer(&request);
                let is_head = request.method == "HEAD";
                heard.lock().unwrap().push(request);
                let _ = write(stream, &reply, is_head);
            }
        });
        Loopback { url, asked }
    }

    pub(crate) fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let mut request = Request {
        method,
        path,
        headers,
        body: String::new(),
    };
    let length = request
        .header("content-length")
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    reader.take(length).read_to_string(&mut request.body).ok()?;
    Some(request)
}

fn write(mut stream: TcpStream, reply: &Reply, is_head: bool) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {} x\r\nconnection: close\r\ncontent-length: {}\r\n",
        reply.status,
        reply.body.len()
    )?;
    for (name, value) in &reply.headers {
        write!(stream, "{name}: {value}\r\n")?;
    }
    stream.write_all(b"\r\n")?;
    let body = &reply.body[..reply.cut.unwrap_or(reply.body.len()).min(reply.body.len())];
    if is_head {
        Ok(())
    } else {
        stream.write_all(body)
    }
}
