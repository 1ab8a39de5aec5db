"""The npm packages: one with the starter, and one for each platform with its programs.

The main package names the platform packages as optional dependencies, of which npm installs the one that fits. Nothing
is downloaded or executed during the installation.
"""

import shutil

import programs
from project import (HERE, KEYWORDS, LICENSE, NAME, OUT, PLATFORMS, PROGRAMS, README, REPOSITORY, ROOT, SUMMARY, TARGETS,
                     VERSION, WORK, empty, mcp_name, run, write_json)


def package_of(target):
    system, processor = PLATFORMS[target]["npm"]
    return f"{NAME}-{system}-{processor}"


def build():
    for target in TARGETS:
        system, processor = PLATFORMS[target]["npm"]
        folder = start(package_of(target), f"The programs of {NAME} for {system} on {processor}",
                       os=[system], cpu=[processor], files=["bin"])
        programs.copy_to(folder / "bin", target)
        (folder / "README.md").write_text(f"The programs of the package {NAME} for {system} on {processor}. "
                                          f"Install {NAME} instead.\n")
        pack(folder)
    folder = start(NAME, SUMMARY, mcpName=mcp_name(), keywords=KEYWORDS, files=["bin"], engines={"node": ">=18"},
                   bin={program: f"bin/{program}.js" for program in PROGRAMS},
                   optionalDependencies={package_of(target): VERSION for target in TARGETS})
    (folder / "bin").mkdir()
    for program in PROGRAMS:
        shutil.copy(HERE / "npm/start.js", folder / "bin" / f"{program}.js")
        (folder / "bin" / f"{program}.js").chmod(0o755)
    shutil.copy(README, folder)
    pack(folder)


def start(name, summary, **fields):
    folder = empty(WORK / "npm" / name)
    if REPOSITORY:
        fields["repository"] = {"type": "git", "url": f"git+{REPOSITORY}.git"}
    write_json(folder / "package.json", {
        "name": name, "version": VERSION, "description": summary, "license": LICENSE, **fields})
    for file in ("LICENSE-MIT", "LICENSE-APACHE"):
        shutil.copy(ROOT / file, folder)
    return folder


def pack(folder):
    target = OUT / "npm"
    target.mkdir(exist_ok=True)
    run("npm", "pack", "--silent", "--pack-destination", target, cwd=folder, capture_output=True)
