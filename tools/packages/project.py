"""Where things are, what is released, and how other programs are started."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()
OUT = TARGET / "packages"
WORK = TARGET / "packages-work"
TOOLS = TARGET / "tools"
PROFILE = os.environ.get("PACKAGES_PROFILE", "dist")

MANIFEST = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
VERSION = MANIFEST["version"]
LICENSE = MANIFEST["license"]
CLI = tomllib.loads((ROOT / "crates/cli/Cargo.toml").read_text())["package"]
NAME = CLI["name"]
SUMMARY = CLI["description"]
KEYWORDS = CLI["keywords"]
README = ROOT / "crates/cli/README.md"
# Where the source code is: npm requires it for packages with a proof of origin.
REPOSITORY = os.environ.get("PACKAGES_REPOSITORY")
PROGRAMS = ("memory", "memory-cli")

# The Rust target, the names that npm, Debian and Python have for it, and the platform of an MCP bundle.
PLATFORMS = {
    "x86_64-unknown-linux-musl": {
        "npm": ("linux", "x64"), "deb": "amd64", "bundle": "linux",
        "wheel": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    },
    "aarch64-unknown-linux-musl": {
        "npm": ("linux", "arm64"), "deb": "arm64",
        "wheel": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    },
    "x86_64-apple-darwin": {"npm": ("darwin", "x64"), "wheel": None},
    "aarch64-apple-darwin": {"npm": ("darwin", "arm64"), "bundle": "darwin", "wheel": None},
}
MACHINE = os.uname().machine.replace("arm64", "aarch64")
NATIVE = f"{MACHINE}-apple-darwin" if sys.platform == "darwin" else f"{MACHINE}-unknown-linux-musl"
TARGETS = os.environ.get("PACKAGES_TARGETS", NATIVE).split()


def mcp_name():
    """Returns the name of the server in the MCP registry, which the package's page has to show."""
    lines = README.read_text().splitlines()
    return next(line.removeprefix("mcp-name: ") for line in lines if line.startswith("mcp-name: "))


def run(*words, **options):
    """Runs a program; the script ends if it fails."""
    words = [str(word) for word in words]
    try:
        return subprocess.run(words, check=True, **options)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(words)} failed with status {error.returncode}\n{error.stderr or ''}")


def output(*words, **options):
    return run(*words, stdout=subprocess.PIPE, text=True, **options).stdout


def tool(name):
    """Returns the path of a Python tool; installs all of them first if they are missing."""
    folder = TOOLS / "python"
    wanted = (HERE / "requirements.txt").read_text()
    done = folder / "requirements.txt"
    if not done.exists() or done.read_text() != wanted:
        run(sys.executable, "-m", "venv", "--clear", folder)
        run(folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r", HERE / "requirements.txt")
        done.write_text(wanted)
    return folder / "bin" / name


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    return path
