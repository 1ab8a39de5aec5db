#!/usr/bin/env python3
"""A scripted OpenAI-compatible server, for tests and benchmarks: no model, no network, Python's standard library.

    upstream.py [CERTIFICATE KEY]     prints its address, and serves until its standard input ends

What it answers follows from the model's name:

    echo         "You said: " and the last line of the last message (the default)
    tools        a call of the first tool; after its result, an answer
    structured   an object of the schema that the request asks for
    error-NNN    an error with that status
    flaky        503 to the first try of a message, then as echo
    cut          half a stream, then the connection is closed
    nonsense     no JSON

Whoever asks for a JSON list, as proxies do for themselves, is given an empty one.
It keeps what it was sent; GET /requests returns it, DELETE /requests forgets it.
"""
import asyncio, base64, hashlib, json, ssl, struct, sys

requests, tried = [], set()


def last(messages):
    content = messages[-1].get("content") if messages else ""
    if isinstance(content, list):
        content = "\n".join(part.get("text", "") for part in content)
    return content or ""


def message(body):
    """The message that the model of this name would send."""
    model, messages = body.get("model", "echo"), body.get("messages", [])
    if body.get("tools") and body["tools"][0]["function"]["name"] == "final_result":  # how pydantic-ai asks for an object
        call = {"id": "call_1", "type": "function", "function": {"name": "final_result", "arguments": '{"response": []}'}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    if messages and messages[0].get("role") == "system" and "JSON" in str(messages[0].get("content")):
        return {"role": "assistant", "content": "[]"}
    if model == "tools" and messages[-1]["role"] != "tool":
        call = {"id": "call_1", "type": "function",
                "function": {"name": body["tools"][0]["function"]["name"], "arguments": '{"place": "Paris"}'}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    if model == "structured":
        names = body["response_format"]["json_schema"]["schema"]["properties"]
        return {"role": "assistant", "content": json.dumps({name: "blue" for name in names})}
    return {"role": "assistant", "content": "You said: " + last(messages).strip().split("\n")[-1]}


def chunks(body):
    """The message as the pieces of a stream."""
    said = message(body)
    piece = lambda delta, finish=None: {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body.get("model"),
                                        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    yield piece({"role": "assistant", "content": ""})
    for call in said.get("tool_calls", []):
        yield piece({"tool_calls": [{"index": 0, **call}]})
    text = said["content"] or ""
    for at in range(0, len(text), 7):
        yield piece({"content": text[at:at + 7]})
    yield piece({}, "tool_calls" if said.get("tool_calls") else "stop")
    if (body.get("stream_options") or {}).get("include_usage"):
        yield {**piece({}), "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}


def vector(text, size=384):
    """A vector of words: texts that share some lie close together."""
    numbers = [0.0] * size
    for word in text.lower().split():
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        numbers[int.from_bytes(digest[:4], "little") % size] += 1 if digest[4] & 1 else -1
    length = sum(number * number for number in numbers) ** 0.5 or 1
    return [number / length for number in numbers]


def embeddings(body):
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    in_bytes = body.get("encoding_format") == "base64"
    pack = lambda numbers: base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode() if in_bytes else numbers
    data = [{"object": "embedding", "index": n, "embedding": pack(vector(str(text)))} for n, text in enumerate(texts)]
    return {"object": "list", "data": data, "model": body.get("model"), "usage": {"prompt_tokens": 1, "total_tokens": 1}}


async def answer(method, target, headers, raw, out):
    path = target.split("?")[0]
    if path == "/requests":
        known = json.dumps(requests).encode()
        if method == "DELETE":
            requests.clear()
        return whole(out, 200, known)
    requests.append({"method": method, "target": target, "headers": headers, "body": raw.decode("utf-8", "replace")})
    if path == "/v1/models":
        names = ["echo", "tools", "structured"]
        return whole(out, 200, {"object": "list", "data": [{"id": n, "object": "model", "created": 1, "owned_by": "test"} for n in names]})
    if path == "/v1/embeddings":
        return whole(out, 200, embeddings(json.loads(raw)))
    if path != "/v1/chat/completions":
        return whole(out, 404, {"error": {"message": f"no {path}", "type": "invalid_request_error", "param": None, "code": None}})
    body = json.loads(raw)
    model = body.get("model", "echo")
    # What is put before a message is fenced anew each time; what the user said is not.
    if model == "flaky" and (said := last(body["messages"]).strip().split("\n")[-1]) not in tried:
        tried.add(said)
        model = "error-503"
    if model.startswith("error-"):
        status = int(model[6:])
        return whole(out, status, {"error": {"message": f"told to fail with {status}", "type": "test", "param": None, "code": "told"}},
                     "Retry-After: 0\r\n")
    if model == "nonsense":
        return whole(out, 200, b"<html>nonsense")
    if not body.get("stream"):
        said = message(body)
        return whole(out, 200, {"id": "r1", "object": "chat.completion", "created": 1, "model": model,
                                "choices": [{"index": 0, "message": said, "finish_reason": "tool_calls" if said.get("tool_calls") else "stop"}],
                                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
    out.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    events = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks(body)] + [b"data: [DONE]\n\n"]
    for event in events[:len(events) // 2] if model == "cut" else events:
        out.write(b"%x\r\n%s\r\n" % (len(event), event))
        await out.drain()
    if model == "cut":
        out.close()
    else:
        out.write(b"0\r\n\r\n")


def whole(out, status, body, more=""):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    out.write(f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{more}\r\n".encode() + body)


async def attend(come, out):
    try:
        while head := await come.readuntil(b"\r\n\r\n"):
            first, *lines = head.decode("latin-1").strip().split("\r\n")
            method, target, _ = first.split(" ")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            raw = await come.readexactly(int(headers.get("content-length", 0)))
            if headers.get("transfer-encoding") == "chunked":
                while size := int(await come.readline(), 16):
                    raw += await come.readexactly(size)
                    await come.readline()
                await come.readline()
            await answer(method, target, headers, raw, out)
            await out.drain()
    except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
        pass
    finally:
        out.close()


async def main():
    secure = None
    if len(sys.argv) > 2:
        secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        secure.load_cert_chain(*sys.argv[1:3])
    server = await asyncio.start_server(attend, "127.0.0.1", 0, limit=1 << 26, ssl=secure)
    print("%s://127.0.0.1:%d/v1" % ("https" if secure else "http", server.sockets[0].getsockname()[1]), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
