"""The Debian packages, with manual pages, completions and a systemd user unit."""

import gzip
import pathlib

import programs
from project import OUT, PLATFORMS, ROOT, SUMMARY, TARGETS, VERSION, WORK, empty, output, run

REVISION = f"{VERSION}-1"
MAINTAINER = "The Memory project <memory@localhost>"

CONTROL = """\
Package: memory-cli
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kibibytes}
Section: utils
Priority: optional
Recommends: ca-certificates
Suggests: less
Description: {summary}
 Memory stores notes, structured state, conversations, records and working
 memory in plain files, and one recall finds what is relevant in all of them,
 offline. Agents use it over MCP, hooks, a socket or an OpenAI-compatible proxy.
"""

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Memory

Files: *
Copyright: {holder}
License: MIT or Apache-2.0

License: MIT
{mit}

License: Apache-2.0
 On Debian systems the text of this license is in
 /usr/share/common-licenses/Apache-2.0.
"""

# The programs are linked statically on purpose, and memory-cli is not loaded at a random address because it starts
# faster then and reads only local files. The project has no mail address.
OVERRIDES = """\
memory-cli: statically-linked-binary
memory-cli: embedded-library
memory-cli: hardening-no-pie
memory-cli: bogus-mail-host
memory-cli: bogus-mail-host-in-debian-changelog
memory-cli: initial-upload-closes-no-bugs
"""


def build():
    for target in TARGETS:
        if "deb" in PLATFORMS[target]:
            build_one(target, PLATFORMS[target]["deb"])


def build_one(target, architecture):
    folder = empty(WORK / "deb")
    programs.copy_to(folder / "usr/bin", target)
    programs.manual_pages(folder / "usr/share/man/man1")
    for page in (folder / "usr/share/man/man1").iterdir():
        compress(page)
    share = folder / "usr/share"
    programs.completions({
        "bash": share / "bash-completion/completions",
        "zsh": share / "zsh/vendor-completions",
        "fish": share / "fish/vendor_completions.d",
    })
    write(folder / "usr/lib/systemd/user/memory.service", programs.unit("/usr/bin/memory"))
    write(folder / "usr/share/lintian/overrides/memory-cli", OVERRIDES)
    document = folder / "usr/share/doc/memory-cli"
    write(document / "copyright", copyright())
    write(document / "changelog", (ROOT / "CHANGELOG.md").read_text())
    compress(document / "changelog")
    write(document / "changelog.Debian", changelog())
    compress(document / "changelog.Debian")
    kibibytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024
    write(folder / "DEBIAN/control", CONTROL.format(
        version=REVISION, maintainer=MAINTAINER, architecture=architecture, kibibytes=kibibytes,
        summary=SUMMARY.split(":")[0]))
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
    run("dpkg-deb", "--build", "--root-owner-group", folder, OUT / f"memory-cli_{REVISION}_{architecture}.deb",
        capture_output=True)


def changelog():
    date = output("git", "log", "-1", "--format=%cD", cwd=ROOT).strip()
    return f"memory-cli ({REVISION}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- {MAINTAINER}  {date}\n"


def copyright():
    lines = (ROOT / "LICENSE-MIT").read_text().splitlines()
    holder = next(line for line in lines if line.startswith("Copyright")).removeprefix("Copyright (c) ")
    mit = "\n".join(f" {line}" if line else " ." for line in lines)
    return COPYRIGHT.format(holder=holder, mit=mit)


def write(path: pathlib.Path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def compress(path):
    """Replaces a file by its compressed form, which is the same on every run."""
    path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    path.unlink()
