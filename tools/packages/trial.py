"""Installs each package for a new user, and checks what is installed."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import pathlib
import time
import zipfile

import bundle
import npm_registry
import programs
from check import Failure, everything_else, first_memory, handshake, starter
from project import MACHINE, NAME, NATIVE, OUT, PLATFORMS, PROGRAMS, TARGET, TOOLS, VERSION, run, tool

SYSTEM = "/usr/local/bin:/usr/bin:/bin"


def test(names):
    """Tests the named packages, or all; returns 1 if one of them failed."""
    rows, failed = [], False
    for name, (file, trial) in TRIALS.items():
        if names and name not in names:
            continue
        path = next(iter(sorted(OUT.glob(file))), None)
        if path is None:
            rows.append((name, "-", "-", "not built"))
            continue
        with tempfile.TemporaryDirectory(prefix="packages-") as home:
            try:
                seconds = trial(path, pathlib.Path(home))
                rows.append((name, size(path), f"{seconds:.1f} s", "passed"))
            except Skipped as reason:
                rows.append((name, size(path), "-", f"not tested: {reason}"))
            except (Failure, KeyError, OSError, subprocess.SubprocessError) as error:
                rows.append((name, size(path), "-", f"FAILED: {error}"))
                failed = True
    print_table([("package", "size", "to first recall", "result"), *rows])
    return 1 if failed else 0


class Skipped(Exception):
    """A test needs something that this machine does not have."""


def print_table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)) + "  " + row[3])


def size(path):
    files = [path] if path.is_file() else list(path.iterdir())
    return f"{sum(file.stat().st_size for file in files) / 1e6:.1f} MB"


def measure(install, start, server):
    """Returns the seconds from the start of the installation to the first recalled memory."""
    began = time.monotonic()
    install()
    first_memory(start)
    seconds = time.monotonic() - began
    everything_else(start, server)
    return seconds


def in_path(home, folder):
    """Returns the environment of a new user whose programs are in a folder."""
    (home / "home").mkdir(exist_ok=True)
    return {"HOME": str(home / "home"), "PATH": f"{folder}:{SYSTEM}", "LANG": "C.UTF-8"}


def of_archive(path, home):
    """Runs the programs in a directory tree that contains nothing else: they need no library and no file."""
    for name in ("memory", "memory-cli"):
        program = programs.of(NATIVE)[PROGRAMS.index(name)]
        if program.exists() and not programs.is_static(program):
            raise Failure(f"{name} is not linked statically")
    root = home / "root"

    def install():
        with tarfile.open(path) as archive:
            archive.extractall(home, filter="data")
        root.mkdir()
        for folder in ("bin", "home", "proc", "tmp"):
            (root / folder).mkdir()
        for name in PROGRAMS:
            shutil.copy(home / f"memory-{VERSION}-{NATIVE}" / name, root / "bin" / name)

    start = starter({"HOME": "/home", "PATH": "/bin:/usr/bin:/sbin:/usr/sbin"}, enclosed(root))
    return measure(install, start, ["memory", "mcp"])


def enclosed(root, *options):
    """Returns the words before a command that sees only a directory and /proc."""
    # `memory demo` and `memory-cli mcp` read the path of the program that runs from /proc.
    script = 'root=$1; shift; mount --rbind /proc "$root/proc" && exec chroot "$@"'
    words = ["unshare", "--mount", *(["--map-root-user"] if os.geteuid() else []), "sh", "-c", script, "sh"]
    return [*words, str(root), *options, str(root)]


def of_crates(path, home):
    """Installs as `cargo install memory-cli` does, with the libraries from their packages."""
    root = home / "cargo"

    def install():
        for crate in path.glob("*.crate"):
            with tarfile.open(crate) as archive:
                archive.extractall(home / "crates", filter="data")
        configuration = home / "patch.toml"
        lines = ["[patch.crates-io]\n"]
        for crate in (home / "crates").iterdir():
            name = crate.name.removesuffix(f"-{VERSION}")
            if name != NAME:
                lines.append(f'{name} = {{ path = "{crate}" }}\n')
        configuration.write_text("".join(lines))
        environment = dict(os.environ, CARGO_TARGET_DIR=str(TARGET / "packages-work/cargo-install"))
        run("cargo", "install", "--quiet", "--path", home / "crates" / f"{NAME}-{VERSION}", "--root", root,
            "--config", configuration, env=environment)

    start = starter(in_path(home, root / "bin"))
    return measure(install, start, ["memory-cli", "mcp"])


def of_wheel(path, home):
    """Installs with pip into an environment, and starts the server with uvx by the name of the package."""
    folder = home / "venv"
    run(sys.executable, "-m", "venv", folder)
    environment = in_path(home, folder / "bin")

    def install():
        starter(environment)(["pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", str(path)])

    uvx = [str(tool("uvx")), "--quiet", "--offline", "--no-index", "--find-links", str(OUT), NAME, "mcp"]
    seconds = measure(install, starter(environment), uvx)
    with zipfile.ZipFile(path) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        text = archive.read(metadata).decode()
    if "\nmcp-name: " not in text:
        raise Failure("The page of the wheel does not contain mcp-name")
    return seconds


def of_npm(path, home):
    """Installs from a registry on this machine, and starts the server with npx by the name of the package."""
    with npm_registry.serve(path) as address:
        environment = in_path(home, home / "npm/bin")
        environment |= {"npm_config_registry": address, "npm_config_update_notifier": "false",
                        "npm_config_prefix": str(home / "npm"), "npm_config_ignore_scripts": "true"}
        start = starter(environment, folder=home / "home")

        def install():
            start(["npm", "install", "--silent", "--global", NAME])

        seconds = measure(install, start, ["memory-cli", "mcp"])
        start(["npm", "uninstall", "--silent", "--global", NAME])
        handshake(lambda requests: start(["npx", "-y", NAME, "mcp"], input=requests))
    return seconds


def of_deb(path, home):
    """Installs into a minimal Debian, looks for its files, and removes it again."""
    if os.geteuid() or not shutil.which("debootstrap"):
        raise Skipped("it needs root and debootstrap")
    base = TOOLS / "debian"
    if not (base / "usr/bin/dpkg").exists():
        run("debootstrap", "--variant=minbase", "stable", base, stdout=subprocess.DEVNULL)
    root = home / "root"
    run("cp", "-a", base, root)
    shutil.copy(path, root / "tmp")
    run("chroot", root, "useradd", "--create-home", "newcomer")
    administrator = starter({"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, ["chroot", str(root)])
    start = starter({"HOME": "/home/newcomer", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
                    enclosed(root, "--userspec", "newcomer:newcomer"))
    seconds = measure(lambda: administrator(["dpkg", "--install", f"/tmp/{path.name}"]), start, ["memory", "mcp"])
    # A minimal Debian leaves out manual pages, so the list of the package is read instead of the directory.
    listed = administrator(["dpkg", "--contents", f"/tmp/{path.name}"])
    for file in ("man1/memory.1.gz", "completions/memory", "_memory", "memory.fish", "user/memory.service"):
        if file not in listed:
            raise Failure(f"{file} is not installed")
    administrator(["dpkg", "--purge", NAME])
    if (root / "usr/bin/memory").exists():
        raise Failure("The package leaves files behind")
    if shutil.which("lintian"):
        lint = ["lintian", "--fail-on", "error", "--allow-root", str(path)]
        starter({"PATH": SYSTEM, "HOME": str(home), "LANG": "C.UTF-8"})(lint)
    return seconds


def of_bundle(path, home):
    """Unpacks the bundle as a client does, and starts the server that its manifest names."""
    folder = home / "bundle"

    def install():
        run(bundle.tool(), "unpack", path, folder, capture_output=True)

    environment = in_path(home, folder / "server/linux")
    start = starter(environment)
    began = time.monotonic()
    install()
    first_memory(start)
    seconds = time.monotonic() - began
    settings = json.loads((folder / "manifest.json").read_text())["server"]["mcp_config"]
    settings = settings | settings["platform_overrides"]["linux"]
    command = settings["command"].replace("${__dirname}", str(folder))
    everything_else(start, [command, *settings["args"]])
    return seconds


# The first file of the pattern is tested: that of this machine, because others do not run here.
SYSTEM_NAME, PROCESSOR = PLATFORMS[NATIVE]["npm"]
TRIALS = {
    "crates": ("crates", of_crates),
    "archive": (f"*{NATIVE}.tar.gz", of_archive),
    "wheel": (f"*{MACHINE}*.whl", of_wheel),
    "npm": ("npm", of_npm),
    "deb": (f"*_{PLATFORMS[NATIVE]['deb']}.deb", of_deb),
    "bundle": ("*.mcpb", of_bundle),
}
