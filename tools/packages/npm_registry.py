"""A registry on this machine that offers packed npm packages, so that npm resolves them by name."""

import base64
import contextlib
import hashlib
import http.server
import json
import tarfile
import threading


@contextlib.contextmanager
def serve(folder):
    """Serves the packages of a folder; gives the address."""
    packages = dict(map(read, folder.glob("*.tgz")))

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.strip("/")
            if name in packages:
                address = f"http://127.0.0.1:{self.server.server_address[1]}"
                self.answer(json.dumps(document(address, *packages[name])).encode())
            elif (folder / name).is_file() and "/" not in name:
                self.answer((folder / name).read_bytes())
            else:
                self.send_error(404)

        def answer(self, body):
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


def read(path):
    with tarfile.open(path) as archive:
        manifest = json.load(archive.extractfile("package/package.json"))
    return manifest["name"], (manifest, path)


def document(address, manifest, path):
    """Returns what a registry says about a package with one version."""
    digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
    distribution = {"tarball": f"{address}/{path.name}", "integrity": f"sha512-{digest}"}
    version = manifest["version"]
    return {
        "name": manifest["name"],
        "dist-tags": {"latest": version},
        "versions": {version: manifest | {"dist": distribution}},
    }
