"""The MCP bundle (.mcpb) for clients that install servers from a file."""

import programs
from project import (KEYWORDS, LICENSE, NAME, OUT, PLATFORMS, ROOT, SUMMARY, TARGETS, TOOLS, VERSION, WORK, empty, run,
                     write_json)

MCPB = "2.1.2"


def build():
    targets = {PLATFORMS[target]["bundle"]: target for target in TARGETS if "bundle" in PLATFORMS[target]}
    if not targets:
        return
    folder = empty(WORK / "bundle")
    for platform, target in targets.items():
        programs.copy_to(folder / "server" / platform, target)
    for file in ("LICENSE-MIT", "LICENSE-APACHE"):
        (folder / file).write_bytes((ROOT / file).read_bytes())
    first = next(iter(targets))
    write_json(folder / "manifest.json", {
        "manifest_version": "0.3",
        "name": NAME,
        "display_name": "Memory",
        "version": VERSION,
        "description": SUMMARY,
        "author": {"name": "The Memory project"},
        "license": LICENSE,
        "keywords": KEYWORDS,
        "server": {
            "type": "binary",
            "entry_point": f"server/{first}/memory",
            "mcp_config": {
                **start(first),
                "env": {},
                "platform_overrides": {platform: start(platform) for platform in targets},
            },
        },
        "tools_generated": True,
        "compatibility": {"platforms": sorted(targets)},
    })
    mcpb = tool()
    run(mcpb, "validate", folder / "manifest.json", capture_output=True)
    run(mcpb, "pack", folder, path(), capture_output=True)


def start(platform):
    return {"command": "${__dirname}/server/" + platform + "/memory", "args": ["mcp"]}


def path():
    return OUT / f"memory-{VERSION}.mcpb"


def tool():
    folder = TOOLS / f"mcpb-{MCPB}"
    program = folder / "node_modules/.bin/mcpb"
    if not program.exists():
        run("npm", "install", "--silent", "--ignore-scripts", "--prefix", folder, f"@anthropic-ai/mcpb@{MCPB}")
    return program
