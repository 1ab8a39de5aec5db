#!/usr/bin/env python3
"""The official OpenAI SDK, through `memory proxy`, to a scripted upstream.  proxy.py (with $MEMORY_BIN)"""
import concurrent.futures, glob, json, os, re, shutil, signal, ssl, subprocess, sys, tempfile, time, urllib.request

import openai
from pydantic import BaseModel

from telling import case, has, leave, same

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = {"type": "function", "function": {"name": "weather", "description": "Tells it", "parameters": {
    "type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}}}


class Colour(BaseModel):
    name: str
    shade: str


class Stage:
    """An upstream, a proxy in front of it, and a store."""

    def __init__(self, *flags, certificate=(), env=None):
        self.upstream = subprocess.Popen([sys.executable, os.path.join(HERE, "upstream.py"), *certificate], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)
        self.env = {**os.environ, **(env or {})}
        self.base = self.upstream.stdout.readline().strip()
        self.store = os.path.join(tempfile.mkdtemp(), "memory_db")
        self.flags = flags
        self.begin()

    def begin(self):
        self.proxy, self.url = self.another()
        self.client = openai.OpenAI(base_url=self.url, api_key="client-key", max_retries=2)

    def another(self):
        """Starts a proxy on the same store."""
        command = [os.environ["MEMORY_BIN"], "proxy", "--openai-base-url", self.base, "--memory-path", self.store,
                   "--port", "0", *self.flags]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=self.env)
        for line in process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:\d+/v1", line):
                return process, found[0]
        raise SystemExit("The proxy did not begin")

    def chat(self, text, model="echo", conversation="one", **more):
        extra = {"memory_id": conversation, **more.pop("extra_body", {})}
        return self.client.chat.completions.create(
            model=model, messages=[{"role": "user", "content": text}], extra_body=extra, **more)

    def sent(self):
        """What reached the upstream from clients, the last first."""
        with urllib.request.urlopen(self.base.removesuffix("/v1") + "/requests") as found:
            return [r for r in reversed(json.load(found)) if r["headers"].get("authorization") == "Bearer client-key"]

    def turns(self, role, conversation="one"):
        texts = []
        for path in sorted(glob.glob(f"{self.store}/entries/{conversation}/turns/{role}/*.md")):
            with open(path) as file:
                texts.append(file.read().split("---\n", 2)[2].strip())
        return texts

    def facts(self, conversation="one"):
        return glob.glob(f"{self.store}/entries/{conversation}/facts/*.md")

    def end(self):
        self.proxy.send_signal(signal.SIGTERM)
        self.proxy.wait(60)
        self.upstream.stdin.close()
        self.upstream.wait(10)


def whole(stage):
    reply = stage.chat("hello there", temperature=0.25, seed=12345678901234567890, logit_bias={"50256": -100})
    has(reply.choices[0].message.content, "You said:")
    same(type(reply.memory_hits), list)
    body = json.loads(stage.sent()[0]["body"])
    same((body["temperature"], body["seed"], body["logit_bias"]), (0.25, 12345678901234567890, {"50256": -100}))
    same([name for name in body if name.startswith("memory_")], [])
    same((stage.turns("user"), stage.turns("assistant")), (["hello there"], ["You said: hello there"]))


def streamed(stage):
    stream = stage.chat("größer 大", conversation="two", stream=True, stream_options={"include_usage": True})
    pieces = list(stream)
    same(pieces[-1].usage.total_tokens, 2)
    text = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
    same(text, "You said: größer 大")
    same((stage.turns("user", "two"), stage.turns("assistant", "two")), (["größer 大"], [text]))


def tools(stage):
    messages = [{"role": "user", "content": "the weather?"}]
    ask = lambda: stage.client.chat.completions.create(model="tools", messages=messages, tools=[TOOL], tool_choice="auto",
                                                       extra_body={"memory_id": "tools"}).choices[0].message
    call = ask()
    same((call.tool_calls[0].function.name, json.loads(call.tool_calls[0].function.arguments)), ("weather", {"place": "Paris"}))
    same(json.loads(stage.sent()[0]["body"])["tools"], [TOOL])
    messages += [call, {"role": "tool", "tool_call_id": "call_1", "content": "sunny"}]
    same(ask().content, "You said: sunny")
    same(json.loads(stage.sent()[0]["body"])["messages"][-1]["tool_call_id"], "call_1")
    same((stage.turns("user", "tools"), stage.turns("assistant", "tools")), (["the weather?"], ["You said: sunny"]))


def structured(stage):
    parsed = stage.client.chat.completions.parse(model="structured", messages=[{"role": "user", "content": "a colour"}],
                                                 response_format=Colour, extra_body={"memory_id": "structured"})
    same(parsed.choices[0].message.parsed, Colour(name="blue", shade="blue"))
    same(json.loads(stage.sent()[0]["body"])["response_format"]["json_schema"]["strict"], True)


def parts(stage):
    content = [{"type": "text", "text": "what is this?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
    stage.client.chat.completions.create(model="echo", messages=[{"role": "user", "content": content}], extra_body={"memory_id": "parts"})
    same(json.loads(stage.sent()[0]["body"])["messages"][-1]["content"][-1], content[1])
    same(stage.turns("user", "parts"), ["what is this?"])


def retried(stage):
    has(stage.chat("try me", model="flaky", conversation="retry").choices[0].message.content, "try me")
    stream = stage.chat("try me too", model="flaky", conversation="retry", stream=True)
    same("".join(p.choices[0].delta.content or "" for p in stream), "You said: try me too")
    same(stage.turns("user", "retry"), ["try me", "try me too"])


def failing(stage):
    for status, kind in ((400, openai.BadRequestError), (401, openai.AuthenticationError), (404, openai.NotFoundError),
                         (429, openai.RateLimitError), (500, openai.InternalServerError)):
        try:
            stage.chat("fail", model=f"error-{status}", conversation="errors")
            raise AssertionError(f"{status} was no error")
        except kind as problem:
            same((problem.status_code, problem.code), (status, "told"))
    same(stage.turns("user", "errors"), [])


def cut(stage):
    try:
        list(stage.chat("cut me", model="cut", conversation="cut", stream=True))
        raise AssertionError("half a stream was no error")
    except openai.APIError:
        pass
    same((stage.turns("user", "cut"), stage.turns("assistant", "cut")), (["cut me"], []))


def job(stage):
    stage.chat("### Task:\nGenerate a concise title", conversation="job")
    same((stage.turns("user", "job"), stage.turns("assistant", "job")), ([], []))
    same(stage.sent()[0]["body"].count("Generate a concise title"), 1)


def others(stage):
    has([model.id for model in stage.client.models.list()], "echo")
    vectors = stage.client.embeddings.create(model="e", input=["a b", "a b"]).data
    same(vectors[0].embedding, vectors[1].embedding)
    health = json.load(urllib.request.urlopen(stage.url.removesuffix("/v1") + "/health"))
    same((health["status"], health["default_top_k"], health["openai_base_url"]), ("ok", 5, stage.base))


def crowded(stage):
    """Fifty chats at once, through two proxies on one store."""
    process, url = stage.another()
    other = openai.OpenAI(base_url=url, api_key="client-key")
    one = lambda n: (stage.client, other)[n % 2].chat.completions.create(
        model="echo", messages=[{"role": "user", "content": f"number {n}"}], extra_body={"memory_id": f"crowd{n % 5}"})
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        list(pool.map(one, range(50)))
    process.send_signal(signal.SIGTERM)
    same(process.wait(60), 0)
    said = [text for c in range(5) for text in stage.turns("user", f"crowd{c}")]
    same(sorted(said), sorted(f"number {n}" for n in range(50)))
    answers = [text for c in range(5) for text in stage.turns("assistant", f"crowd{c}")]
    same(sorted(answers), sorted(f"You said: number {n}" for n in range(50)))


def killed(stage):
    """A proxy that is killed after a reply has kept the turns, and the next one does the rest."""
    stage.chat("My wife is called Anne and we live in Lyon", conversation="killed")
    stage.proxy.kill()
    stage.proxy.wait()
    same(stage.turns("user", "killed"), ["My wife is called Anne and we live in Lyon"])
    stage.begin()
    until = time.monotonic() + 30
    while not stage.facts("killed") and time.monotonic() < until:
        time.sleep(0.05)
    assert stage.facts("killed"), "no facts after the next start"


def remembered(stage):
    """What is told in one chat is known in a later one."""
    stage.chat("My favourite mountain is the Eiger", conversation="later")
    until = time.monotonic() + 30
    while not stage.facts("later") and time.monotonic() < until:
        time.sleep(0.05)
    reply = stage.chat("Which mountain do I like best?", conversation="later", extra_body={"memory_score_threshold": 0})
    has(json.loads(stage.sent()[0]["body"])["messages"][-1]["content"], "Eiger")
    assert any("Eiger" in hit["text"] for hit in reply.memory_hits), reply.memory_hits


def stopped(stage):
    """What follows the last replies is done before the proxy ends."""
    for n in range(3):
        stage.chat(f"My neighbour number {n} is called Paul{n}", conversation="last")
    stage.proxy.send_signal(signal.SIGTERM)
    same(stage.proxy.wait(60), 0)
    same(len(stage.turns("assistant", "last")), 3)
    same(glob.glob(f"{stage.store}/entries/last/.pending/*.json"), [])
    stage.begin()


def down(stage):
    """An upstream that is gone is told as OpenAI tells it, and its end loses and doubles nothing."""
    stage.upstream.kill()
    stage.upstream.wait()
    for streams in (False, True):
        try:
            stage.chat("is anyone there?", conversation="down", stream=streams)
            raise AssertionError("nobody answered, and that was no error")
        except openai.InternalServerError as problem:
            same((problem.status_code, problem.code), (502, "upstream_unreachable"))
    same((stage.turns("user", "down"), stage.turns("assistant", "down")), (["is anyone there?"], []))


def secured(_):
    """An upstream and a model behind TLS, whose certificate is signed by an authority of its own."""
    folder = tempfile.mkdtemp()
    at = lambda name: os.path.join(folder, name)
    make = lambda *words: subprocess.run(["openssl", *words], check=True, capture_output=True)
    make("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", at("ca.key"), "-out", at("ca.pem"), "-days", "2", "-subj", "/CN=Own")
    make("req", "-newkey", "rsa:2048", "-nodes", "-keyout", at("key"), "-out", at("csr"), "-subj", "/CN=localhost")
    with open(at("names"), "w") as file:
        file.write("subjectAltName=IP:127.0.0.1")
    make("x509", "-req", "-in", at("csr"), "-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-out", at("pem"), "-days", "2",
         "-extfile", at("names"))
    stage = Stage("--no-llm", certificate=(at("pem"), at("key")), env={"SSL_CERT_FILE": at("ca.pem"), "SSL_CERT_DIR": ""})
    has(stage.chat("hello there").choices[0].message.content, "You said: hello there")
    same(stage.turns("assistant"), ["You said: hello there"])
    stage.proxy.kill()
    with open(at("config.yaml"), "w") as file:
        file.write(f"llm:\n  base_url: {stage.base}\n  model: own\n")
    stage.flags = ("--config", at("config.yaml"))
    stage.begin()
    stage.chat("I live in Oslo")
    stage.proxy.send_signal(signal.SIGTERM)
    same([line for line in stage.proxy.stderr if "model failed" in line], [])
    stage.proxy.wait(60)
    trusted = ssl.create_default_context(cafile=at("ca.pem"))
    with urllib.request.urlopen(stage.base.removesuffix("/v1") + "/requests", context=trusted) as found:
        has([json.loads(r["body"] or "{}").get("model") for r in json.load(found)], "own")
    stage.flags, stage.env = ("--no-llm",), dict(os.environ)
    stage.begin()
    try:
        stage.chat("hello again")
        raise AssertionError("a stranger's certificate was no error")
    except openai.InternalServerError as problem:
        has(str(problem), "SSL_CERT_FILE")
    stage.end()


def main():
    stage = Stage("--no-llm")
    for name, work in (("a whole reply", whole), ("a stream", streamed), ("tools", tools), ("structured output", structured),
                       ("content in parts", parts), ("retries", retried), ("errors", failing), ("a cut stream", cut),
                       ("a job for a title", job), ("models, embeddings, health", others), ("fifty at once, two proxies", crowded),
                       ("killed and begun again", killed), ("remembered", remembered), ("stopped", stopped),
                       ("an upstream that is gone", down), *[("an upstream behind TLS", secured)] * bool(shutil.which("openssl"))):
        case(f"OpenAI SDK: {name}", work, stage)
    stage.end()
    leave()


main()
