"""`server.json`, the entry of the MCP registry."""

import hashlib
import os

import bundle
from project import NAME, OUT, REPOSITORY, SUMMARY, VERSION, mcp_name, run, tool, write_json

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
VALIDATE = """\
import json, pathlib, sys, jsonschema, skillsaw
schema = pathlib.Path(skillsaw.__file__).parent / "schemas/mcp_registry/v2025_12_11/server.schema.json"
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(schema)))
"""


def build():
    """Writes the entry and checks it against the schema of the registry.

    A bundle is found by its address: without PACKAGES_DOWNLOADS it is left out.
    """
    packages = [package("pypi", "uvx"), package("npm", "npx")]
    downloads = os.environ.get("PACKAGES_DOWNLOADS")
    if downloads and bundle.path().exists():
        packages.append({
            "registryType": "mcpb",
            "identifier": f"{downloads.rstrip('/')}/{bundle.path().name}",
            "version": VERSION,
            "fileSha256": hashlib.sha256(bundle.path().read_bytes()).hexdigest(),
            "transport": {"type": "stdio"},
        })
    entry = write_json(OUT / "server.json", {
        "$schema": SCHEMA,
        "name": mcp_name(),
        "title": "Memory",
        "description": SUMMARY.split(":")[0],
        "version": VERSION,
        **({"repository": {"url": REPOSITORY, "source": "github"}} if REPOSITORY else {}),
        "packages": packages,
    })
    run(tool("python"), "-c", VALIDATE, entry)


def package(registry, starter):
    return {
        "registryType": registry,
        "identifier": NAME,
        "version": VERSION,
        "runtimeHint": starter,
        "transport": {"type": "stdio"},
        # Without an argument the program prints its help instead of speaking MCP.
        "packageArguments": [{"type": "positional", "value": "mcp"}],
    }
